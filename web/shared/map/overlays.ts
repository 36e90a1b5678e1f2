import type { CircleLayerSpecification, ExpressionSpecification } from 'maplibre-gl';
import type { Example, Problem } from '../schemas.ts';
import type { MapColours } from './colours.ts';
import type { Overlay, ThemedLayers } from './map.ts';
import { speedSteps } from './speed-steps.ts';

const tileAddress = (path: string) => `${location.origin}${path}`;

/** The greatest zoom of tiles; beyond it they are drawn larger. */
const finestTiles = 16;

/** Coverage by its fastest download, the best on top; planned coverage is paler. @param path the address of tiles, with {z}/{x}/{y} */
export function coverageOverlay(path: string): Overlay {
  const layer = (id: string, filter: ExpressionSpecification, opacity: number): ThemedLayers => {
    return ({ speeds }) =>
      speedSteps.map((from, i) => ({
        id: i === 0 ? id : `${id}-${from}`,
        type: 'fill',
        source: 'coverage',
        'source-layer': 'coverage',
        filter: ['all', filter, ...inClass(i)],
        paint: { 'fill-color': speeds[i] as string, 'fill-layer-opacity': opacity },
      }));
  };
  const isThere: ExpressionSpecification = ['==', ['get', 'availability'], 'available'];
  const later = layer('coverage-later', ['!', isThere], 0.45);
  const there = layer('coverage-fill', isThere, 1);
  return {
    sources: { coverage: { type: 'vector', tiles: [tileAddress(path)], maxzoom: finestTiles } },
    layers: (colours) => [...later(colours), ...there(colours)],
  };
}

function inClass(i: number): ExpressionSpecification[] {
  const speed: ExpressionSpecification = ['to-number', ['get', 'bandwidth_max_mbps'], 0];
  const next = speedSteps[i + 1];
  return [
    ['>=', speed, speedSteps[i] as number],
    ...(next === undefined ? [] : [['<', speed, next] as ExpressionSpecification]),
  ];
}

