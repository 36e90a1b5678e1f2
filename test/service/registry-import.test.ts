import { beforeEach, describe, expect, test } from 'vitest';
import { importRegister } from '../../registry/import.ts';
import { releaseDomains } from '../../registry/release.ts';
import { gate } from '../setup/gate.ts';
import { importLines } from '../setup/registry.ts';
import { useDatabase } from '../setup/service.ts';

/* The register out of the exports of the provisioning system. */

const { database } = await useDatabase();
beforeEach(async () => {
  await database.query('truncate domain, released_domain, release_run, register_import');
});

const t0 = '2020-01-01T00:00:00Z';
const ago = (days: number) =>
  new Date(Math.floor(Date.now() / 1000) * 1000 - days * 86_400_000).toISOString();

const options = { changesOnly: false, acceptGone: false, onProgress: () => undefined };
const counts = { added: 0, cancelled: 0, changed: 0, unchanged: 0, released_before: 0, gone: 0 };
const imported = (summary: Partial<typeof counts>) => ({
  state: 'imported',
  summary: { ...counts, ...summary },
});

async function register(): Promise<Record<string, string>> {
  const { rows } = await database.query<{ name: string; state: string }>(`
    select name, case when cancelled is null then 'active' else 'cancelled' end as state from domain order by name`);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}

test('a whole register replaces the known one, and gives a summary', async () => {
  const whole = [`a.nz,${t0},`, `b.nz,${t0},`, `c.nz,${t0},${ago(3)}`, `d.nz,${t0},`];
  expect(await importLines(database, whole)).toEqual(imported({ added: 4 }));
  expect(
    await importLines(database, [
      `B.nz.,${t0},${ago(1)}`, // cancelled
      `c.nz,${t0},`, // restored
      `d.nz,2021-01-01T00:00:00Z,`, // another date
      `māori.co.nz,${t0},`, // new
      `e.nz,${t0},${ago(2)}`, // new, and cancelled already
    ]),
  ).toEqual(imported({ added: 2, cancelled: 1, changed: 2, gone: 1 }));
  expect(await register()).toEqual({
    'b.nz': 'cancelled',
    'c.nz': 'active',
    'd.nz': 'active',
    'e.nz': 'cancelled',
    'xn--mori-qsa.co.nz': 'active',
  });
});

test('changes leave alone what they do not have', async () => {
  await importLines(database, [`a.nz,${t0},`, `b.nz,${t0},`]);
  await database.query('truncate register_import');
  expect(await importLines(database, [`b.nz,${t0},${ago(1)}`, `c.nz,${t0},`], { changesOnly: true })).toEqual(
    imported({ added: 1, cancelled: 1 }),
  );
  expect(await register()).toEqual({ 'a.nz': 'active', 'b.nz': 'cancelled', 'c.nz': 'active' });
  expect(await importLines(database, [], { changesOnly: true })).toEqual(imported({}));
  // Each import is recorded with its summary.
  const { rows } = await database.query(
    'select file_name, changes_only, summary from register_import order by id',
  );
  const recorded = { file_name: 'test.csv', changes_only: true };
  expect(rows).toEqual([
    { ...recorded, summary: { ...counts, added: 1, cancelled: 1 } },
    { ...recorded, summary: counts },
  ]);
});

test('of several changes to a name in one file the last counts', async () => {
  await importLines(database, [`again.nz,${t0},`]);
  const cancelled = ago(5);
  const lines = [
    `again.nz,${t0},${ago(20)}`,
    `other.nz,${t0},`,
    `AGAIN.nz,${t0},`,
    `again.nz.,${t0},${cancelled}`,
  ];
  expect(await importLines(database, lines, { changesOnly: true })).toEqual(
    imported({ added: 1, cancelled: 1 }),
  );
  const { rows } = await database.query(`select cancelled from domain where name = 'again.nz'`);
  expect(rows).toEqual([{ cancelled: new Date(cancelled) }]);
});

describe('what release-domains has released', () => {
  const cancelled = ago(120);
  beforeEach(async () => {
    await importLines(database, [`gone.nz,${t0},${cancelled}`, `stays.nz,${t0},`]);
    expect(await releaseDomains(database, new Date(), '00:00:00')).toMatchObject({ released: 1 });
  });

  test('stays released where the export is older than the release', async () => {
    expect(await importLines(database, [`gone.nz,${t0},${cancelled}`, `stays.nz,${t0},`])).toEqual(
      imported({ released_before: 1, unchanged: 1 }),
    );
    expect(await register()).toEqual({ 'stays.nz': 'active' });
    // One that says of the same registration that it was restored is newer.
    expect(await importLines(database, [`gone.nz,${t0},`, `stays.nz,${t0},`])).toEqual(
      imported({ added: 1, unchanged: 1 }),
    );
  });
  test('can be registered again, cancelled and released once more: the history has both', async () => {
    const again = (line: string) => importLines(database, [line], { changesOnly: true });
    expect(await again(`gone.nz,${ago(110)},`)).toEqual(imported({ added: 1 }));
    expect(await register()).toEqual({ 'gone.nz': 'active', 'stays.nz': 'active' });
    const later = ago(100);
    await again(`gone.nz,${ago(110)},${later}`);
    const tomorrow = new Date(Date.now() + 86_400_000);
    expect(await releaseDomains(database, tomorrow, '00:00:00')).toMatchObject({ released: 1 });
    const { rows } = await database.query('select name, cancelled from released_domain order by cancelled');
    expect(rows).toEqual([cancelled, later].map((time) => ({ name: 'gone.nz', cancelled: new Date(time) })));
  });
});

