/* The map's colours, by whether the page is light or dark. Those of data can be told apart by everybody: blue, orange and
 * grey of the Okabe-Ito palette, with a pattern each besides, and for speeds one scale from pale to strong. */

export interface MapColours {
  sea: string;
  land: string;
  coast: string;
  place: string;
  placeHalo: string;
  gained: string;
  lost: string;
  unchanged: string;
  /** From the slowest class to the fastest. */
  speeds: readonly string[];
  /** One a technology, in the order of `technologyNames`; further ones begin anew. */
  technologies: readonly string[];
  outline: string;
  hatch: string;
  dropped: string;
  repaired: string;
  clipped: string;
  markerRing: string;
}

const light: MapColours = {
  sea: '#d5e3ec',
  land: '#f8f6f1',
  coast: '#9fb4c2',
  place: '#33424e',
  placeHalo: 'rgba(255, 255, 255, 0.85)',
  gained: '#0072b2',
  lost: '#d55e00',
  unchanged: '#7d8790',
  speeds: ['#c3dfb8', '#7cc6b5', '#37a3bb', '#2272a8', '#1d3a80'],
  technologies: ['#0072b2', '#d55e00', '#00805d', '#a8447c', '#6b5900'],
  outline: '#17415f',
  hatch: '#22303b',
  dropped: '#b3261e',
  repaired: '#8a5a00',
  clipped: '#5b4a9e',
  markerRing: '#ffffff',
};

const dark: MapColours = {
  sea: '#0b131a',
  land: '#1d2934',
  coast: '#3d5262',
  place: '#d4dee6',
  placeHalo: 'rgba(11, 19, 26, 0.85)',
  gained: '#56b4e9',
  lost: '#f08a3c',
  unchanged: '#9aa7b2',
  speeds: ['#28506b', '#2a7b95', '#35a7a8', '#7fd0a5', '#e3f0a8'],
  technologies: ['#56b4e9', '#f08a3c', '#35c79b', '#e79ac8', '#f0e442'],
  outline: '#bfe3f5',
  hatch: '#e8eef3',
  dropped: '#ff8a80',
  repaired: '#f0b94a',
  clipped: '#b9a6ff',
  markerRing: '#0f1720',
};

const darkScheme = window.matchMedia('(prefers-color-scheme: dark)');

export function mapColours(): MapColours {
  return darkScheme.matches ? dark : light;
}

/** Gives the style sheet the map's colours, for legends: `--map-gained`, `--map-speeds-0` and so on. */
function giveToPage(): void {
  const { style } = document.documentElement;
  for (const [name, value] of Object.entries(mapColours())) {
    const colours: readonly string[] = typeof value === 'string' ? [value] : value;
    for (const [i, colour] of colours.entries()) {
      style.setProperty(typeof value === 'string' ? `--map-${name}` : `--map-${name}-${i}`, colour);
    }
  }
}
giveToPage();
darkScheme.addEventListener('change', giveToPage);

/** @returns ends it */
export function onColoursChanged(listener: () => void): () => void {
  darkScheme.addEventListener('change', listener);
  return () => darkScheme.removeEventListener('change', listener);
}