export const changeKinds = ['gained', 'lost', 'unchanged'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeLayer = (kind: ChangeKind) => `change-${kind}`;

/** The change for lookups by publishing, a colour for each kind; losses are on top. */
export function changeOverlay(path: string): Overlay {
  return {
    sources: { change: { type: 'vector', tiles: [tileAddress(path)], maxzoom: finestTiles } },
    layers: (colours) =>
      (['unchanged', 'gained', 'lost'] as const).map((kind) => ({
        id: changeLayer(kind),
        type: 'fill',
        source: 'change',
        'source-layer': 'change',
        filter: ['==', ['get', 'change'], kind],
        paint: { 'fill-color': colours[kind], 'fill-layer-opacity': kind === 'unchanged' ? 0.4 : 0.75 },
      })),
  };
}

export const premisesLayer = 'premises';
/** From this zoom on premises are points of their own; before, suburbs are. */
const premisesZoom = 12;

/** Premises that change, a colour for each kind. @param path the address of tiles @param suburbs points with `premises` */
export function premisesOverlay(path: string, suburbs: GeoJSON.FeatureCollection): Overlay {
  return {
    sources: {
      premises: {
        ...{ type: 'vector', tiles: [tileAddress(path)] },
        ...{ minzoom: premisesZoom, maxzoom: finestTiles },
      },
      suburbs: { type: 'geojson', data: suburbs },
    },
    layers: ({ lost, slower, faster, gained, markerRing }) => [
      {
        ...{ id: 'premises-suburbs', type: 'circle', source: 'suburbs', maxzoom: premisesZoom },
        paint: {
          'circle-color': lost,
          'circle-opacity': 0.75,
          // The area is as the number: 1 to 10,000 premises.
          'circle-radius': ['interpolate', ['linear'], ['sqrt', ['get', 'premises']], 1, 4, 100, 28],
          ...{ 'circle-stroke-width': 2, 'circle-stroke-color': markerRing },
        },
      },
      {
        ...{ id: premisesLayer, type: 'circle', source: 'premises', 'source-layer': 'premises' },
        minzoom: premisesZoom,
        layout: { 'circle-sort-key': ['match', ['get', 'change'], 'lost', 3, 'slower', 2, 1] },
        paint: {
          'circle-color': [
            'match',
            ['get', 'change'],
            'lost',
            lost,
            'slower',
            slower,
            'faster',
            faster,
            gained,
          ],
          'circle-radius': ['interpolate', ['linear'], ['zoom'], premisesZoom, 3, finestTiles, 7],
          ...{ 'circle-stroke-width': 1.5, 'circle-stroke-color': markerRing },
        },
      },
    ],
  };
}

/** Towers as points. @param towers GeoJSON from the API */
export function towerOverlay(towers: GeoJSON.FeatureCollection): Overlay {
  return pointsOverlay('towers', towers, ({ gained }) => ({
    'circle-radius': 6,
    'circle-color': gained,
    'circle-stroke-width': 2,
  }));
}

/** The directions and widths of sectors. @param towers see {@link towerOverlay} @param km the drawn length */
export function sectorOverlay(towers: GeoJSON.FeatureCollection, km: number): Overlay {
  const coordinates = towers.features.flatMap(({ geometry, properties }) => {
    const { azimuth_deg: azimuth, beam_width_deg: width } = properties as {
      azimuth_deg: number | null;
      beam_width_deg: number | null;
    };
    if (geometry.type !== 'Point' || azimuth === null || width === null || width >= 360) return [];
    const [lng, lat] = geometry.coordinates as [number, number];
    const at = (degrees: number): [number, number] => [
      lng + (km / (111.32 * Math.cos((lat * Math.PI) / 180))) * Math.sin((degrees * Math.PI) / 180),
      lat + (km / 111.32) * Math.cos((degrees * Math.PI) / 180),
    ];
    const arc = Array.from({ length: 13 }, (_, i) => at(azimuth + (width * (i - 6)) / 12));
    return [[[lng, lat], ...arc, [lng, lat]]];
  });
  return {
    sources: { sectors: { type: 'geojson', data: { type: 'MultiLineString', coordinates } } },
    layers: ({ outline, markerRing }) => [
      {
        id: 'sectors-ring',
        type: 'line',
        source: 'sectors',
        paint: { 'line-color': markerRing, 'line-width': 4 },
      },
      {
        id: 'sectors',
        type: 'line',
        source: 'sectors',
        paint: { 'line-color': outline, 'line-width': 1.5 },
      },
    ],
  };
}

function pointsOverlay(
  id: string,
  data: GeoJSON.FeatureCollection,
  paint: (colours: MapColours) => CircleLayerSpecification['paint'],
): Overlay {
  return {
    sources: { [id]: { type: 'geojson', data } },
    layers: (colours) => [
      {
        id,
        type: 'circle',
        source: id,
        paint: { ...paint(colours), 'circle-stroke-color': colours.markerRing },
      },
    ],
  };
}

export interface ProblemPlace extends Example {
  /** The index of the problem in the report, and of the example in it. */
  problem: number;
  example: number;
  lat: number;
  lng: number;
}

export function problemPlaces(problems: readonly Problem[]): ProblemPlace[] {
  return problems.flatMap(({ examples }, problem) =>
    examples.flatMap((one, example) =>
      one.lat === undefined || one.lng === undefined
        ? []
        : [{ ...one, lat: one.lat, lng: one.lng, problem, example }],
    ),
  );
}

export const problemLayer = 'problem-places';

/** Places where features were dropped, repaired or clipped; the selected point is larger. */
export function problemOverlay(problems: readonly Problem[], selected?: ProblemPlace): Overlay {
  const features = problemPlaces(problems).map(({ lng, lat, problem, example }) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [lng, lat] },
    properties: {
      kind: problems[problem]?.kind,
      problem,
      example,
      selected: problem === selected?.problem && example === selected.example,
    },
  }));
  const data = { type: 'FeatureCollection' as const, features };
  return pointsOverlay(problemLayer, data, ({ dropped, repaired, clipped }) => ({
    'circle-radius': ['case', ['get', 'selected'], 10, 6],
    'circle-color': ['match', ['get', 'kind'], 'dropped', dropped, 'repaired', repaired, clipped],
    'circle-stroke-width': ['case', ['get', 'selected'], 3, 2],
  }));
}
