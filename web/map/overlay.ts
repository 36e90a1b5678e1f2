import type { ExpressionSpecification, FilterSpecification, VectorSourceSpecification } from 'maplibre-gl';
import type { Overlay } from '../shared/map/map.ts';
import { speedSteps } from '../shared/map/speed-steps.ts';
import type { MapSettings } from '../shared/schemas.ts';
import type { ViewAddress } from './address.ts';

type Tiles = MapSettings['pictures']['best'];

const source = ({ tiles, minzoom, maxzoom, bounds }: Tiles): VectorSourceSpecification => ({
  type: 'vector',
  tiles,
  minzoom,
  maxzoom,
  bounds: bounds as [number, number, number, number],
});

/** The best available download speed at each place. Opaque, and the tiles' shapes do not overlap, so the map has exactly the legend's colours. */
export const bestOverlay = (tiles: Tiles): Overlay => ({
  sources: { best: source(tiles) },
  layers: ({ speeds }) => [
    {
      id: 'best',
      type: 'fill',
      source: 'best',
      'source-layer': 'coverage',
      paint: {
        'fill-color': [
          'match',
          ['get', 'bandwidth_from_mbps'],
          ...speedSteps.flatMap((from, i) => [from, speeds[i] as string]),
          'transparent',
        ] as unknown as ExpressionSpecification,
      },
    },
  ],
});

/**
 * Areas as outlines with a light fill, in the colours of technologies. Planned ones, too, if chosen; with neither a technology nor a provider,
 * these alone. @param names of all technologies, in their order
 */
export function areasOverlay(
  tiles: Tiles,
  names: readonly string[],
  { shown: technologies, provider, planned }: Pick<ViewAddress, 'shown' | 'provider' | 'planned'>,
): Overlay {
  const isAvailable = technologies.length > 0 || provider !== '';
  const shown = [...(isAvailable ? ['available'] : []), ...(planned ? ['planned'] : [])];
  const filterOf = (availabilities: string[]): FilterSpecification => [
    'all',
    ['in', ['get', 'availability'], ['literal', availabilities]],
    ['in', ['get', 'technology'], ['literal', technologies.length > 0 ? [...technologies] : [...names]]],
    ...(provider ? [['==', ['get', 'provider'], provider] as ExpressionSpecification] : []),
  ];
  const layer = { source: 'areas', 'source-layer': 'coverage', filter: filterOf(shown) };
  return {
    sources: { areas: source(tiles) },
    layers: ({ technologies: colours, land }) => {
      const colour = [
        'match',
        ['get', 'technology'],
        ...names.flatMap((name, i) => [name, colours[i % colours.length] as string]),
        'transparent',
      ] as unknown as ExpressionSpecification;
      return [
        {
          id: 'areas-fill',
          type: 'fill',
          ...layer,
          paint: { 'fill-color': colour, 'fill-layer-opacity': 0.15, 'fill-antialias': false },
        },
        { id: 'areas-edge', type: 'line', ...layer, paint: { 'line-color': land, 'line-width': 4 } },
        ...shown.map((availability) => ({
          id: `areas-${availability}`,
          type: 'line' as const,
          ...layer,
          filter: filterOf([availability]),
          paint: {
            'line-color': colour,
            'line-width': 2,
            ...(availability === 'planned' && { 'line-dasharray': [3, 1.5] }),
          },
        })),
      ];
    },
  };
}
