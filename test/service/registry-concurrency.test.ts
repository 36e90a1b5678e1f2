import { afterAll, beforeEach, expect, test } from 'vitest';
import { releaseDomains } from '../../registry/release.ts';
import { importLines, useRegistry } from '../setup/registry.ts';

/* The register while several work on it: readers, imports and release-domains. */

const registry = await useRegistry();
/** The database as a second process would open it; the embedded one allows only one. */
const other = registry.database.kind === 'server' ? await registry.place.open() : registry.database;
afterAll(async () => {
  if (other !== registry.database) await other.close();
});
beforeEach(async () => {
  await registry.database.query('truncate domain, released_domain, release_run');
});

const registered = '2015-07-01 12:00:00+12:00';

test('who asks during an import gets the register as it was or as it is then, and nothing in between', async () => {
  const names = 10_000;
  const lines = (letter: string) =>
    Array.from({ length: names }, (_, i) => `${letter}-${i}.nz,${registered},`);
  await importLines(registry.database, lines('old'));
  const asked = ['old-0.nz', 'new-0.nz', `old-${names - 1}.nz`, `new-${names - 1}.nz`];
  const codes = async () => (await registry.check(...asked)).map(({ code }) => code).join(' ');
  const seen: string[] = [];
  let importing = true;
  const asking = (async () => {
    while (importing) seen.push(await codes());
  })();
  const outcome = await importLines(other, lines('new'), { acceptGone: true });
  importing = false;
  await asking;
  expect(outcome).toMatchObject({ summary: { added: names, gone: names } });
  const [before, since] = ['200 220 200 220', '220 200 220 200'];
  // The last answers may be from just after the import.
  const turn = seen.includes(since) ? seen.indexOf(since) : seen.length;
  expect(new Set(seen.slice(0, turn))).toEqual(new Set(turn > 0 ? [before] : []));
  expect(new Set(seen.slice(turn))).toEqual(new Set(turn < seen.length ? [since] : []));
  expect(await codes()).toBe(since);
});

test('an import beside release-domains undoes no release, and no name is released twice', async () => {
  const at = new Date('2024-01-01T00:00:00+13:00');
  const register = [
    ...Array.from({ length: 1500 }, (_, i) => `due-${i}.nz,${registered},2023-02-01 12:00:00+13:00`),
    ...Array.from({ length: 1500 }, (_, i) => `active-${i}.nz,${registered},`),
  ];
  for (let round = 0; round < 4; round++) {
    await registry.database.query('truncate domain, released_domain, release_run');
    await importLines(registry.database, register);
    const runs: Awaited<ReturnType<typeof releaseDomains>>[] = [];
    const release = async () => runs.push(await releaseDomains(other, at, '00:00:00'));
    const again = () => importLines(registry.database, register, { changesOnly: round % 2 === 1 });
    // Either may be the first to get at the register.
    await Promise.all(round < 2 ? [release(), release(), again()] : [again(), release(), release()]);
    expect(runs.filter((run) => run !== undefined)).toEqual([{ scheduledFor: at, released: 1500 }]);
    const { rows } = await registry.database.query(`
      select count(*)::integer as names, count(cancelled)::integer as cancelled,
        (select count(*)::integer from released_domain) as released,
        (select count(distinct name)::integer from released_domain) as distinct
      from domain`);
    expect(rows).toEqual([{ names: 1500, cancelled: 0, released: 1500, distinct: 1500 }]);
  }
});

test.runIf(registry.database.kind === 'server')(
  'a name that is restored while a run releases it is registered again, and who asks waits for no import',
  async () => {
    await importLines(registry.database, [`back.nz,${registered},2023-02-01 12:00:00+13:00`]);
    const waiting = async () =>
      (
        await other.query(`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
      ).rows.length;
    const [run, restored] = await other.transaction(async (connection) => {
      await connection.query(`select from domain where name = 'back.nz' for update`);
      const release = releaseDomains(registry.database, new Date('2024-01-01T00:00:00+13:00'), '00:00:00');
      await expect.poll(waiting).toBe(1);
      const restore = importLines(registry.database, [`back.nz,${registered},`], { changesOnly: true });
      await expect.poll(waiting).toBe(2);
      // They end after this transaction only, so it hands on their promises.
      return [{ ends: release }, { ends: restore }] as const;
    });
    expect(await run.ends).toMatchObject({ released: 1 });
    expect(await restored.ends).toMatchObject({ summary: { added: 1 } });
    expect((await registry.check('back.nz'))[0]?.code).toBe('200');
    const cancelled = await other.transaction(async (connection) => {
      await connection.query(`select from domain where name = 'back.nz' for update`);
      const line = `back.nz,${registered},2023-06-01 12:00:00+12:00`;
      const ends = importLines(registry.database, [line], { changesOnly: true });
      await expect.poll(waiting).toBe(1);
      expect((await registry.check('back.nz'))[0]?.code).toBe('200');
      return { ends };
    });
    expect(await cancelled.ends).toMatchObject({ summary: { cancelled: 1 } });
  },
);

test('the droplist that is asked for during changes is never kept as something newer than it is', async () => {
  // Two readers follow it by its date alone, while names come and go.
  await registry.import([`base.nz,${registered},2023-02-01 12:00:00+13:00`]);
  let changing = true;
  const follow = async () => {
    let kept = { modified: '', text: '' };
    const ask = async () => {
      const response = await registry.get(
        '/1.0/droplist',
        kept.modified ? { 'if-modified-since': kept.modified } : {},
      );
      const text = await response.text();
      if (response.status === 200) kept = { modified: response.headers.get('last-modified') as string, text };
      else expect(response.status).toBe(304);
    };
    while (changing) await ask();
    await ask();
    return kept.text;
  };
  const readers = [follow(), follow()];
  for (let i = 0; i < 12; i++) {
    const line =
      i % 3 === 2 ? `base.nz,${registered},` : `base.nz,${registered},2023-02-0${1 + (i % 3)} 12:00:00+13:00`;
    await importLines(other, [line, `more-${i}.nz,${registered},2023-03-01 12:00:00+13:00`], {
      changesOnly: true,
    });
  }
  changing = false;
  const now = await (await registry.get('/1.0/droplist')).text();
  for (const text of await Promise.all(readers)) expect(text).toBe(now);
});
