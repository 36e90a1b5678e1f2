import { execFile } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { administer } from '../../commands/admin/commands.ts';
import { takenNamesSql } from '../../registry/register.ts';
import { gate } from '../setup/gate.ts';
import { availableEntry, type Entry, send, useRegistry } from '../setup/registry.ts';
import { expectError } from '../setup/service.ts';

/* GET /1.0/availability: every row of docs/specification.md, "Registry: availability". */

const registered = '2015-06-01T00:00:00Z';
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const zones =
  `nz ac.nz co.nz cri.nz geek.nz gen.nz health.nz iwi.nz kiwi.nz maori.nz mil.nz net.nz org.nz school.nz govt.nz
  parliament.nz`.split(/\s+/);
/** Statuses of texts that are no names. */
const statuses: Record<string, string> = {
  440: 'Request Denied',
  500: 'Invalid characters in query string',
  501: 'Invalid domain name',
  502: 'Domain name is not in a managed zone',
};
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const registry = await useRegistry();
await registry.import([
  `active.nz,${registered},`,
  `active.co.nz,${registered},`,
  `pending.nz,${registered},${ago(10)}`,
  `overdue.nz,${registered},${ago(100)}`,
  `kōrero.nz,${registered},`,
  `pōhutukawa.co.nz,${registered},${ago(1)}`,
  ...Array.from({ length: 400 }, (_, i) => `listed${i}.nz,${registered},${i % 2 ? ago(5) : ''}`),
]);

const entries = async (query: string) =>
  (await (await registry.get(`/1.0/availability?${query}`)).json()) as Entry[];
const address = `${registry.api.url}/1.0/availability`;
const listed = Array.from({ length: 1001 }, (_, i) => `listed${i}.nz`);
const domainsOf = (text: string) => (JSON.parse(text) as Entry[]).map(({ domain }) => domain);

