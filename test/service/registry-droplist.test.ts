import { beforeEach, describe, expect, test } from 'vitest';
import { nextRunSql, timeTextSql } from '../../platform/database/nz-time.ts';
import { type DroplistEntry, readDroplist } from '../../registry/droplist.ts';
import { releaseDomains } from '../../registry/release.ts';
import { windowEndSql } from '../../registry/schedule.ts';
import { fakeTime } from '../setup/fake-time.ts';
import { type Entry, useRegistry } from '../setup/registry.ts';
import { useApi } from '../setup/service.ts';

/* GET /1.0/droplist: every row of docs/specification.md, "Registry: droplist and releases". */

/** The API's clock; undefined: the real time. */
let clock: Date | undefined;
const parts = { now: () => clock ?? new Date() };

const registry = await useRegistry({}, undefined, parts);
beforeEach(async () => {
  clock = undefined;
  await registry.database.query('truncate domain, released_domain, release_run');
});

const midnight = '00:00:00';
const registered = '2015-07-01 12:00:00+12:00';
const hours = (count: number) => count * 3_600_000;
/** A time as it is imported. @param before hours before now */
const ago = (before: number) => new Date(Date.now() - hours(before)).toISOString();
const at = async (time: string, releaseTime = midnight) =>
  (await readDroplist(registry.database, new Date(time), releaseTime)).entries;

test('the dates of an entry are in New Zealand time, whatever zone they came in', async () => {
  await registry.import(['dated.nz,2014-12-31T20:00:00.5-08:00,2023-07-31 17:00:00-07:00']);
  expect(await at('2023-10-29T00:00:00Z')).toEqual([
    {
      domain: 'dated.nz',
      registered: '2015-01-01 17:00:00+13:00',
      cancel_date: '2023-08-01 12:00:00+12:00',
      release_date: '2023-10-30 12:00:00+13:00',
      drop_date: '2023-10-31 00:00:34+13:00',
    },
  ]);
  const [late] = await at('2023-10-29T00:00:00Z', '03:30:00');
  expect(late?.drop_date).toBe('2023-10-31 03:30:34+13:00');
});

