import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { changesHeader, type ListedAddress, listLine } from '@covermap/testing/linz.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { premisesOf } from '../../addresses/premises.ts';
import { archiveSuperseded } from '../../coverage/datasets/archive.ts';
import { readySubmission } from '../../coverage/datasets/load.ts';
import { waitingRows } from '../../coverage/jobs/waiting.ts';
import { readTierPremises } from '../../coverage/premises/counted.ts';
import { numbersOf } from '../../coverage/premises/premises-set.ts';
import { countPremises } from '../../coverage/premises/recount.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { keptScratch } from '../../platform/scratch.ts';
import { importAddresses, listOf, madeAddress, madeStreet } from '../setup/address-lists.ts';
import { loadAlone } from '../setup/load-alone.ts';
import { coveredBySql } from '../setup/premises.ts';
import { useDatabase } from '../setup/service.ts';

/* Premises: numbered by imports of addresses, counted while coverage is read, and again after the next import. */

const { place, database } = await useDatabase();
const parts = { config: place.config, database };
const folder = scratchFolder();
const scratch = keptScratch(place.config);

beforeEach(async () => {
  await database.query(`
    truncate address, street, address_gone, address_alias, premises;
    update address_list set version = 0, is_empty = true, premises_version = 0, next_premises = 0;
    update dataset set state = 'withdrawn', published_at = null;
    truncate coverage, coverage_archive`);
});

const importList = (content: string, options = {}) => importAddresses(parts, content, options);
const changesOf = (...lines: [word: string, address: ListedAddress][]): string =>
  changesHeader + lines.map(([word, address]) => `${word},${listLine(address)}`).join('');
const at = (id: number, lng: number, lat = -36.5) => madeAddress({ id, number: id, lng, lat });

/** The places of the premises, by number. */
async function numbered(): Promise<Record<number, [lng: number, lat: number]>> {
  const all = await premisesOf(
    database,
    Array.from({ length: 100 }, (_, i) => i),
  );
  return Object.fromEntries(all.map(({ number, lng, lat }) => [number, [lng, lat]]));
}
const version = async () =>
  (await database.query<{ premises_version: number }>('select premises_version from address_list')).rows[0]
    ?.premises_version;

/** Loads a rectangle, 0.1 degrees high. @returns its dataset */
async function load(west: number, east: number) {
  const { name, bytes } = await zippedRectangle(west, -36.55, east, -36.45);
  const file = path.join(folder, name);
  writeFileSync(file, bytes);
  const { id, report, areas, premises } = await loadAlone(place, database, file, {});
  await readySubmission(database, id, areas, report, premises);
  return { dataset: [...areas.keys()][0] as number, report };
}
/** The numbers that a dataset's tier covers, as they are stored; undefined: it is being counted. */
const covered = async (dataset: number) =>
  (await readTierPremises(database, [dataset]))?.flatMap(({ set }) => [...numbersOf(set)]);
const bySql = async (dataset: number) => [...(await coveredBySql(database, dataset)).values()].flat();
const waiting = async () => (await waitingRows(database, 'count-premises')).map(({ id }) => Number(id));
const setState = (dataset: number, state: string) =>
  database.query(sql`
    update dataset set state = ${state}, published_at = now(),
      superseded_at = case when ${state} = 'superseded' then now() end
    where id = ${dataset}`);

describe('an import of addresses', () => {
  test('numbers places along bands of latitude; units of a house share one', async () => {
    const units = [1, 2].map((id) => madeAddress({ id, number: 3, unit: String(id), lng: 174.9 }));
    const { premises } = await importList(
      listOf(...units, at(3, 174.1), at(4, 175.5, -36.7), at(5, 174.2, -36.501)),
    );
    expect(premises).toBe(4);
    expect(await numbered()).toEqual({
      ...{ 0: [175.5, -36.7], 1: [174.1, -36.5], 2: [174.2, -36.501], 3: [174.9, -36.5] },
    });
  });

  test('leaves known places their numbers, and gives those that are gone to none', async () => {
    await importList(listOf(at(1, 174.1), at(2, 174.2), at(3, 174.3), at(4, 174.4)));
    const first = await version();
    const { premises } = await importList(
      changesOf(
        ['DELETE', at(4, 174.4)],
        // It moves to a place that is known, and another one to one that is not.
        ['UPDATE', at(1, 174.2)],
        ['UPDATE', at(3, 174.35)],
        ['INSERT', at(5, 174.05)],
      ),
    );
    expect(premises).toBe(3);
    expect(await numbered()).toEqual({ 1: [174.2, -36.5], 4: [174.05, -36.5], 5: [174.35, -36.5] });
    expect(await version()).toBeGreaterThan(first as number);
    // The highest number is free again, and is not given again.
    await importList(changesOf(['UPDATE', at(3, 174.36)]));
    expect(await numbered()).toEqual({ 1: [174.2, -36.5], 4: [174.05, -36.5], 6: [174.36, -36.5] });
  });

  test('without other places leaves their version, and a rehearsal takes no numbers', async () => {
    const list = listOf(...madeStreet(20));
    await importList(list);
    const first = await version();
    await importList(list.replaceAll('Kōwhai Bay', 'Rimu Bay'));
    expect(await version()).toBe(first);
    await importList(changesOf(['INSERT', at(50, 174.7)]), { dry_run: true });
    expect(await version()).toBe(first);
    await importList(changesOf(['INSERT', at(50, 174.7)]));
    expect((await numbered())[20]).toEqual([174.7, -36.5]);
  });
});