describe('domains[]', () => {
  test('has an entry for each name, in the order of the request, with the fields of the document', async () => {
    expect(
      await registry.check('pending.nz', 'free.nz', 'Active.nz.', 'ko\u0304RERO.nz', 'overdue.nz'),
    ).toEqual([
      { status: 'PendingRelease', code: '210', domain: 'pending.nz' },
      { status: 'Available', code: '220', domain: 'free.nz' },
      { status: 'Active', code: '200', domain: 'active.nz' },
      { status: 'Active', code: '200', domain: 'xn--krero-g9a.nz', original: 'kōrero.nz' },
      // A name whose 90 days are over, and which is not released yet.
      { status: 'PendingRelease', code: '210', domain: 'overdue.nz' },
    ]);
  });
  test('has the code of what is no name in its place, in normal form, and the request is still a 200', async () => {
    const faulty = (code: string, domain: string, original?: string) => ({
      ...{ status: statuses[code], code, domain },
      ...(original && { original }),
    });
    const sql = "x'; drop table domain; --.nz";
    const markup = '"><script>\\u0022\n.nz';
    expect(
      await registry.check('☕.nz', 'mā ori.nz', sql, markup, '', 'Example.COM', 'www.kōrero.nz.', 'CO.nz.'),
    ).toEqual([
      faulty('500', 'xn--53h.nz', '☕.nz'),
      faulty('500', 'm%c4%81 ori.nz', 'mā ori.nz'),
      faulty('500', sql),
      faulty('500', markup),
      faulty('501', ''),
      faulty('502', 'example.com'),
      faulty('502', 'www.xn--krero-g9a.nz', 'www.kōrero.nz'),
      faulty('440', 'co.nz'),
    ]);
  });
  test('a name in letters that its zone does not sell has invalid characters, unless it is in the register', async () => {
    await registry.import([`日本.nz,${registered},`, `мир.nz,${registered},${ago(5)}`], {
      changesOnly: true,
    });
    const answer = await registry.check('שלום.nz', 'xn--wgv71a.co.nz', '日本.nz', 'мир.nz');
    expect(answer.map(({ code, original }) => `${code} ${original}`)).toEqual([
      ...['500 שלום.nz', '500 日本.co.nz', '200 日本.nz', '210 мир.nz'],
    ]);
  });
  test('1,000 names can be asked at once, in the query string and in the body, and 1,001 cannot', async () => {
    const parameters = listed.map((name) => `domains%5B%5D=${name}`);
    const query = (count: number) => parameters.slice(0, count).join('&');
    const asked = (inQuery: number, inBody: number) =>
      send(inQuery ? `${address}?${query(inQuery)}` : address, { body: query(inBody), headers: form });
    for (const answer of [await asked(1000, 0), await asked(0, 1000)]) {
      expect(answer.status).toBe(200);
      const answered = (JSON.parse(answer.text) as Entry[]).map(({ domain, code }) => `${domain} ${code}`);
      const codeOf = (i: number) => (i >= 400 ? '220' : i % 2 ? '210' : '200');
      expect(answered).toEqual(listed.slice(0, 1000).map((name, i) => `${name} ${codeOf(i)}`));
    }
    for (const answer of [await asked(1001, 0), await asked(0, 1001), await asked(500, 501)]) {
      const error = 'A request can have 1000 names at most, this one has 1001.';
      expect([answer.status, JSON.parse(answer.text)]).toEqual([400, { code: 400, error }]);
    }
    const longest = Array.from({ length: 1000 }, (_, i) => `${String(i).padStart(63, 'x')}.parliament.nz`);
    const answer = await send(`${address}?${longest.map((name) => `domains%5B%5D=${name}`).join('&')}`, {});
    expect(domainsOf(answer.text)).toEqual(longest);
    // Without a rate of names, none is told.
    expect(answer.headers).not.toHaveProperty('ratelimit');
  });
  test('texts that are hard to convert do not keep others waiting', async () => {
    const hard = `domains=${encodeURIComponent('名.'.repeat(140))}nz`;
    const received = gate();
    const onRequest = (message: unknown) =>
      (message as { request: IncomingMessage }).request.once('end', received.open);
    diagnostics.subscribe('http.server.request.start', onRequest);
    let isAnswered = false;
    const asking = send(address, { body: Array(500).fill(hard).join('&'), headers: form }).finally(() => {
      isAnswered = true;
    });
    await received.opened;
    diagnostics.unsubscribe('http.server.request.start', onRequest);
    let others = 0;
    for (; !isAnswered; others++) expect((await registry.get('/healthz')).status).toBe(200);
    expect((await asking).status).toBe(200);
    // One or two come before the first text is converted, and one after the last.
    expect(others).toBeGreaterThan(8);
  });
  test('names that many ask for at once are not mixed up', async () => {
    const answers = await Promise.all(
      Array.from({ length: 80 }, (_, i) =>
        registry.check(`listed${i}.nz`, `free${i}.nz`, `listed${i + 200}.nz`),
      ),
    );
    for (const [i, answer] of answers.entries()) {
      const code = i % 2 ? '210' : '200';
      expect(answer.map((entry) => `${entry.domain} ${entry.code}`)).toEqual([
        ...[`listed${i}.nz ${code}`, `free${i}.nz 220`, `listed${i + 200}.nz ${code}`],
      ]);
    }
  });
});

