import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import type { AddressImport, ComparedPremises, Exclusion } from '../../client/schema.ts';
import { listOf, madeStreet } from '../setup/address-lists.ts';
import { client, form, type ShownSubmission, manifest as usual } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* An operator's week, from a file that loses homes to the next one that brings back what was taken back. */

const service = await useService({ publishBlocks: { lostPercent: 5, warnings: [] } });
const staff = await client(service.api.url, service.database);
const kauri = await client(service.api.url, service.database, 'Kauri');

const patience = { timeout: 60_000, interval: 100 };
const automatic = { ...usual, publish: 'auto' };
/** A street of a hundred houses, ten metres apart, from north to south. */
const street = madeStreet(100);
/** The whole street, in a file and in that of another month. */
const whole = () => zippedRectangle(174.4, -36.6, 174.6, -36.4);
const further = () => zippedRectangle(174.4, -36.62, 174.6, -36.4);
/** Its northern nine tenths. */
const shorter = () => zippedRectangle(174.4, -36.50895, 174.6, -36.4);

const coverageOf = ({ datasets }: ShownSubmission) => datasets[0] as ShownSubmission['datasets'][number];
const offersAt = async (lat: number) => {
  const { results } = await service.at(lat.toFixed(5), '174.5');
  return results.flatMap(({ providers = [] }) => providers.map(({ name }) => name));
};

test('a file with a loss is held back, its homes are listed, one is conceded, and later files do not bring it back', async () => {
  // Staff import the addresses; from then on all that is live is counted in homes.
  const first = await kauri.handIn(await whole(), automatic);
  expect(first.status).toBe('published');
  expect(coverageOf(first)).not.toHaveProperty('premises');
  const list = { name: 'addresses.csv', bytes: Buffer.from(listOf(...street)) };
  const sent = await staff.call('/api/staff/address-imports', { method: 'POST', body: form(list, {}) });
  const { id: importId } = (await sent.json()) as AddressImport;
  const state = async () => (await staff.json<AddressImport>(`/api/staff/address-imports/${importId}`)).state;
  await expect.poll(state, patience).toBe('done');
  const counted = await kauri.until(
    first.id,
    (submission) => coverageOf(submission).premises?.state === 'counted',
  );
  expect(coverageOf(counted).premises).toMatchObject({ covered: 100 });

  // Ten of a hundred homes would lose service: nobody publishes that unseen.
  const loss = await kauri.handIn(await shorter(), automatic);
  expect(loss).toMatchObject({ status: 'ready', held_back: true });
  expect(loss.blocking.map(({ code }) => code)).toEqual(['premises_lost']);
  expect(coverageOf(loss).change?.premises).toMatchObject({
    ...{ before: 100, covered: 90, lost: 10 },
    others: { served: 0, unserved: 10 },
  });
  const premises = `/api/operator/submissions/${loss.id}/premises`;
  const [byPlace] = (await kauri.json<ComparedPremises>(premises)).datasets;
  const lost = byPlace?.suburbs?.find(({ change }) => change === 'lost');
  expect(lost?.suburbs).toMatchObject([{ suburb: 'Kōwhai Bay', premises: 10 }]);
  const csv = await (await kauri.call(`${premises}.csv`)).text();
  const lines = parse(csv, { columns: true, bom: true }) as Record<string, string>[];
  expect(new Set(lines.map(({ change, address }) => `${change}: ${address}`))).toEqual(
    new Set(street.slice(90).map(({ number }) => `lost: ${number} Rātā Street, Kōwhai Bay, Tōtara`)),
  );

  // The first house of the street is behind a hill: the operator takes it back, here and for good.
  const conceded = await kauri.json<Exclusion>('/api/operator/exclusions', {
    ...{ address: '1', reason: 'No line of sight behind the hill' },
  });
  const exclusionState = async () =>
    (await kauri.json<Exclusion>(`/api/operator/exclusions/${conceded.id}`)).state;
  await expect.poll(exclusionState, patience).toBe('in_force');
  expect(await offersAt(-36.5)).toEqual([]);
  expect(await offersAt(-36.5002)).toEqual(['Kauri']);

  // The loss is published by who has seen it, now without that house.
  const again = await kauri.until(
    loss.id,
    ({ status, comparing, comparison }) => status === 'ready' && !comparing && comparison !== null,
  );
  expect(again.report?.excluded).toMatchObject([{ exclusion: conceded.id }]);
  expect(coverageOf(again).premises).toMatchObject({ state: 'counted', covered: 88 });
  const { comparison } = again;
  await kauri.json(`/api/operator/submissions/${loss.id}/publish`, { comparison });
  expect(await offersAt(-36.5095)).toEqual([]);

  // Next month's file says the whole street once more.
  const next = await kauri.handIn(await further(), automatic);
  expect(next.status).toBe('published');
  expect(coverageOf(next).change?.premises).toMatchObject({ lost: 0, gained: 10 });
  expect(await offersAt(-36.5095)).toEqual(['Kauri']);
  expect(await offersAt(-36.5)).toEqual([]);
});
