import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { afterEach, expect, test } from 'vitest';
import { type Client, client, type ShownSubmission } from '../setup/operator.ts';
import { useApi, useService } from '../setup/service.ts';
import { placeAt, type TestTower, towerList, writeLandCover, writeTerrain } from '../setup/terrain.ts';

/* A closed tower closes the ground where it serves and no other open tower of the same published coverage does. */

const folder = scratchFolder();
const terrainDir = path.join(folder, 'terrain');
writeTerrain(terrainDir);
const clutterDir = path.join(folder, 'cover');
writeLandCover(clutterDir, (east, north) => ((east + 30_000) % 900 < 300 && north > 0 ? 10 : 30), [
  'class,name,height_m,loss_db',
  '10,trees,20,18',
  '30,grass,0,0',
]);
const service = await useService({ rateLimit: undefined, terrainDir, clutterDir });
const second = await useApi({ config: service.config }, service.database);
const kauri = await client(service.api.url, service.database, 'Kauri Wireless');
const tui = await client(service.api.url, service.database, 'Tui Wireless');

const speeds = [
  {
    dbm: -74,
    bandwidth_min_mbps: 1,
    bandwidth_max_mbps: 50,
    bandwidth_up_min_mbps: 1,
    bandwidth_up_max_mbps: 5,
  },
];
const prediction = { range_km: 3, resolution_m: 100, speeds };
const manifest = { technology: 'wireless', processed_by: 'service', publish: 'auto', prediction };
// In a row, so that the grid of all of them is that of the outer two.
const west: TestTower = { name: 'West', at: [-2600, 0] };
const middle: TestTower = { name: 'Middle', at: [-600, 0] };
const sector: TestTower = { name: 'Middle north', at: [-600, 0], azimuth: 0, beam: 60 };
const east: TestTower = { name: 'East', at: [1400, 0] };

async function publish(who: Client, towers: readonly TestTower[], changes = {}): Promise<ShownSubmission> {
  const { id } = await who.sent(towerList(towers), { ...manifest, ...changes });
  const done = await who.until(id, ({ finished }) => finished);
  expect(done.status).toBe('published');
  return done;
}
await publish(kauri, [west, middle, sector, east]);
// What is there without the tower in the middle.
await publish(tui, [west, east]);

const close = ({ at }: TestTower, more = {}) => {
  const [lat, lng] = Object.values(placeAt(...at));
  return kauri.json<{ id: number }>('/api/operator/stops', {
    tower: { technology: 'wireless', lat, lng },
    ...more,
  });
};
const undo = ({ id }: { id: number }) => kauri.call(`/api/operator/stops/${id}`, { method: 'DELETE' });
type Said = { orderable: boolean; orderable_from: string | null } | undefined;
/** Of each provider at metres from the middle of the terrain. */
async function at(
  place: readonly [number, number],
  url = service.api.url,
): Promise<Record<'kauri' | 'tui', Said>> {
  const { lat, lng } = placeAt(...place);
  const response = await fetch(`${url}/api/2.0/availability/${lat}/${lng}?orderable=1`, {
    headers: { 'x-api-key': service.key },
  });
  expect(response.status).toBe(200);
  const { results } = await response.json();
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  const offers = results.flatMap((one: any) => one.providers ?? []);
  // biome-ignore lint/suspicious/noExplicitAny: JSON
  const of = (name: string) => offers.find((one: any) => one.name === name);
  return { kauri: of('Kauri Wireless'), tui: of('Tui Wireless') };
}
const places = Array.from({ length: 60 * 60 }, (_, i): [number, number] => [
  -5_600 + 173 * (i % 60),
  -3_000 + 101 * Math.floor(i / 60),
]);
/** A few at a time. */
async function everywhere() {
  const found: ({ place: [number, number] } & Awaited<ReturnType<typeof at>>)[] = [];
  for (let from = 0; from < places.length; from += 100)
    found.push(
      ...(await Promise.all(
        places.slice(from, from + 100).map(async (place) => ({ place, ...(await at(place)) })),
      )),
    );
  return found;
}
afterEach(async () => {
  const { stops } = await kauri.json<{ stops: { id: number }[] }>('/api/operator/stops');
  for (const stop of stops) await undo(stop);
});
const closedNow = async (isIt: boolean) => {
  // Nobody else is received so far south of the tower in the middle.
  for (const url of [service.api.url, second.url])
    await expect
      .poll(async () => (await at([-600, -2_700], url)).kauri?.orderable, { timeout: 20_000 })
      .toBe(!isIt);
};

test('the towers of modelled coverage can be closed, each with its antennas', async () => {
  const { coverage } = await kauri.json<{ coverage: { towers: object[] }[] }>('/api/operator/stop-targets');
  expect(coverage[0]?.towers).toMatchObject([
    { name: 'East', antennas: 1 },
    { name: 'Middle, Middle north', antennas: 2 },
    { name: 'West', antennas: 1 },
  ]);
});

test('closed is what is covered with the tower and not without it, with land cover and gaps that modelling joins', async () => {
  const before = await everywhere();
  expect(before.filter(({ kauri }) => kauri && !kauri.orderable)).toEqual([]);
  const stop = await close(middle);
  await closedNow(true);
  const found = await everywhere();
  const counts = { closed: 0, open: 0, wrong: 0 };
  for (const { kauri, tui } of found) {
    if (!kauri) continue;
    counts[kauri.orderable ? 'open' : 'closed']++;
    if (kauri.orderable !== (tui !== undefined)) counts.wrong++;
  }
  expect(counts.closed).toBeGreaterThan(100);
  expect(counts.open).toBeGreaterThan(200);
  expect(counts.wrong).toBe(0);
  // The other operator’s towers are not closed.
  expect(found.filter(({ tui }) => tui && !tui.orderable)).toEqual([]);
  await undo(stop);
  await closedNow(false);
});

test('what several towers serve is closed while all of them are', async () => {
  const stops = [await close(middle, { until: '2099-03-10' })];
  await closedNow(true);
  const open = (await everywhere()).map(({ kauri }) => kauri?.orderable);
  stops.push(await close(west, { until: '2099-03-05' }), await close(east, { until: '2099-03-20' }));
  await expect
    .poll(async () => (await everywhere()).filter(({ kauri }) => kauri?.orderable).length, {
      timeout: 60_000,
    })
    .toBe(0);
  const now = (await everywhere()).map(({ kauri }) => kauri);
  const days = new Set<string | null | undefined>();
  for (const [i, said] of now.entries()) {
    if (!said) continue;
    days.add(said.orderable_from);
    // Where the one in the middle is not alone, another may be back before or after it.
    if (!open[i]) expect(said.orderable_from).toBe('2099-03-11');
  }
  expect([...days].sort()).toEqual(['2099-03-06', '2099-03-11', '2099-03-21']);
  for (const stop of stops) await undo(stop);
  await closedNow(false);
});

test('a stop holds for the tower in a later version, and closes nothing once it is not in the list any more', async () => {
  const stop = await close(middle);
  await closedNow(true);
  await publish(kauri, [west, middle, { ...east, height: 40 }]);
  await closedNow(true);
  await publish(kauri, [west, east], { scope: 'other' });
  expect(await kauri.json('/api/operator/stops')).toMatchObject({ stops: [{ holds: true }] });
  await publish(kauri, [west, { name: 'Elsewhere', at: [-700, 0] }, east]);
  await closedNow(false);
  expect(await kauri.json('/api/operator/stops')).toMatchObject({
    stops: [{ holds: false, tower: { name: 'Middle, Middle north' } }],
  });
  await undo(stop);
});
