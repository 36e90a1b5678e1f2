import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { importRegions, type RegionImport } from '../../ingest/regions/import-regions.ts';
import { listAddresses } from '../setup/addresses.ts';
import { client } from '../setup/operator.ts';
import { addPremises } from '../setup/premises.ts';
import { useService } from '../setup/service.ts';

/* Layers of regions, by which staff count premises. */

const service = await useService();
const { database, config } = service;
const staff = await client(service.api.url, database);

type Square = [name: string | null, west: number, south: number, side?: number];
const scale = 100_000;

/** A file of squares; in NZTM2000 the corners are metres from 1,750,000 and 5,900,000. */
function fileOf(squares: readonly Square[], crs = 'EPSG:4326', attribute = 'NAME'): string {
  const features = squares.map(([name, west, south, side = 1]) => ({
    type: 'Feature',
    properties: { [attribute]: name },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
          [0, 0],
        ].map(([x = 0, y = 0]) =>
          crs === 'EPSG:2193'
            ? [1_750_000 + (west + x * side) * scale, 5_900_000 + (south + y * side) * scale]
            : [174 + west + x * side, -38 + south + y * side],
        ),
      ],
    },
  }));
  const file = path.join(scratchFolder(), 'regions.geojson');
  writeFileSync(
    file,
    JSON.stringify({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name: crs } },
      features,
    }),
  );
  return file;
}

const take = (file: string, more: Partial<RegionImport> = {}, signal?: AbortSignal) =>
  importRegions(
    { config, database },
    {
      layer: 'districts',
      file,
      name: 'regions.geojson',
      column: undefined,
      crs: undefined,
      accept: [],
      ...more,
    },
    commandActor,
    signal,
  );

interface Statistics {
  shared: number;
  total: { premises: number };
  regions: { region: string; premises: number }[];
}
async function counts(by = 'districts') {
  const { shared, regions, total } = await staff.json<Statistics>(`/api/staff/premises?by=${by}`);
  expect(regions.reduce((sum, { premises }) => sum + premises, 0)).toBe(total.premises);
  return { shared, ...Object.fromEntries(regions.map(({ region, premises }) => [region, premises])) };
}
type Layers = { layers: { id: number; name: string }[] };
const layers = async () => (await staff.json<Layers>('/api/staff/regions')).layers;

const places = [
  { lat: -37.5, lng: 174.5 },
  { lat: -37.6, lng: 174.2 },
  // On the border of the first two, and where three meet.
  { lat: -37.5, lng: 175 },
  { lat: -37, lng: 175 },
  { lat: -37.5, lng: 175.5 },
  { lat: -45, lng: 170 },
];
const squares: Square[] = [
  ['Beta', 0, 0],
  ['Alpha', 1, 0],
  ['Gamma', 0, 1],
];

test('premises on a border count in the first region by name, and are counted; others in none', async () => {
  await listAddresses(
    database,
    places.map((one, i) => ({ id: `r${i}`, label: '1', road: `Road ${i}`, ...one })),
  );
  await addPremises(database, places);
  expect(await take(fileOf(squares))).toMatchObject({ regions: 3, features: 3, overlap_percent: 0 });
  expect(await counts()).toEqual({ shared: 2, Alpha: 3, Beta: 2, Gamma: 0, '': 1 });
});

test('a file in another reference system has the same regions', async () => {
  const halves: Square[] = [
    ['East', 0, -1.5, 2],
    ['West', -2, -1.5, 2],
  ];
  expect(await take(fileOf(halves, 'EPSG:2193'), { layer: 'halves' })).toMatchObject({
    system: expect.stringMatching(/New Zealand Transverse Mercator/),
  });
  // They meet at 174.7 degrees.
  expect(await counts('halves')).toEqual({ shared: 0, East: 3, West: 2, '': 1 });
});

test('the same layer again replaces it, and areas of one name are one region', async () => {
  const before = await layers();
  expect(
    await take(
      fileOf([
        ['One', 0, 0],
        ['One', 1, 0],
      ]),
    ),
  ).toMatchObject({ regions: 1, features: 2 });
  expect(await counts()).toEqual({ shared: 0, One: 5, '': 1 });
  const after = await layers();
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  const { id } = after.find(({ name }) => name === 'districts') as { id: number };
  const outlines = await staff.json<{ features: object[] }>(`/api/staff/regions/${id}/outlines`);
  expect(outlines.features).toMatchObject([
    { properties: { region: 'One' }, geometry: { type: 'MultiPolygon', coordinates: { length: 2 } } },
  ]);
});

test('what would be guessed is asked instead, and nothing changes', async () => {
  const before = await layers();
  const overlapping = fileOf([
    ['A', 0, 0],
    ['B', 0.5, 0],
  ]);
  await expect(take(overlapping)).rejects.toMatchObject({ code: 'regions_overlap' });
  await expect(
    take(
      fileOf([
        ['A', 0, 0],
        [null, 1, 0],
      ]),
    ),
  ).rejects.toMatchObject({ code: 'regions_unnamed' });
  await expect(take(fileOf(squares, undefined, 'LABEL'))).rejects.toMatchObject({ code: 'regions_column' });
  await expect(take(fileOf(squares), { column: 'CODE' })).rejects.toMatchObject({ code: 'regions_column' });
  await expect(take(fileOf(squares), { layer: 'Town' })).rejects.toMatchObject({ code: 'request_invalid' });
  await expect(take(fileOf([['A', 40, 0]]))).rejects.toMatchObject({ code: 'no_areas' });
  expect(await layers()).toEqual(before);
  expect(await take(fileOf(squares, undefined, 'LABEL'), { column: 'label' })).toMatchObject({
    column: 'LABEL',
  });
  expect(await take(overlapping, { accept: ['overlap'] })).toMatchObject({ regions: 2 });
  // Three are in both.
  expect(await counts()).toMatchObject({ shared: 3, A: 4, B: 1 });
});

test('two imports at once leave one of them, whole', async () => {
  const [one, other] = [fileOf([['One', 0, 0]]), fileOf(squares)];
  await Promise.all([take(one), take(other), take(one), take(other)]);
  const names = Object.keys(await counts()).filter((name) => name !== '' && name !== 'shared');
  expect([['One'], ['Alpha', 'Beta', 'Gamma']]).toContainEqual(names);
});

test('an import that is stopped changes nothing, and each one that ends is in the audit', async () => {
  const before = await layers();
  const stopped = new AbortController();
  const taking = take(fileOf(squares), { layer: 'others' }, stopped.signal);
  stopped.abort(new Error('stopped'));
  await expect(taking).rejects.toThrow('stopped');
  expect(await layers()).toEqual(before);
  const { events } = await staff.json<{ events: object[] }>('/api/staff/audit?limit=1');
  expect(events).toMatchObject([{ action: 'regions_imported', details: { name: 'districts' } }]);
});
