import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { AddressAvailability } from '../../client/schema.ts';
import { sql } from '../../platform/database/sql.ts';
import { today } from '../../platform/nz-time.ts';
import { listAddresses } from '../setup/addresses.ts';
import { expectError, useService } from '../setup/service.ts';

/* Offers at an address with ?explain=1, ?at= and ?nearby=1. */

const service = await useService({ rateLimit: undefined });
await service.ingest(await zippedRectangle(175, -40, 176, -39), { provider: 'Kauri Fibre' });
const { database } = service;
const road = { road: 'Rata Street', suburb: 'Ponsonby', town: 'Auckland' };
await listAddresses(database, [
  // 100 m within what is covered.
  { id: '101', label: '2', ...road, lat: -39.0009005, lng: 175.5 },
  { id: '102', label: '2A', ...road, lat: -39.5, lng: 175.5 },
  { id: '103', label: '6', ...road, road: 'Rata Road', lat: -38.999, lng: 175.5 },
]);
await database.query(sql`insert into address_alias (system, alias, address_id) values ('tlc', '55', '101')`);

const base = '/api/2.0/availability/address';
const byText = (text: string) => `${base}?q=${encodeURIComponent(text)}`;
const ask = async (path: string) => {
  const response = await service.get(path);
  expect(response.status, path).toBe(200);
  return (await response.json()) as AddressAvailability;
};
const rata2 = { id: '101', text: '2 Rata Street, Ponsonby, Auckland', match: 'exact', score: 1 };
const location = { lat: '-39.0009005', lng: '175.5' };
beforeAll(() => vi.waitFor(async () => ask(byText(rata2.text)), { timeout: 60_000 }));

describe('explain, at and nearby are answered as at the position of the address', () => {
  test.each([`${base}/101?`, `${base}/tlc:55?`, `${byText('2 rata st, ponsonby')}&`])('%s', async (path) => {
    const position = `/api/2.0/availability/${location.lat}/${location.lng}?`;
    for (const query of [
      'explain=1',
      `at=${today()}`,
      `at=${today()}&explain=1`,
      'nearby=1',
      'nearby=1&explain=1',
    ]) {
      const { address, ...answer } = await ask(path + query);
      expect(address).toMatchObject({ id: '101', match: 'exact' });
      expect(answer, query).toEqual(await ask(position + query));
    }
    expect((await ask(`${path}nearby=1`)).results[0]?.providers?.[0]).toMatchObject({ edge_m: 100 });
    for (const query of ['explain=2', 'at=2999-01-01', 'nearby=1&at=2026-05-01', 'nearby=1&nearby=1'])
      await expectError(await service.get(path + query), 400);
    expect((await service.get(`${path}at=1999-01-01`)).status).toBe(410);
  });
});