describe('a file with lines that are wrong', () => {
  test('changes nothing, and reports every line with its number', async () => {
    await importLines(database, [`a.nz,${t0},`]);
    const recorded = () => database.query('select id from register_import');
    const { rows: before } = await recorded();
    const lines = [`new.nz,${t0},`, `bad_name.nz,${t0},`, `new.com,${t0},`, `NEW.nz.,${t0},`];
    expect(await importLines(database, lines)).toEqual({
      state: 'refused',
      faultsTotal: 3,
      faults: [
        { line: 3, message: '"bad_name.nz" has characters that no name has' },
        { line: 4, message: '"new.com" is not right under a managed zone' },
        { line: 5, message: '"new.nz" is on line 2 already' },
      ],
    });
    expect(await register()).toEqual({ 'a.nz': 'active' });
    expect((await recorded()).rows).toEqual(before);
  });
  test('lists some of many faults, and counts all', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `bad_${i}.nz,${t0},`);
    const outcome = await importLines(database, lines);
    expect(outcome).toMatchObject({ state: 'refused', faultsTotal: 3000 });
    const listed = Array.from({ length: 50 }, (_, i) => i + 2);
    expect(outcome.state === 'refused' && outcome.faults.map(({ line }) => line)).toEqual(listed);
  });
});

test('a file that breaks off while it is read changes nothing, and the next one can be imported', async () => {
  await importLines(database, [`a.nz,${t0},`]);
  const chunks = (async function* () {
    yield Buffer.from(`domain,registered,cancelled\nb.nz,${t0},\n`);
    throw new Error('the disk is gone');
  })();
  await expect(importRegister(database, { name: 'x', size: 1, chunks }, options)).rejects.toThrow(
    'the disk is gone',
  );
  expect(await register()).toEqual({ 'a.nz': 'active' });
  expect(await importLines(database, [`b.nz,${t0},`])).toEqual(imported({ added: 1, gone: 1 }));
});

test('one import at a time: another is refused', async () => {
  const [begun, rest] = [gate(), gate()];
  const chunks = (async function* () {
    yield Buffer.from('domain,registered,cancelled\n');
    begun.open();
    await rest.opened;
    yield Buffer.from(`slow.nz,${t0},\n`);
  })();
  const slow = importRegister(database, { name: 'slow', size: 1, chunks }, options);
  await begun.opened;
  await expect(importLines(database, [`fast.nz,${t0},`])).rejects.toMatchObject({ code: 'import_running' });
  // Lookups do not wait for a file that comes slowly.
  expect(await register()).toEqual({});
  rest.open();
  expect(await slow).toEqual(imported({ added: 1 }));
});

test('a register of many names is applied in steps, each name once', async () => {
  const names = Array.from({ length: 25_000 }, (_, i) => `name-${(i * 7919) % 25_000}.co.nz`);
  const seen: number[] = [];
  const onProgress = ({ step, done, total }: { step: string; done: number; total: number }) => {
    expect(done).toBeLessThanOrEqual(total);
    if (step === 'applying') seen.push(done);
  };
  const lines = names.map((name) => `${name},${t0},`);
  expect(await importLines(database, lines, { onProgress })).toEqual(imported({ added: 25_000 }));
  expect(seen.at(-1)).toBe(25_001);
  expect(seen).toHaveLength(database.kind === 'server' ? 1 : 2);
  const half = names.slice(0, 15_000).map((name, i) => `${name},${t0},${i % 10 === 0 ? ago(1) : ''}`);
  // A file that lacks two fifths was cut short.
  await expect(importLines(database, half, { acceptGone: false })).rejects.toMatchObject({
    code: 'register_shrinks',
    message: expect.stringContaining('10000 of the 25000'),
  });
  expect(Object.keys(await register())).toHaveLength(25_000);
  expect(await importLines(database, half, { acceptGone: true })).toEqual(
    imported({ cancelled: 1500, unchanged: 13_500, gone: 10_000 }),
  );
});

test.each([
  [20, 17, 'refused'],
  [20, 18, 'imported'],
  [20, 3, 'refused'],
  [20, 0, 'unreadable'],
  [40, 36, 'imported'],
  [40, 35, 'refused'],
  [2, 1, 'imported'],
  [3, 1, 'imported'],
])('of %i known names, a whole register of %i is %s', async (known, named, outcome) => {
  const names = Array.from({ length: known }, (_, i) => `n${i}.nz,${t0},`);
  await importLines(database, names);
  const importing = importLines(database, names.slice(0, named), { acceptGone: false }).then(
    ({ state }) => state,
    ({ code }: { code: string }) =>
      ({ register_shrinks: 'refused', register_unreadable: 'unreadable' })[code],
  );
  expect(await importing).toBe(outcome);
  const left = outcome === 'imported' ? named : known;
  expect(Object.keys(await register())).toHaveLength(left);
});

test('a rehearsed import says what it would change, changes nothing, and is refused as the import would be', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `d${i}.nz,${t0},`);
  await importLines(database, names);
  const before = await register();
  const audited = async () =>
    (await database.query(`select from audit_event where action = 'register_imported'`)).rows.length;
  const entries = await audited();
  const next = [...names.slice(2), `new.nz,${t0},`];
  const rehearsed = await importLines(database, next, { acceptGone: false, dryRun: true });
  expect(rehearsed).toEqual({ ...imported({ added: 1, unchanged: 18, gone: 2 }), state: 'rehearsed' });
  await expect(
    importLines(database, names.slice(9), { acceptGone: false, dryRun: true }),
  ).rejects.toMatchObject({ code: 'register_shrinks' });
  expect(await register()).toEqual(before);
  expect(await audited()).toBe(entries);
});

test('a whole register without names is none', async () => {
  await expect(importLines(database, [])).rejects.toMatchObject({ code: 'register_unreadable' });
});