test('the dates of any names are those of the calendar in New Zealand', async () => {
  const minute = 60_000;
  /** The peer: the time zones that Node has. Milliseconds that New Zealand is ahead of UTC. */
  const zone = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Auckland', timeZoneName: 'longOffset' });
  const offsetAt = (instant: number) => {
    const name = zone.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, hour, minutes] = /GMT\+(\d\d):(\d\d)/.exec(name) ?? [];
    return (Number(hour) * 60 + Number(minutes)) * minute;
  };
  const parse = (text: string) => {
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+\d\d:\d\d$/);
    const instant = Date.parse(text.replace(' ', 'T'));
    const local = Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`);
    expect(local - instant, `the offset of ${text}`).toBe(offsetAt(instant));
    return { instant, local };
  };
  const from = Date.parse('2008-01-01T00:00:00Z');
  // Hours around each change of the clocks 90 days later, and any second at all.
  const cancellations = [
    ...Array.from({ length: 300 }, (_, i) => from + Math.floor((i + Math.random()) * 22 * 86_400) * 1000),
    ...Array.from({ length: 48 }, (_, i) => Date.parse('2023-06-25T00:00:00Z') + i * 30 * minute),
    ...Array.from({ length: 48 }, (_, i) => Date.parse('2023-01-01T00:00:00Z') + i * 30 * minute),
  ];
  await registry.import(
    cancellations.map((time, i) => `name-${i}.nz,2000-01-01T00:00:00Z,${new Date(time).toISOString()}`),
  );
  const { rows: entries } = await registry.database.query<DroplistEntry & { later_drop_date: string }>(
    `select name as domain, ${timeTextSql('cancelled')} as cancel_date, ${timeTextSql('release_date')} as release_date,
       ${timeTextSql(windowEndSql(nextRunSql('release_date', '$1')))} as drop_date,
       ${timeTextSql(windowEndSql(nextRunSql('release_date', '$2')))} as later_drop_date from domain`,
    [midnight, '03:30:00'],
  );
  expect(entries).toHaveLength(cancellations.length);
  const day = 24 * 60 * minute;
  for (const entry of entries) {
    const cancelled = parse(entry.cancel_date);
    expect(cancelled.instant).toBe(cancellations[Number(/\d+/.exec(entry.domain))]);
    const release = parse(entry.release_date);
    const wanted = cancelled.local + 90 * day;
    // The hour that the clocks skip does not exist: an hour later.
    const exists = [12, 13].some((hours) => offsetAt(wanted - hours * 60 * minute) === hours * 60 * minute);
    expect(release.local, entry.domain).toBe(wanted + (exists ? 0 : 60 * minute));
    for (const [drop, time] of [
      [entry.drop_date, 0],
      [entry.later_drop_date, 210 * minute],
    ] as const)
      expect(parse(drop).local).toBe((Math.floor((release.local - time) / day) + 1) * day + time + 34_000);
  }
});

describe('the list', () => {
  test('has the names whose release date is at most two days ahead, to the second', async () => {
    await registry.import([`edge.nz,${registered},2023-05-01 12:00:00+12:00`, `active.nz,${registered},`]);
    expect(await at('2023-07-28T12:00:00+12:00')).toHaveLength(1);
    expect(await at('2023-07-28T11:59:59+12:00')).toEqual([]);
    // A name whose date is over stays until it is released.
    expect(await at('2023-09-01T00:00:00Z')).toHaveLength(1);
    await releaseDomains(registry.database, new Date('2023-07-30T12:00:01Z'), midnight);
    expect(await at('2023-09-01T00:00:00Z')).toEqual([]);
  });
  test('is by drop date, then by name', async () => {
    await registry.import([
      `c.nz,${registered},2023-05-01 12:00:00+12:00`,
      `b.co.nz,${registered},2023-05-02 12:00:00+12:00`,
      `ā.nz,${registered},2023-05-01 09:00:00+12:00`,
      `a.nz,${registered},2023-05-02 11:00:00+12:00`,
      `b.nz,${registered},2023-05-01 18:00:00+12:00`,
    ]);
    const names = (await at('2023-07-30T12:00:00+12:00')).map(({ domain }) => domain);
    expect(names).toEqual(['b.nz', 'c.nz', 'xn--yda.nz', 'a.nz', 'b.co.nz']);
  });
});

describe('the window of a run', () => {
  const cancelled = '2023-05-01 12:00:00+12:00';
  /** An instant on the day of the run that releases the name: so many ms after its midnight. */
  const into = (ms: number) => new Date(Date.parse('2023-07-31T00:00:00+12:00') + ms);
  const due = () =>
    registry.import([`due.nz,${registered},${cancelled}`, `next.nz,${registered},2023-05-02 12:00:00+12:00`]);
  /** Sets the last change, which has the time of the database's clock, to long ago. */
  const settle = () =>
    registry.database.query(`update droplist_state set modified_at = '2023-01-01 00:00:00+00'`);
  const ask = async (url: string, ms: number, since?: string) => {
    clock = into(ms);
    const [name] = (await (await fetch(`${url}/1.0/availability?domains=due.nz`)).json()) as [Entry];
    const list = await fetch(`${url}/1.0/droplist`, { headers: since ? { 'if-modified-since': since } : {} });
    const entries: DroplistEntry[] = list.status === 304 ? [] : await list.json();
    return {
      code: name.code,
      status: list.status,
      drops: entries.map(({ domain, drop_date }) => `${domain} ${drop_date}`),
      modified: list.headers.get('last-modified') as string,
    };
  };
  const ofNextRun = ['due.nz 2023-08-01 00:00:34+12:00', 'next.nz 2023-08-01 00:00:34+12:00'];
  const both = ['due.nz 2023-07-31 00:00:34+12:00', 'next.nz 2023-08-01 00:00:34+12:00'];

  test('ends at 00:00:34: until then a released name is pending and on the list, in every process', async () => {
    await due();
    expect((await releaseDomains(registry.database, into(0), midnight))?.released).toBe(1);
    await settle();
    const other = await useApi(registry, registry.database, undefined, parts);
    for (const { url } of [registry.api, other]) {
      expect(await ask(url, 0)).toMatchObject({ code: '210', drops: both });
      const last = await ask(url, 33_999);
      expect(last).toMatchObject({ code: '210', drops: both });
      expect((await ask(url, 33_999, last.modified)).status).toBe(304);
      // No row changes, and the list does.
      const after = await ask(url, 34_000, last.modified);
      expect(after).toMatchObject({ code: '220', status: 200, drops: both.slice(1) });
      expect(new Date(after.modified)).toEqual(into(34_000));
      expect((await ask(url, 34_500, after.modified)).status).toBe(304);
    }
  });
  test.each<[string, number, string]>([
    ['within it, names stay until its end', 20_000, '210'],
    ['after it, names are available at once', 10 * 3_600_000, '220'],
  ])('of a run that is late: %s', async (_, ranAt, code) => {
    await due();
    await releaseDomains(registry.database, into(ranAt), midnight);
    await settle();
    expect((await ask(registry.api.url, ranAt)).code).toBe(code);
    expect((await ask(registry.api.url, Math.max(ranAt, 34_000))).code).toBe('220');
  });
  test.each([
    ['the clocks are put forward that day', '2023-09-24T00:00:00+12:00', midnight],
    ['the clocks were put forward an hour before', '2023-09-24T03:00:00+13:00', '03:00:00'],
    ['the clocks are put back that day', '2023-04-02T00:00:00+13:00', midnight],
    ['the clocks were put back an hour before', '2023-04-02T03:00:00+12:00', '03:00:00'],
  ])('is 34 seconds where %s', async (_, run, releaseTime) => {
    await registry.import([`due.nz,${registered},2022-12-01T00:00:00Z`]);
    const later = (ms: number) => new Date(Date.parse(run) + ms);
    expect(await releaseDomains(registry.database, later(0), releaseTime)).toEqual({
      scheduledFor: later(0),
      released: 1,
    });
    const listed = async (ms: number) =>
      (await readDroplist(registry.database, later(ms), releaseTime)).entries;
    const drops = (await listed(33_999)).map((entry) => Date.parse(entry.drop_date.replace(' ', 'T')));
    expect(drops).toEqual([later(34_000).getTime()]);
    expect(await listed(34_000)).toEqual([]);
  });
  test('who registers a name in it has the name, and the list says so', async () => {
    await due();
    await releaseDomains(registry.database, into(0), midnight);
    await settle();
    const before = await ask(registry.api.url, 10_000);
    await registry.import([`due.nz,2023-07-31T00:00:05+12:00,`], { changesOnly: true });
    const after = await ask(registry.api.url, 10_000);
    expect([before.code, before.drops, after.code, after.drops]).toEqual(['210', both, '200', both.slice(1)]);
  });
  test('a drop date is never in the past: a name that comes after the run has the next', async () => {
    await releaseDomains(registry.database, into(0), midnight);
    await due();
    for (const ms of [5_000, 60_000]) {
      expect((await ask(registry.api.url, ms)).drops).toEqual(ofNextRun);
    }
  });
  test('where the run was missed, names have the next run when it ends, and cached lists are stale', async () => {
    await due();
    await settle();
    const before = await ask(registry.api.url, 33_999);
    expect(before).toMatchObject({ code: '210', drops: both });
    const after = await ask(registry.api.url, 34_000, before.modified);
    expect(after).toMatchObject({ code: '210', drops: ofNextRun });
    expect(new Date(after.modified)).toEqual(into(34_000));
    expect((await ask(registry.api.url, 60_000, after.modified)).status).toBe(304);
  });
});

describe('the headers', () => {
  const ask = async (headers: Record<string, string> = {}) => {
    const response = await registry.get('/1.0/droplist', headers);
    return {
      status: response.status,
      modified: response.headers.get('last-modified') ?? '',
      etag: response.headers.get('etag') ?? '',
      text: await response.text(),
      headers: response.headers,
    };
  };
  const imported = [`one.nz,${registered},2023-05-01 12:00:00+12:00`, `two.nz,${registered},`];
  /** As if the last change was an hour ago, and not in the second of now. */
  const settle = () =>
    registry.database.query(`
      update droplist_state set modified_at = date_trunc('second', now() - interval '1 hour')`);
  beforeEach(async () => {
    await registry.import(imported);
    await settle();
  });

  test('of a list confirm it to who has its date or its tag, but let no page of another origin read it', async () => {
    const { headers, ...first } = await ask();
    // Access goes by address alone: pages that are open in a registrar's network must not read the list.
    expect(headers.get('access-control-allow-origin')).toBeNull();
    for (const known of [{ 'if-modified-since': first.modified }, { 'if-none-match': first.etag }]) {
      expect(await ask(known as Record<string, string>)).toMatchObject({ ...first, status: 304, text: '' });
    }
  });
  const imports = (line: string) => () => registry.import([line], { changesOnly: true });
  const releasesAt = (time: number) => () => releaseDomains(registry.database, new Date(time), midnight);
  test.each<[string, () => Promise<unknown>, boolean]>([
    ['an import that changes nothing', () => registry.import(imported), false],
    ['an import of names that are not on the list', imports(`x.nz,${registered},${ago(5)}`), false],
    ['an import of a name that is', imports(`x.nz,${registered},2023-05-02 12:00:00+12:00`), true],
    ['an import that restores a name', imports(`one.nz,${registered},`), true],
    ['a release', releasesAt(Date.now()), true],
    ['a release of nothing', releasesAt(Date.parse('2023-05-02T00:00:00Z')), false],
  ])('%s', async (_, change, changes) => {
    const first = await ask();
    await change();
    expect((await ask({ 'if-modified-since': first.modified })).status).toBe(changes ? 200 : 304);
    expect((await ask({ 'if-none-match': first.etag })).status).toBe(changes ? 200 : 304);
  });
  test('changes within one second do not pass for each other', async () => {
    for (let i = 0; i < 4; i++) {
      const first = await ask();
      await registry.import([`quick${i}.nz,${registered},2023-05-02 12:00:00+12:00`], { changesOnly: true });
      const second = await ask({ 'if-modified-since': first.modified });
      expect(second.status).toBe(200);
      expect(second.text).toContain(`quick${i}.nz`);
    }
  });
  test('time alone changes the list, too: a name that comes near', async () => {
    await registry.import([`near.nz,${registered},2023-08-10 12:00:00.25+12:00`]);
    const release = new Date('2023-11-08T12:00:00.25+13:00').getTime();
    await registry.database.query(`update droplist_state set modified_at = '2023-01-01 00:00:00+00'`);
    const read = (time: number) => readDroplist(registry.database, new Date(time), midnight);
    const before = await read(release - hours(48) - 1);
    expect(before).toEqual({ entries: [], modified: new Date('2023-01-01T00:00:00Z') });
    const after = await read(release - hours(48));
    // The second after: the empty list was answered in the same one.
    expect([after.entries.length, after.modified]).toEqual([1, new Date('2023-11-06T12:00:01+13:00')]);
    // An import that takes long counts what comes near meanwhile.
    fakeTime({ toFake: ['Date'], now: release - hours(48.5) });
    await registry.import([`soon.nz,${registered},2023-08-10 12:00:00+12:00`], { changesOnly: true });
    expect((await read(release - hours(49))).modified).not.toEqual(before.modified);
  });
});
