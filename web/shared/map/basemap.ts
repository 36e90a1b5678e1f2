import type { LayerSpecification, StyleSpecification } from 'maplibre-gl';
import land from '../../generated/land.json?url';
import places from '../../generated/places.json?url';
import type { MapColours } from './colours.ts';

/** The font of the page: the browser draws the map's letters from it, so no map fonts are served. */
export const font = ['Inter Variable'];

/** The built-in basemap: coastline and places, all from this server. */
export const builtInSources: StyleSpecification['sources'] = {
  land: {
    type: 'geojson',
    data: new URL(land, location.href).href,
    attribution: 'Coastline © OpenStreetMap contributors',
  },
  places: {
    type: 'geojson',
    data: new URL(places, location.href).href,
    attribution: 'Places © GeoNames',
  },
};

export function builtInLayers(colours: MapColours): LayerSpecification[] {
  return [
    { id: 'sea', type: 'background', paint: { 'background-color': colours.sea } },
    { id: 'land', type: 'fill', source: 'land', paint: { 'fill-color': colours.land } },
    {
      id: 'coast',
      type: 'line',
      source: 'land',
      paint: {
        'line-color': colours.coast,
        'line-width': ['interpolate', ['linear'], ['zoom'], 4, 0.5, 12, 1.25],
        // Its corners are some 700 m apart: at zoom 11 that is 22 pixels, and the line would be zigzags over the coverage.
        'line-opacity': ['interpolate', ['linear'], ['zoom'], 9, 1, 11, 0],
      },
    },
    {
      id: 'places',
      type: 'symbol',
      source: 'places',
      // Larger places first; the map leaves out names without room.
      filter: ['>=', ['get', 'population'], ['step', ['zoom'], 90_000, 6, 25_000, 8, 4_000, 10, 0]],
      layout: {
        'text-field': ['get', 'name'],
        'text-font': font,
        'text-size': [
          'interpolate',
          ['linear'],
          ['zoom'],
          4,
          ['match', ['get', 'rank'], 0, 13, 1, 12, 11],
          12,
          15,
        ],
        'text-padding': 6,
        'symbol-sort-key': ['-', 0, ['get', 'population']],
      },
      paint: { 'text-color': colours.place, 'text-halo-color': colours.placeHalo, 'text-halo-width': 1.5 },
    },
  ];
}
