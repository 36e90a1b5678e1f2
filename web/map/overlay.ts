import type { ExpressionSpecification } from 'maplibre-gl';
import type { Overlay } from '../shared/map/map.ts';
import type { Pattern } from '../shared/map/patterns.ts';

/** Of each technology in the order in which the service lists them, so that no two are told apart by colour alone. */
export const technologyPatterns: readonly Pattern[] = ['dots', 'stripes', 'columns', 'stripes-back', 'rows'];

const isThere: ExpressionSpecification = ['==', ['get', 'availability'], 'available'];

export function layersOf(name: string): string[] {
  return [`${name}-fill`, `${name}-pattern`, `${name}-later`];
}

/** A technology's coverage: what is there is filled, what is planned has the pattern alone. @param order among technologies */
export function technologyOverlay(name: string, set: number, order: number): Overlay {
  const source = `set-${set}`;
  const layer = { source, 'source-layer': 'coverage' };
  const pattern = technologyPatterns[order % technologyPatterns.length] as Pattern;
  const colourOf = (colours: readonly string[]) => colours[order % colours.length] as string;
  return {
    sources: { [source]: { type: 'vector', url: `${location.origin}/tiles/${set}.json` } },
    patterns: ({ technologies }) => ({ [`pattern-${name}`]: [pattern, colourOf(technologies)] }),
    layers: ({ technologies }) => [
      {
        id: `${name}-fill`,
        type: 'fill',
        ...layer,
        filter: isThere,
        paint: { 'fill-color': colourOf(technologies), 'fill-opacity': 0.3, 'fill-antialias': false },
      },
      {
        id: `${name}-pattern`,
        type: 'fill',
        ...layer,
        filter: isThere,
        paint: { 'fill-pattern': `pattern-${name}`, 'fill-opacity': 0.45, 'fill-antialias': false },
      },
      {
        id: `${name}-later`,
        type: 'fill',
        ...layer,
        filter: ['!', isThere],
        paint: { 'fill-pattern': `pattern-${name}`, 'fill-opacity': 0.5, 'fill-antialias': false },
      },
    ],
  };
}