describe('a version', () => {
  test('says how many premises it covers where there are addresses, and nothing of them where there are none', async () => {
    const { dataset, report } = await load(174, 174.25);
    expect(JSON.stringify(report)).not.toMatch(/premises/i);
    expect(await waiting()).toEqual([]);
    expect(readdirSync(place.config.dataDir)).not.toContain('scratch');
    await importList(listOf(at(1, 174.1), at(2, 174.2), at(3, 174.25), at(4, 174.2500001), at(5, 174.4)));
    const other = await load(174.15, 174.25);
    expect(other.report).toMatchObject({ premises: 2, tiers: [{ premises: 2 }] });
    expect(other.report.text).toContainEqual(expect.stringMatching(/^Area [\d.,]+ km2, 2 premises$/));
    expect(await covered(other.dataset)).toEqual([1, 2]);
    expect(await waiting()).toEqual([dataset]);
  });

  test('is counted again after an import: what is published first, then what may be, then what is kept', async () => {
    await importList(listOf(at(1, 174.1), at(2, 174.2)));
    const datasets = [];
    for (const east of [174.15, 174.25, 174.35]) datasets.push((await load(174, east)).dataset);
    const [superseded, ready, published] = datasets as [number, number, number];
    await setState(superseded, 'superseded');
    await setState(published, 'published');
    expect(await waiting()).toEqual([]);
    await importList(
      changesOf(['INSERT', at(3, 174.05)], ['DELETE', at(1, 174.1)], ['INSERT', at(4, 174.3)]),
    );
    // Nothing half counted is shown as counted.
    for (const dataset of datasets) expect(await covered(dataset)).toBeUndefined();
    expect(await waiting()).toEqual([published, ready, superseded]);
    for (const dataset of await waiting()) await countPremises(database, scratch, dataset);
    expect(await waiting()).toEqual([]);
    for (const dataset of datasets) expect(await covered(dataset)).toEqual(await bySql(dataset));
    expect(await covered(published)).toEqual([1, 2, 3]);
  });

  test('whose rows are archived, restored or archived again while it is counted misses none', async () => {
    await importList(listOf(at(1, 174.1), at(2, 174.2)));
    const { dataset } = await load(174, 174.15);
    await setState(dataset, 'superseded');
    await database.query(sql`update dataset set premises_version = null where id = ${dataset}`);
    let moved = false;
    const moving = watched(async (text) => {
      // The rows are listed, and gone when they are read.
      if (moved || !text.includes('ctid = any')) return;
      moved = true;
      await archiveSuperseded(database, dataset, 5);
    });
    await countPremises(moving, scratch, dataset);
    expect(moved).toBe(true);
    expect(await covered(dataset)).toEqual([0]);
  });

  test.each([
    [
      'its rows are removed',
      (id: number) => sql`update dataset set rows_removed_at = now() where id = ${id}`,
    ],
    ['it is withdrawn', (id: number) => sql`update dataset set state = 'withdrawn' where id = ${id}`],
    ['addresses are imported', () => sql`update address_list set premises_version = premises_version + 1`],
  ])('is not counted where meanwhile %s', async (_, change) => {
    await importList(listOf(at(1, 174.1)));
    const { dataset } = await load(174, 174.15);
    await setState(dataset, 'superseded');
    await database.query(sql`update dataset set premises_version = null where id = ${dataset}`);
    const changing = watched(async (text) => {
      if (text.includes('ctid = any')) await database.query(change(dataset));
    });
    await countPremises(changing, scratch, dataset);
    const { rows } = await database.query(sql`select premises_version from dataset where id = ${dataset}`);
    expect(rows).toEqual([{ premises_version: null }]);
  });

  test('shows nothing once the list is empty again', async () => {
    await importList(listOf(at(1, 174.1), at(2, 174.2)));
    const { dataset } = await load(174, 174.15);
    await importList(changesOf(['DELETE', at(1, 174.1)], ['DELETE', at(2, 174.2)]));
    expect(await version()).toBe(0);
    expect(await covered(dataset)).toBeUndefined();
    expect(await waiting()).toEqual([]);
    expect((await database.query('select from tier_premises')).rowCount).toBe(0);
    // Numbers and versions go on, so that nothing kept elsewhere is taken for this.
    await importList(listOf(at(3, 174.1)));
    expect(await numbered()).toEqual({ 2: [174.1, -36.5] });
    expect(await waiting()).toEqual([dataset]);
  });

  test('that is removed beyond the kept ones leaves no premises', async () => {
    await importList(listOf(at(1, 174.1)));
    const { dataset } = await load(174, 174.15);
    await setState(dataset, 'superseded');
    await database.query(sql`
      insert into premises_change (dataset_id, change, premises, speeds, suburbs) values (${dataset}, 'lost', '', '', '[]')`);
    await archiveSuperseded(database, dataset, 0);
    const { rows } = await database.query(sql`
      select premises_version, (select count(*) from tier_premises p join tier t on t.id = p.tier_id where t.dataset_id = ${dataset}) as sets,
        (select count(*) from premises_change where dataset_id = ${dataset}) as changes
      from dataset where id = ${dataset}`);
    expect(rows).toEqual([{ premises_version: null, sets: 0, changes: 0 }]);
  });
});

/** The database, with something done before each statement. */
function watched(before: (text: string) => Promise<unknown>): Database {
  const query: Database['query'] = async (statement, values) => {
    await before(typeof statement === 'string' ? statement : statement.text);
    return database.query(statement, values);
  };
  return {
    ...database,
    kind: database.kind,
    query,
    transaction: (...given) => database.transaction(...given),
  };
}