describe('string', () => {
  test('has an entry for each zone: the top level, then the second levels in the order of the document', async () => {
    expect(await entries('string=active')).toEqual(
      zones.map((zone) =>
        zone === 'nz' || zone === 'co.nz'
          ? { status: 'Active', code: '200', domain: `active.${zone}` }
          : availableEntry(`active.${zone}`),
      ),
    );
  });
  test('may be an IDN, which has its original in every entry', async () => {
    const answer = await entries(`string=${encodeURIComponent('PŌHUTUKAWA')}`);
    expect(answer.map(({ original }) => original)).toEqual(zones.map((zone) => `pōhutukawa.${zone}`));
    expect(answer[2]).toMatchObject({ code: '210', domain: 'xn--phutukawa-vxb.co.nz' });
    expect(await entries('string=xn--phutukawa-vxb')).toEqual(answer);
  });
  test.each<[string, string, string, string?]>([
    ['Active.co.', '500', 'active.co'],
    ['🥝', '500', 'xn--zr9h', '🥝'],
    ['active-', '501', 'active-'],
  ])('that is no name has its code for each zone: %s', async (string, code, label, original) => {
    const answer = await entries(`string=${encodeURIComponent(string)}`);
    expect(answer.map((entry) => [entry.domain, entry.original, entry.code])).toEqual(
      zones.map((zone) => [`${label}.${zone}`, original && `${original}.${zone}`, code]),
    );
  });
  test('that makes a zone is denied there, and a name elsewhere', async () => {
    const answer = await entries('string=co');
    const begin = answer.slice(0, 2).map(({ domain, code }) => `${domain} ${code}`);
    expect(begin).toEqual(['co.nz 440', 'co.ac.nz 220']);
    const [otherForm] = await entries('string=m%C4%81ori');
    expect(otherForm).toMatchObject({ code: '440', domain: 'xn--mori-qsa.nz', original: 'māori.nz' });
  });
});

describe('parameters', () => {
  test('that ask nothing, or two things, are a 400', async () => {
    for (const query of [
      ...['', 'string=', 'string', 'domain=active.nz', 'string=active&string=free'],
      ...['string=active&domains[]=active.nz', 'string=active&domains[]=', 'string=&domains[]=active.nz'],
      ...['string[]=active', 'string=active&string[]=free', 'domains[]=active.nz&domains[x]=free.nz'],
      'domains[]=active.nz&domains[][]=free.nz',
    ]) {
      expect((await registry.get(`/1.0/availability?${query}`)).status, query).toBe(400);
    }
  });
  test('domains, domains[] and domains[0] are alike, and keep their order', async () => {
    const answer = await entries(
      'domains=a1.nz&domains%5B%5D=a2.nz&domains[]=a3.nz&domains[0]=a4.nz&domains[1]=a5.nz&x=1',
    );
    expect(answer.map(({ domain }) => domain)).toEqual(['a1.nz', 'a2.nz', 'a3.nz', 'a4.nz', 'a5.nz']);
  });
  test('may be in the body of the GET, form-encoded or of no type, with a length or without', async () => {
    const chunked = { ...form, 'transfer-encoding': 'chunked' };
    for (const headers of [form, {}, chunked] as Record<string, string>[]) {
      const names = await send(address, { body: 'domains%5B%5D=active.nz&domains[]=m%C4%81ori.nz', headers });
      expect(JSON.parse(names.text)).toMatchObject([{ domain: 'active.nz' }, { original: 'māori.nz' }]);
    }
    const string = await send(address, { body: 'string=active', headers: form });
    expect(JSON.parse(string.text)).toHaveLength(zones.length);
  });
  test('are sent so by curl, also where it asks first whether to send many', async () => {
    const file = path.join(registry.config.dataDir, 'names.txt');
    const names = listed.slice(0, 1000);
    writeFileSync(file, names.map((name) => `domains%5B%5D=${name}`).join('&'));
    for (const more of [[], ['-H', 'Expect: 100-continue']]) {
      const get = ['-sS', '-X', 'GET', '--data', `@${file}`];
      const { stdout } = await promisify(execFile)('curl', [...get, ...more, address]);
      expect(domainsOf(stdout)).toEqual(names);
    }
  });
  test('in query string and body belong together', async () => {
    const mixed = await send(`${address}?string=active`, { body: 'domains=active.nz', headers: form });
    expect(mixed.status).toBe(400);
    const both = await send(`${address}?domains=b1.nz`, { body: 'domains=b2.nz', headers: form });
    expect(domainsOf(both.text)).toEqual(['b1.nz', 'b2.nz']);
  });
});

