/*
 * The map's colours, for light and dark pages. Everybody can tell those of data apart: blue, orange and grey of the Okabe-Ito palette, and for
 * speeds one scale in which each class is darker, or brighter, than the one below.
 */

/** A colour for light pages, and one for dark pages. */
const palette = {
  sea: ['#d5e3ec', '#0b131a'],
  land: ['#f8f6f1', '#1d2934'],
  coast: ['rgba(30, 62, 86, 0.35)', 'rgba(190, 214, 230, 0.3)'],
  road: ['#3a4c5a', '#d8e4ec'],
  place: ['#33424e', '#d4dee6'],
  placeHalo: ['rgba(255, 255, 255, 0.85)', 'rgba(11, 19, 26, 0.85)'],
  gained: ['#0072b2', '#56b4e9'],
  lost: ['#d55e00', '#f08a3c'],
  slower: ['#8a5a00', '#f0b94a'],
  faster: ['#00805d', '#35c79b'],
  unchanged: ['#7d8790', '#9aa7b2'],
  outline: ['#17415f', '#bfe3f5'],
  dropped: ['#b3261e', '#ff8a80'],
  repaired: ['#8a5a00', '#f0b94a'],
  clipped: ['#5b4a9e', '#b9a6ff'],
  markerRing: ['#ffffff', '#0f1720'],
} satisfies Record<string, [light: string, dark: string]>;
/** From the slowest class to the fastest. */
const speeds = [
  ['#e3ecc0', '#b3dbbb', '#7bc2c3', '#4899bf', '#2f66a3'],
  ['#34505f', '#2b6b80', '#2f8f92', '#5bb79b', '#b4e0a0'],
];
/** One for each technology, in their order; repeated if there are more. */
const technologies = [
  ['#0072b2', '#d55e00', '#00805d', '#a8447c', '#6b5900', '#4a4f55'],
  ['#56b4e9', '#f08a3c', '#35c79b', '#e79ac8', '#f0e442', '#d0d5da'],
] as const;

/** @param place of a technology among all */
export const technologyColour = (place: number) =>
  `var(--map-technologies-${place % technologies[0].length})`;

export type MapColours = Record<keyof typeof palette, string> & Record<'speeds' | 'technologies', string[]>;

const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

export function mapColours(): MapColours {
  const variant = darkScheme.matches ? 1 : 0;
  const all = Object.entries({ ...palette, speeds, technologies });
  return Object.fromEntries(all.map(([name, variants]) => [name, variants[variant]])) as MapColours;
}

/** Sets CSS variables for legends: `--map-gained`, `--map-speeds-0` and so on. */
function giveToPage(): void {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(mapColours())) {
    if (typeof value === 'string') style.setProperty(`--map-${name}`, value);
    else for (const [i, colour] of value.entries()) style.setProperty(`--map-${name}-${i}`, colour);
  }
}
giveToPage();
darkScheme.addEventListener('change', giveToPage);

/** @returns stops it */
export function onColoursChanged(listener: () => void): () => void {
  darkScheme.addEventListener('change', listener);
  return () => darkScheme.removeEventListener('change', listener);
}
