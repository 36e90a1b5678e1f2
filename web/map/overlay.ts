import type { ExpressionSpecification, FillLayerSpecification } from 'maplibre-gl';
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
  const pattern = technologyPatterns[order % technologyPatterns.length] as Pattern;
  const patternName = `pattern-${name}`;
  const colourOf = (colours: readonly string[]) => colours[order % colours.length] as string;
  const layer = (kind: string, filter: ExpressionSpecification, paint: FillLayerSpecification['paint']) => ({
    id: `${name}-${kind}`,
    type: 'fill' as const,
    source,
    'source-layer': 'coverage',
    filter,
    paint: { ...paint, 'fill-antialias': false },
  });
  return {
    sources: { [source]: { type: 'vector', url: `${location.origin}/tiles/${set}.json` } },
    patterns: ({ technologies }) => ({ [patternName]: [pattern, colourOf(technologies)] }),
    layers: ({ technologies }) => [
      layer('fill', isThere, { 'fill-color': colourOf(technologies), 'fill-opacity': 0.3 }),
      layer('pattern', isThere, { 'fill-pattern': patternName, 'fill-opacity': 0.45 }),
      layer('later', ['!', isThere], { 'fill-pattern': patternName, 'fill-opacity': 0.5 }),
    ],
  };
}