test('the answer follows the register at once', async () => {
  for (const [cancelled, code] of [
    [undefined, '220'],
    ['', '200'],
    [ago(91), '210'],
  ]) {
    if (cancelled !== undefined)
      await registry.import([`followed.nz,${registered},${cancelled}`], { changesOnly: true });
    const response = await registry.get('/1.0/availability?domains[]=followed.nz');
    expect((await response.json()) as Entry[]).toMatchObject([{ code }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  }
});

test('letters are a setting of each zone, which string and domains[] follow at once', async () => {
  const admin = (...words: string[]) =>
    administer({ config: registry.config, database: registry.database }, words);
  const codes = async () => (await entries('string=caf%C3%A9')).map(({ domain, code }) => [domain, code]);
  const refused = zones.map((zone) => [`xn--caf-dma.${zone}`, '500']);
  expect(await codes()).toEqual(refused);
  expect(await admin('zone', 'letters', 'IWI.nz', 'āēīōūÉe\u0301')).toBe(
    'Names of iwi.nz may have a to z, digits, the hyphen, and āēīōūé.',
  );
  const sold = refused.map(([domain, code]) => [domain, domain?.endsWith('.iwi.nz') ? '220' : code]);
  await expect.poll(codes).toEqual(sold);
  expect((await registry.check('café.iwi.nz'))[0]?.code).toBe('220');
  const listed = await admin('zone', 'list');
  expect(listed).toMatch(/^iwi\.nz +āēīōūé +moderated$/m);
  expect(listed).toMatch(/^co\.nz +āēīōū$/m);
  await admin('zone', 'letters', 'iwi.nz', 'none');
  await expect.poll(async () => (await registry.check('māori.iwi.nz'))[0]?.code).toBe('500');
  await admin('zone', 'letters', 'iwi.nz', 'āēīōū');
  await expect.poll(async () => (await registry.check('māori.iwi.nz'))[0]?.code).toBe('220');
  for (const words of ['example.nz=ā', 'nz=ā b', 'nz=☕', 'nz=a-z'])
    await expect(admin('zone', 'letters', ...words.split('=')), words).rejects.toThrow(
      /no zone|is not a letter/,
    );
});

test('zones and codes are data: what is added is answered at once', async () => {
  await registry.database.query(`insert into zone (position, name) values (17, 'tahi.nz')`);
  await registry.database.query(`update domain_status set status = 'Free' where finding = 'available'`);
  const last = async () => (await entries('string=active'))[16];
  await expect.poll(last).toEqual({ status: 'Free', code: '220', domain: 'active.tahi.nz' });
  await registry.database.query(`delete from zone where name = 'tahi.nz'`);
  await registry.database.query(`update domain_status set status = 'Available' where finding = 'available'`);
});

test('a lookup is one indexed query, however many names it has', async () => {
  await registry.database.transaction(async (connection) => {
    // A table this small is read whole, unless that is forbidden: what counts is that the index can do it.
    await connection.query('set local enable_seqscan = off');
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(`explain ${takenNamesSql}`, [
      listed.join(),
      new Date(),
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?(Scan|Cond)[\s\S]*name = ANY/);
    expect(plan).not.toContain('Seq Scan');
    // Released names are found by their run: there is hardly ever one whose window has not ended.
    expect(plan).toMatch(/released_domain[\s\S]*Index Cond: \(.*scheduled_for = ANY/);
  });
});

test('lookups recover from a register that could not be read', async () => {
  await registry.database.query('alter table domain rename to domain_away');
  const response = await registry.get('/1.0/availability?string=active');
  await registry.database.query('alter table domain_away rename to domain');
  await expectError(response, 500);
  expect((await registry.check('active.nz'))[0]?.code).toBe('200');
});
