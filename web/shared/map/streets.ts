import {
  addProtocol,
  type ExpressionSpecification,
  type FilterSpecification,
  type LayerSpecification,
  type StyleSpecification,
} from 'maplibre-gl';
import { Protocol } from 'pmtiles';
import type { Catalog } from '../schemas.ts';
import { font } from './basemap.ts';
import type { MapColours } from './colours.ts';

/* The basemap of BASEMAP_FILE: water, streets and names from OpenStreetMap, in a few quiet layers in the page's colours. */

type StreetFile = NonNullable<Catalog['basemap_file']>;
type Schema = StreetFile['tile_schema'];

/** The layers and classes of each schema. A class is a property of a layer's features. */
const names = {
  // https://docs.protomaps.com/basemaps/layers
  protomaps: {
    land: 'earth',
    roads: 'roads',
    roadNames: 'roads',
    roadClass: ['get', 'kind'],
    highways: ['highway'],
    streets: ['major_road'],
    lanes: ['minor_road'],
    places: 'places',
    placeClass: ['coalesce', ['get', 'kind_detail'], ['get', 'kind']],
  },
  // https://openmaptiles.org/schema/
  openmaptiles: {
    land: undefined,
    roads: 'transportation',
    roadNames: 'transportation_name',
    roadClass: ['get', 'class'],
    highways: ['motorway', 'trunk'],
    streets: ['primary', 'secondary', 'tertiary'],
    lanes: ['minor', 'service'],
    places: 'place',
    placeClass: ['get', 'class'],
  },
} satisfies Record<Schema, object>;

/** Classes of both schemas, and the least zoom of their names. */
const placesFrom: [zoom: number, classes: string[]][] = [
  [4, ['city']],
  [8, ['town']],
  [10, ['village']],
  [11, ['suburb', 'quarter', 'macrohood']],
  [13, ['hamlet', 'neighbourhood', 'locality']],
];

let isProtocolAdded = false;

export function streetSources(file: StreetFile): StyleSpecification['sources'] {
  if (!isProtocolAdded) addProtocol('pmtiles', new Protocol().tile);
  isProtocolAdded = true;
  return {
    streets: {
      type: 'vector',
      url: `pmtiles://${new URL(file.url, location.href).href}`,
      attribution:
        '<a href="https://www.openstreetmap.org/copyright" rel="noopener noreferrer">© OpenStreetMap</a>',
    },
  };
}

/** Coverage goes below the first line: coastline, streets and names stay on top of it. */
export function streetLayers(schema: Schema, colours: MapColours): LayerSpecification[] {
  const { land, roads, roadNames, roadClass, highways, streets, lanes, places, placeClass } = names[schema];
  const oneOf = (value: unknown, classes: readonly string[]) =>
    ['in', value, ['literal', classes]] as FilterSpecification;
  const of = (layer: string) => ({ source: 'streets', 'source-layer': layer });
  const width = (stops: number[]): ExpressionSpecification => [
    'interpolate',
    ['exponential', 1.6],
    ['zoom'],
    ...stops,
  ];
  const road = (
    id: string,
    classes: readonly string[],
    minzoom: number,
    stops: number[],
  ): LayerSpecification => ({
    id,
    type: 'line',
    ...of(roads),
    minzoom,
    filter: oneOf(roadClass, classes),
    layout: { 'line-cap': 'round', 'line-join': 'round' },
    paint: { 'line-color': colours.road, 'line-layer-opacity': 0.5, 'line-width': width(stops) },
  });
  const text = { 'text-color': colours.place, 'text-halo-color': colours.placeHalo, 'text-halo-width': 1.5 };
  return [
    // Protomaps has polygons of land, OpenMapTiles of sea: the background is the other.
    { id: 'sea', type: 'background', paint: { 'background-color': land ? colours.sea : colours.land } },
    ...(land
      ? [{ id: 'land', type: 'fill' as const, ...of(land), paint: { 'fill-color': colours.land } }]
      : []),
    {
      id: 'water',
      type: 'fill',
      ...of('water'),
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'fill-color': colours.sea },
    },
    {
      id: 'coast',
      type: 'line',
      ...of('water'),
      filter: ['==', ['geometry-type'], 'Polygon'],
      paint: { 'line-color': colours.coast, 'line-width': 0.75 },
    },
    road('lanes', lanes, 12, [12, 0.3, 15, 1.2, 18, 8]),
    road('streets', streets, 9, [9, 0.4, 15, 2.4, 18, 12]),
    road('highways', highways, 5, [5, 0.4, 10, 1.2, 15, 3.5, 18, 16]),
    {
      id: 'street-names',
      type: 'symbol',
      ...of(roadNames),
      minzoom: 13,
      filter: oneOf(roadClass, [...streets, ...lanes]),
      layout: {
        'symbol-placement': 'line',
        'text-field': ['get', 'name'],
        'text-font': font,
        'text-size': 12,
        'text-padding': 4,
      },
      paint: text,
    },
    ...placesFrom.map(
      ([minzoom, classes]): LayerSpecification => ({
        id: `places-${minzoom}`,
        type: 'symbol',
        ...of(places),
        minzoom,
        filter: oneOf(placeClass, classes),
        layout: {
          'text-field': ['get', 'name'],
          'text-font': font,
          'text-size': width([minzoom, minzoom < 10 ? 13 : 12, minzoom + 6, 16]),
          'text-padding': 6,
        },
        paint: text,
      }),
    ),
  ];
}
