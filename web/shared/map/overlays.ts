import type { CircleLayerSpecification, ExpressionSpecification, FillLayerSpecification } from 'maplibre-gl';
import type { Example, Problem } from '../schemas.ts';
import type { MapColours } from './colours.ts';
import type { Box, Overlay } from './map.ts';

/** Speeds are shown in classes: those from the first to below the second of these Mbps, and so on. */
export const speedSteps = [0, 10, 30, 100, 300] as const;

const tileAddress = (path: string) => `${location.origin}${path}`;

/** Tiles are made for any zoom; past this, the same are drawn larger. */
const finestTiles = 16;

/** Coverage by its fastest download; what is not there yet is hatched. @param path the address of tiles, with {z}/{x}/{y} */
export function coverageOverlay(path: string): Overlay {
  const source = 'coverage';
  const layer = { source, 'source-layer': 'coverage' };
  return {
    sources: { [source]: { type: 'vector', tiles: [tileAddress(path)], maxzoom: finestTiles } },
    patterns: (colours) => ({ later: ['stripes', colours.hatch] }),
    layers: (colours) => [
      {
        id: 'coverage-fill',
        type: 'fill',
        ...layer,
        paint: {
          'fill-color': bySpeed(colours.speeds),
          'fill-opacity': 0.72,
          // Coverage is stored in pieces, and their seams are nothing to look at.
          'fill-antialias': false,
        },
      },
      {
        id: 'coverage-later',
        type: 'fill',
        ...layer,
        filter: ['!=', ['get', 'availability'], 'available'],
        paint: { 'fill-pattern': 'later', 'fill-opacity': 0.55 },
      },
    ],
  };
}

function bySpeed(colours: readonly string[]): ExpressionSpecification {
  const [first, ...rest] = colours;
  return [
    'step',
    ['to-number', ['get', 'bandwidth_max_mbps'], 0],
    first as string,
    ...rest.flatMap((colour, i) => [speedSteps[i + 1] as number, colour]),
  ] as ExpressionSpecification;
}

export const changeKinds = ['gained', 'lost', 'unchanged'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export function changeLayers(kind: ChangeKind): string[] {
  return kind === 'unchanged' ? ['change-unchanged'] : [`change-${kind}`, `change-${kind}-pattern`];
}

/** What would change for people by publishing: each kind has a colour, and a pattern where that matters. */
export function changeOverlay(path: string): Overlay {
  const layer = (id: string, kind: ChangeKind, paint: NonNullable<FillLayerSpecification['paint']>) => ({
    id: `change-${id}`,
    type: 'fill' as const,
    source: 'change',
    'source-layer': 'change',
    filter: ['==', ['get', 'change'], kind] as ExpressionSpecification,
    paint,
  });
  const filled = (kind: ChangeKind, colour: string, opacity: number) =>
    layer(kind, kind, { 'fill-color': colour, 'fill-opacity': opacity, 'fill-antialias': false });
  return {
    sources: { change: { type: 'vector', tiles: [tileAddress(path)], maxzoom: finestTiles } },
    patterns: (colours) => ({
      gained: ['dots', colours.gained],
      lost: ['stripes', colours.lost],
    }),
    layers: (colours) => [
      filled('unchanged', colours.unchanged, 0.35),
      ...(['lost', 'gained'] as const).flatMap((kind) => [
        filled(kind, colours[kind], 0.42),
        layer(`${kind}-pattern`, kind, { 'fill-pattern': kind }),
      ]),
    ],
  };
}

/** Towers as points. @param towers GeoJSON, as the API has it */
export function towerOverlay(towers: GeoJSON.FeatureCollection): Overlay {
  return pointsOverlay('towers', towers, ({ gained }) => ({
    'circle-radius': 6,
    'circle-color': gained,
    'circle-stroke-width': 2,
  }));
}

/** The directions and widths of antennas that have one. @param towers as {@link towerOverlay} takes them @param km how far they are drawn */
export function sectorOverlay(towers: GeoJSON.FeatureCollection, km: number): Overlay {
  const features = towers.features.flatMap(({ geometry, properties }) => {
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
    const ring = [[lng, lat], ...arc, [lng, lat]];
    return [
      {
        type: 'Feature' as const,
        properties: {},
        geometry: { type: 'Polygon' as const, coordinates: [ring] },
      },
    ];
  });
  return {
    sources: { sectors: { type: 'geojson', data: { type: 'FeatureCollection', features } } },
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

/** What positions, as [lng, lat], lie in; undefined where there are none. */
export function boundsOf(positions: readonly (readonly number[])[]): Box | undefined {
  if (positions.length === 0) return undefined;
  const lngs = positions.map(([lng]) => lng as number);
  const lats = positions.map(([, lat]) => lat as number);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}

/** One place with a problem. */
export interface ProblemPlace extends Example {
  /** Of the problem in the report, and of the example in it: what a click on the map is told as. */
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

/** Where features were dropped, repaired or clipped; the selected point is larger. */
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
