/** Drawings of 24 by 24, in strokes. */
const icons = {
  covermap:
    'M13 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0ZM7.9 16.1a6 6 0 0 1 0-8.2m8.2 0a6 6 0 0 1 0 8.2M4.5 19.5a10.5 10.5 0 0 1 0-15m15 0a10.5 10.5 0 0 1 0 15',
  upload: 'M12 16V4m0 0L7 9m5-5 5 5M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  check: 'M5 12.5 10 17.5 19.5 7',
  warning:
    'M12 8.5v4.5m0 3.5v.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0Z',
  error: 'M12 7.5v5.5m0 3.5v.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  info: 'M12 11v5.5m0-9v-.01M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z',
  file: 'M14 3v5h5M14 3H6a1 1 0 0 0-1 1v16a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1V8l-5-5Z',
  back: 'M15 5.5 8.5 12l6.5 6.5',
  forward: 'M9 5.5l6.5 6.5L9 18.5',
  plus: 'M12 5v14M5 12h14',
  copy: 'M9 9V5a1 1 0 0 1 1-1h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-4M5 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Z',
  print:
    'M7 9V4h10v5M7 17H5a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-2M7 14h10v6H7v-6Z',
  pin: 'M12 21s7-6.2 7-11.5A7 7 0 0 0 5 9.5C5 14.8 12 21 12 21Zm0-9a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  undo: 'M4 9h10.5a5.5 5.5 0 0 1 0 11H9M4 9l4.5-4.5M4 9l4.5 4.5',
  signOut: 'M15 16.5 19.5 12 15 7.5M19.5 12H9m3 8H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h7',
  split: 'M4 12h16M12 9V3m0 0L9 6m3-3 3 3m-3 9v6m0 0 3-3m-3 3-3-3',
  merge: 'M4 12h16M12 3v6m0 0 3-3m-3 3L9 6m3 15v-6m0 0-3 3m3-3 3 3',
  remove: 'M6 6l12 12M18 6 6 18',
  search: 'M15.5 15.5 20 20M17.5 10.75a6.75 6.75 0 1 1-13.5 0 6.75 6.75 0 0 1 13.5 0Z',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  download: 'M12 4v11m0 0-4.5-4.5M12 15l4.5-4.5M4 19.5h16',
  locate: 'M12 2v3m0 14v3M2 12h3m14 0h3M19 12a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z',
};

export type IconName = keyof typeof icons;

/** A decorative picture beside a text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      class="icon"
    >
      <path d={icons[name]} />
    </svg>
  );
}
