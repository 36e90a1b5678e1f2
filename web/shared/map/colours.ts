/* The map's colours, by whether the page is light or dark. Those of data can be told apart by everybody: blue, orange and
 * grey of the Okabe-Ito palette, with a pattern each besides, and for speeds one scale from pale to strong. */

/** Each for a light page, and for a dark one. */
const palette = {
  sea: ['#d5e3ec', '#0b131a'],
  land: ['#f8f6f1', '#1d2934'],
  coast: ['#9fb4c2', '#3d5262'],
  place: ['#33424e', '#d4dee6'],
  placeHalo: ['rgba(255, 255, 255, 0.85)', 'rgba(11, 19, 26, 0.85)'],
  gained: ['#0072b2', '#56b4e9'],
  lost: ['#d55e00', '#f08a3c'],
  unchanged: ['#7d8790', '#9aa7b2'],
  outline: ['#17415f', '#bfe3f5'],
  hatch: ['#22303b', '#e8eef3'],
  dropped: ['#b3261e', '#ff8a80'],
  repaired: ['#8a5a00', '#f0b94a'],
  clipped: ['#5b4a9e', '#b9a6ff'],
  markerRing: ['#ffffff', '#0f1720'],
} satisfies Record<string, [light: string, dark: string]>;
/** From the slowest class to the fastest. */
const speeds = [
  ['#c3dfb8', '#7cc6b5', '#37a3bb', '#2272a8', '#1d3a80'],
  ['#28506b', '#2a7b95', '#35a7a8', '#7fd0a5', '#e3f0a8'],
];
/** One a technology, in the order of `technologyNames`; further ones begin anew. */
const technologies = [
  ['#0072b2', '#d55e00', '#00805d', '#a8447c', '#6b5900'],
  ['#56b4e9', '#f08a3c', '#35c79b', '#e79ac8', '#f0e442'],
];

export type MapColours = Record<keyof typeof palette, string> & Record<'speeds' | 'technologies', string[]>;

const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

export function mapColours(): MapColours {
  const look = darkScheme.matches ? 1 : 0;
  const all = Object.entries({ ...palette, speeds, technologies });
  return Object.fromEntries(all.map(([name, looks]) => [name, looks[look]])) as MapColours;
}

/** Gives the style sheet the map's colours, for legends: `--map-gained`, `--map-speeds-0` and so on. */
function giveToPage(): void {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(mapColours())) {
    if (typeof value === 'string') style.setProperty(`--map-${name}`, value);
    else for (const [i, colour] of value.entries()) style.setProperty(`--map-${name}-${i}`, colour);
  }
}
giveToPage();
darkScheme.addEventListener('change', giveToPage);

/** @returns ends it */
export function onColoursChanged(listener: () => void): () => void {
  darkScheme.addEventListener('change', listener);
  return () => darkScheme.removeEventListener('change', listener);
}
