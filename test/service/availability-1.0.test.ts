import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import type { Availability1 } from '../../client/schema.ts';
import { useService } from '../setup/service.ts';

/* GET /api/1.0/availability/yx/<y>/<x>?api_key=<key>: docs/specification.md, "Coverage: positions and keys" and "Coverage: answers". */

const speeds = {
  ...{ bandwidth_min_mbps: 50, bandwidth_max_mbps: 300 },
  ...{ bandwidth_up_min_mbps: 10, bandwidth_up_max_mbps: 100 },
};

const service = await useService();
const west = await zippedRectangle(174.7, -36.95, 174.8, -36.85);
const middle = await zippedRectangle(174.8, -36.95, 174.9, -36.85);
const east = await zippedRectangle(174.95, -36.95, 175, -36.85);
const alpha = { name: 'Alpha', url: 'https://alpha.example/', wholesale_network: 'Yes' } as const;
const ends = await service.ingest(west, { provider: alpha, speeds });
const datasets = 'select id from dataset where submission_id = $1';
const { rows } = await service.database.query<{ id: number }>(datasets, [ends.id]);
/** The published dataset of Alpha. */
const alphaDataset = rows[0]?.id as number;
for (const [file, provider, availability, planned_date] of [
  [middle, 'Beta', 'planned', '2027-06-30'],
  [middle, 'Charlie', 'underway', '2027-03-01'],
  [middle, 'Delta', 'underway', '2027-02-01'],
  [east, 'Echo', 'planned', '2028-02-29'],
] as const) {
  await service.ingest(file, { provider, availability, planned_date, speeds });
}
await service.ingest(east, { provider: 'Foxtrot', technology: 'cable', availability: 'underway', speeds });

const address = (y: string, x: string, key = service.key) =>
  `/api/1.0/availability/yx/${y}/${x}?api_key=${key}`;
const ask = (y: string, x: string, key = service.key) => service.get(address(y, x, key), {});

async function at(y: string, x: string): Promise<Availability1> {
  const response = await ask(y, x);
  expect(response.status).toBe(200);
  return (await response.json()) as Availability1;
}

async function technology(y: string, x: string, name: string) {
  return (await at(y, x)).results.find((result) => result.technology === name);
}

test('location lists the longitude first, then the latitude, as the texts of the request', async () => {
  expect((await at('-36.90', '174.750')).location).toEqual(['174.750', '-36.90']);
});

describe('results', () => {
  test('have every field of the document', async () => {
    expect(await technology('-36.9', '174.75', 'Fibre')).toEqual({
      technology: 'Fibre',
      availability: 'Available',
      set_id: 1,
      providers: [{ ...alpha, ...speeds, timing_id: alphaDataset }],
    });
  });
  test('list every technology once, each with the set of its map layer', async () => {
    const technologies = ['Fibre', 'Cable', 'VDSL', 'Wireless', 'ADSL'];
    expect((await at('-45', '170')).results).toEqual(
      technologies.map((name, i) => ({ technology: name, availability: 'Not Available', set_id: i + 1 })),
    );
  });
  test('have the completion, in HTTP-date text, where it is known and to come', async () => {
    expect(await technology('-36.9', '174.85', 'Fibre')).toMatchObject({
      ...{ availability: 'Underway', completion: 'Mon, 01 Feb 2027 00:00:00 GMT' },
      providers: [{ name: 'Charlie' }, { name: 'Delta' }],
    });
    const planned = { availability: 'Planned', completion: 'Tue, 29 Feb 2028 00:00:00 GMT' };
    expect(await technology('-36.9', '174.97', 'Fibre')).toMatchObject(planned);
    expect(await technology('-36.9', '174.97', 'Cable')).not.toHaveProperty('completion');
    expect(await technology('-36.9', '174.75', 'Fibre')).not.toHaveProperty('completion');
  });
});

test.each([
  ['missing', '/api/1.0/availability/yx/-36.9/174.8'],
  ['given twice', `${address('-36.9', '174.8')}&api_key=${service.key}`],
  ['an object', `/api/1.0/availability/yx/-36.9/174.8?api_key[a]=${service.key}`],
  ['unknown, which is looked at before the coordinates', address('north', 'pole', 'nobody')],
])('a key is a 401 that names the scheme where it is %s', async (_, path) => {
  // A key in the header, as version 2.0 has it, does not count.
  const response = await service.get(path);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('ApiKey');
});

test.each([
  ['-48', '170', 'outside the service coverage area'],
  ['1e1', '170', 'not plain decimal numbers'],
])('coordinates that cannot be answered are a 400 that says what is wrong: %j, %j', async (y, x, what) => {
  const response = await ask(y, x);
  expect(await response.json()).toEqual({ code: 400, error: expect.stringContaining(what) });
});

test.each(['-36.9/174.8', '-99/0'])(
  'every answer says that the version is deprecated, and what follows it: %s',
  async (where) => {
    const response = await service.get(`/api/1.0/availability/yx/${where}?api_key=${service.key}`, {});
    const since = Date.parse('2022-02-01T00:00:00+13:00') / 1000;
    expect(response.headers.get('deprecation')).toBe(`@${since}`);
    expect(response.headers.get('link')).toBe(`</api/2.0/availability/${where}>; rel="successor-version"`);
  },
);
