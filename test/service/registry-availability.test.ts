import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { administer } from '../../commands/admin/commands.ts';
import { takenNamesSql } from '../../core/registry/register.ts';
import { releaseDomains } from '../../core/registry/release.ts';
import { availableEntry, type Entry, send, useRegistry } from '../setup/registry.ts';
import { apiOfTest, expectError } from '../setup/service.ts';

/* GET /1.0/availability: every row of the document and of the page of decisions. */

const registered = '2015-06-01T00:00:00Z';
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const zones =
  'nz ac.nz co.nz cri.nz geek.nz gen.nz health.nz iwi.nz kiwi.nz maori.nz mil.nz net.nz org.nz school.nz govt.nz parliament.nz'.split(
    ' ',
  );
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
  `māori.nz,${registered},`,
  `pōhutukawa.co.nz,${registered},${ago(1)}`,
  ...Array.from({ length: 400 }, (_, i) => `listed${i}.nz,${registered},${i % 2 ? ago(5) : ''}`),
]);

const entries = async (query: string) =>
  (await (await registry.get(`/1.0/availability?${query}`)).json()) as Entry[];
const errorOf = async (query: string) => {
  const response = await registry.get(`/1.0/availability?${query}`);
  const body = (await response.json()) as { code: number; error: string };
  expect(body).toEqual({ code: response.status, error: expect.stringMatching(/^[A-Z].{10,}\.$/) });
  return { status: response.status, error: body.error };
};

describe('domains[]', () => {
  test('has an entry for each name, in the order of the request, with the fields of the document', async () => {
    expect(await registry.check('pending.nz', 'free.nz', 'active.nz', 'māori.nz', 'overdue.nz')).toEqual([
      { status: 'PendingRelease', code: '210', domain: 'pending.nz' },
      { status: 'Available', code: '220', domain: 'free.nz' },
      { status: 'Active', code: '200', domain: 'active.nz' },
      { status: 'Active', code: '200', domain: 'xn--mori-qsa.nz', original: 'māori.nz' },
      // A name whose 90 days are over, and which is not released yet.
      { status: 'PendingRelease', code: '210', domain: 'overdue.nz' },
    ]);
  });
  test('Punycode and Unicode of one name, in any case, with a last dot, are one name', async () => {
    const answer = await registry.check('māori.nz', 'ma\u0304ORI.nz.', 'XN--MORI-QSA.nz.');
    expect(answer).toEqual(
      Array(3).fill({ status: 'Active', code: '200', domain: 'xn--mori-qsa.nz', original: 'māori.nz' }),
    );
  });
  test.each<[string, string, string, string?, string?]>([
    ['an emoji', '☕.nz', '500', 'xn--53h.nz', '☕.nz'],
    ['a space beside letters that are not ASCII', 'mā ori.nz', '500', 'm%c4%81 ori.nz', 'mā ori.nz'],
    ['what would be SQL', "x'; drop table domain; --.nz", '500'],
    ['what would be HTML and JSON', '"><script>\\u0022\n.nz', '500'],
    ['nothing', '', '501'],
    ['a name under com', 'Example.COM', '502', 'example.com'],
    ['an IDN below another', 'www.māori.nz.', '502', 'www.xn--mori-qsa.nz', 'www.māori.nz'],
    ['a zone itself', 'CO.nz.', '440', 'co.nz'],
  ])(
    '%s has an entry with its code in its place, in normal form, and the request is still a 200',
    async (_, asked, code, domain = asked, original = undefined) => {
      const answer = await registry.check('active.nz', asked, 'free.nz');
      expect(answer.map((entry) => entry.code)).toEqual(['200', code, '220']);
      expect(answer[1]).toEqual({ code, domain, original, status: statuses[code] });
    },
  );
  test('a name in letters that its zone does not sell has invalid characters, unless it is in the register', async () => {
    await registry.import([`日本.nz,${registered},`, `мир.nz,${registered},${ago(5)}`], {
      changesOnly: true,
    });
    const invalid = { status: statuses[500], code: '500' };
    expect(await registry.check('שלום.nz', 'xn--wgv71a.co.nz', '日本.nz', 'мир.nz')).toEqual([
      { ...invalid, domain: 'xn--9dbne9b.nz', original: 'שלום.nz' },
      { ...invalid, domain: 'xn--wgv71a.co.nz', original: '日本.co.nz' },
      { status: 'Active', code: '200', domain: 'xn--wgv71a.nz', original: '日本.nz' },
      { status: 'PendingRelease', code: '210', domain: 'xn--h1ahn.nz', original: 'мир.nz' },
    ]);
  });
  test('1,000 names can be asked at once, in the query string and in the body, and 1,001 cannot', async () => {
    const names = Array.from({ length: 1001 }, (_, i) => `listed${i}.nz`);
    const query = (count: number) =>
      names
        .slice(0, count)
        .map((name) => `domains%5B%5D=${name}`)
        .join('&');
    const url = `${registry.api.url}/1.0/availability`;
    for (const answer of [
      await send(`${url}?${query(1000)}`, {}),
      await send(url, { body: query(1000), headers: form }),
    ]) {
      expect(answer.status).toBe(200);
      const codes = (JSON.parse(answer.text) as Entry[]).map(({ domain, code }, i) => {
        expect(domain).toBe(names[i]);
        return code;
      });
      expect(codes).toEqual(names.slice(0, 1000).map((_, i) => (i >= 400 ? '220' : i % 2 ? '210' : '200')));
    }
    for (const answer of [
      await send(`${url}?${query(1001)}`, {}),
      await send(url, { body: query(1001), headers: form }),
      await send(`${url}?${query(500)}`, { body: query(501), headers: form }),
    ]) {
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        400,
        { code: 400, error: 'A request can have 1000 names at most, this one has 1001.' },
      ]);
    }
  });
  test('texts that are hard to convert do not keep others waiting', async () => {
    const hard = `domains=${encodeURIComponent('名.'.repeat(140))}nz`;
    const answers: string[] = [];
    await Promise.all([
      send(`${registry.api.url}/1.0/availability`, {
        body: Array(500).fill(hard).join('&'),
        headers: form,
      }).then(({ status }) => answers.push(`hard ${status}`)),
      sleep(50).then(async () => {
        const { status } = await registry.get('/healthz');
        answers.push(`health ${status}`);
      }),
    ]);
    expect(answers).toEqual(['health 200', 'hard 200']);
  });
  test('names that many ask for at once are not mixed up', async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        registry.check(`listed${i}.nz`, `free${i}.nz`, `listed${i + 200}.nz`),
      ),
    );
    for (const [i, answer] of answers.entries()) {
      const code = i % 2 ? '210' : '200';
      expect(answer.map((entry) => `${entry.domain} ${entry.code}`)).toEqual([
        `listed${i}.nz ${code}`,
        `free${i}.nz 220`,
        `listed${i + 200}.nz ${code}`,
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
    expect(answer[2]).toEqual({
      status: 'PendingRelease',
      code: '210',
      domain: 'xn--phutukawa-vxb.co.nz',
      original: 'pōhutukawa.co.nz',
    });
    expect(await entries('string=xn--phutukawa-vxb')).toEqual(answer);
  });
  test.each<[string, string, string, string, string?]>([
    ['a dot in it', 'Active.co.', '500', 'active.co'],
    ['an emoji', '🥝', '500', 'xn--zr9h', '🥝'],
    ['a trailing hyphen', 'active-', '501', 'active-'],
  ])('with %s has an entry for each zone with that code', async (_, string, code, label, original) => {
    const answer = await entries(`string=${encodeURIComponent(string)}`);
    expect(answer.map((entry) => [entry.domain, entry.original, entry.code])).toEqual(
      zones.map((zone) => [`${label}.${zone}`, original && `${original}.${zone}`, code]),
    );
  });
  test('that makes a zone is denied there, and a name elsewhere', async () => {
    const answer = await entries('string=co');
    expect(answer.slice(0, 2).map(({ domain, code }) => `${domain} ${code}`)).toEqual([
      'co.nz 440',
      'co.ac.nz 220',
    ]);
  });
});

describe('parameters', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['an empty string', 'string='],
    ['a string without a value', 'string'],
    ['another parameter', 'domain=active.nz'],
    ['both', 'string=active&domains[]=active.nz'],
    ['both, the names empty', 'string=active&domains[]='],
    ['both, the string empty', 'string=&domains[]=active.nz'],
    ['two strings', 'string=active&string=free'],
  ])('%s: 400', async (_, query) => {
    expect((await errorOf(query)).status).toBe(400);
  });
  test('domains, domains[] and domains[0] are alike, and keep their order', async () => {
    const answer = await entries(
      'domains=a1.nz&domains%5B%5D=a2.nz&domains[]=a3.nz&domains[0]=a4.nz&domains[1]=a5.nz&x=1',
    );
    expect(answer.map(({ domain }) => domain)).toEqual(['a1.nz', 'a2.nz', 'a3.nz', 'a4.nz', 'a5.nz']);
  });
  test.each<[string, Record<string, string>]>([
    ['form-encoded', form],
    ['form-encoded with a charset', { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }],
    ['of no type', {}],
  ])('may be in the body of the GET, %s', async (_, headers) => {
    const url = `${registry.api.url}/1.0/availability`;
    const names = await send(url, { body: 'domains%5B%5D=active.nz&domains[]=m%C4%81ori.nz', headers });
    expect(names.status).toBe(200);
    expect(JSON.parse(names.text)).toMatchObject([{ domain: 'active.nz' }, { original: 'māori.nz' }]);
    const string = await send(url, { body: 'string=active', headers });
    expect(JSON.parse(string.text)).toHaveLength(zones.length);
  });
  test('are sent so by curl, also where it asks first whether to send many', async () => {
    const file = path.join(registry.config.dataDir, 'names.txt');
    writeFileSync(file, Array.from({ length: 1000 }, (_, i) => `domains%5B%5D=listed${i}.nz`).join('&'));
    for (const more of [[], ['-H', 'Expect: 100-continue']]) {
      const get = ['-sS', '-X', 'GET', '--data', `@${file}`];
      const url = `${registry.api.url}/1.0/availability`;
      const { stdout } = await promisify(execFile)('curl', [...get, ...more, url]);
      expect((JSON.parse(stdout) as Entry[]).map(({ domain }) => domain)).toEqual(
        Array.from({ length: 1000 }, (_, i) => `listed${i}.nz`),
      );
    }
  });
  test('in a body that breaks off are no fault of the service', async () => {
    const lines: string[] = [];
    const logger = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const api = await apiOfTest(registry, registry.database, logger);
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    const head = 'GET /1.0/availability HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n';
    socket.write(`${head}domains=`);
    await sleep(100);
    socket.destroy();
    await sleep(100);
    expect((await fetch(`${api.url}/1.0/availability?string=active`)).status).toBe(200);
    expect(lines).toEqual([]);
  });
  test('may be in a body without a length', async () => {
    const answer = await send(`${registry.api.url}/1.0/availability`, {
      body: 'domains=active.nz',
      headers: { ...form, 'transfer-encoding': 'chunked' },
    });
    expect(JSON.parse(answer.text)).toEqual([{ status: 'Active', code: '200', domain: 'active.nz' }]);
  });
  test('in query string and body belong together', async () => {
    const url = `${registry.api.url}/1.0/availability`;
    expect((await send(`${url}?string=active`, { body: 'domains=active.nz', headers: form })).status).toBe(
      400,
    );
    const both = await send(`${url}?domains=b1.nz`, { body: 'domains=b2.nz', headers: form });
    expect((JSON.parse(both.text) as Entry[]).map(({ domain }) => domain)).toEqual(['b1.nz', 'b2.nz']);
  });
  test('a request line that is too long gets an error in JSON', async () => {
    const answer = await send(`${registry.api.url}/1.0/availability?string=${'a'.repeat(140_000)}`, {});
    expect([answer.status, JSON.parse(answer.text)]).toEqual([431, { code: 431, error: expect.any(String) }]);
  });
});

describe('the answer', () => {
  test('has the headers of the document', async () => {
    for (const query of ['string=active', 'domains[]=active.nz']) {
      const { headers } = await registry.get(`/1.0/availability?${query}`);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
  test('to HEAD has them, too, and no body', async () => {
    const response = await fetch(`${registry.api.url}/1.0/availability?string=active`, { method: 'HEAD' });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'application/json; charset=utf-8',
      '',
    ]);
  });
  test('follows the register at once', async () => {
    expect((await registry.check('followed.nz'))[0]?.code).toBe('220');
    await registry.import([`followed.nz,${registered},`], { changesOnly: true });
    expect((await registry.check('followed.nz'))[0]?.code).toBe('200');
    await registry.import([`followed.nz,${registered},${ago(91)}`], { changesOnly: true });
    expect((await registry.check('followed.nz'))[0]?.code).toBe('210');
  });
});

describe('what never reaches a route gets an error in JSON, too', () => {
  /** Sends text as it is. @returns the last answer */
  const tell = (text: string) =>
    new Promise<{ status: number; allow: string | undefined; body: unknown }>((resolve, reject) => {
      const { hostname, port } = new URL(registry.api.url);
      const socket = connect(Number(port), hostname);
      let answer = '';
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        answer += chunk;
        // A connection that is kept open has answered whole by then: the answers are short.
        if (answer.endsWith('}')) socket.end();
      });
      socket.on('error', reject).on('close', () => {
        const last = answer.slice(answer.lastIndexOf('HTTP/1.1 '));
        expect(last).toContain('Content-Type: application/json; charset=utf-8\r\n');
        resolve({
          status: Number(last.slice(9, 12)),
          allow: /^Allow: (.*)\r$/m.exec(last)?.[1],
          body: JSON.parse(last.slice(last.indexOf('\r\n\r\n') + 4)),
        });
      });
      socket.write(text);
    });
  const request = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const read = 'GET, HEAD';

  test.each<[string, string, number, RegExp, string?]>([
    ['no Host', 'GET /1.0/availability?string=a HTTP/1.1\r\n\r\n', 400, /Host/],
    [
      'an expectation that nobody can meet',
      request('GET /1.0/droplist', 'Expect: foo\r\n'),
      417,
      /100-continue/,
    ],
    ['UTF-8 in the query', request('GET /1.0/availability?domains[]=māori.nz'), 400, /[Pp]ercent-encode/],
    ['UTF-8 in the path', request('GET /1.0/māori'), 400, /[Pp]ercent-encode/],
    ['an unknown method', request('FOO /1.0/availability?string=a'), 405, /FOO.*GET/, read],
    ['get in lower case', request('get /1.0/droplist'), 405, /capitals/, read],
    [
      'an unknown method after a good request',
      `${request('HEAD /healthz')}${request('FOO /healthz')}`,
      405,
      /FOO/,
      read,
    ],
    [
      'an unknown method where there are others',
      request('FOO /api/2.0/availability/bulk'),
      405,
      /POST/,
      'POST',
    ],
    ['CONNECT', request('CONNECT example.nz:443'), 405, /CONNECT/, read],
    ['what is no HTTP', 'Kia ora\r\n\r\n', 400, /Bad Request/],
  ])('%s', async (_, text, status, sentence, allow) => {
    expect(await tell(text)).toEqual({
      status,
      allow,
      body: { code: status, error: expect.stringMatching(sentence) },
    });
  });
  test.each(['CONNECT example.nz:443', 'FOO /healthz', 'get /healthz'])(
    'who breaks off after %s ends nothing but the connection',
    async (line) => {
      const { hostname, port } = new URL(registry.api.url);
      const sockets = Array.from({ length: 20 }, () => connect(Number(port), hostname));
      const closed = sockets.map(async (socket, i) => {
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(request(line));
        // At once, or in the midst of the answer.
        if (i % 2) await once(socket, 'data');
        socket.resetAndDestroy();
      });
      await Promise.all(closed);
      expect((await registry.get('/healthz')).status).toBe(200);
    },
  );
  test('where errors have codes in words, so have these', async () => {
    expect(await tell(request('foo /api/operator/uploads?x=1'))).toMatchObject({
      status: 405,
      allow: expect.stringContaining('POST'),
      body: { code: 'method_not_allowed', message: expect.any(String) },
    });
  });
  test('HTTP/1.0 needs no Host', async () => {
    expect(await tell('GET /1.0/nothing HTTP/1.0\r\n\r\n')).toMatchObject({ status: 404 });
  });
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
  expect(await admin('zone', 'list')).toMatch(/^iwi\.nz +āēīōūé$/m);
  await admin('zone', 'letters', 'iwi.nz', 'none');
  await expect.poll(async () => (await registry.check('māori.iwi.nz'))[0]?.code).toBe('500');
  await admin('zone', 'letters', 'iwi.nz', 'āēīōū');
  await expect.poll(async () => (await registry.check('māori.iwi.nz'))[0]?.code).toBe('220');
  for (const words of [
    ['zone', 'letters', 'example.nz', 'ā'],
    ['zone', 'letters', 'nz', 'ā b'],
    ['zone', 'letters', 'nz', '☕'],
    ['zone', 'letters', 'nz', 'a-z'],
  ]) {
    await expect(admin(...words), words.join(' ')).rejects.toThrow(/no zone|is not a letter/);
  }
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
  const names = Array.from({ length: 1000 }, (_, i) => `listed${i}.nz`);
  await registry.database.transaction(async (connection) => {
    // A table this small is read whole, unless that is forbidden: what counts is that the index can do it.
    await connection.query('set local enable_seqscan = off');
    const { rows } = await connection.query<{ 'QUERY PLAN': string }>(`explain ${takenNamesSql}`, [
      names.join(),
      new Date(),
    ]);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index (Only )?(Scan|Cond)[\s\S]*name = ANY/);
    expect(plan).not.toContain('Seq Scan');
    // Released names are found by their run: there is hardly ever one whose window has not ended.
    expect(plan).toMatch(/released_domain[\s\S]*Index Cond: \(.*scheduled_for = ANY/);
  });
});

test('a name is available once it is released', async () => {
  // By the run of the day before: its window has ended.
  await releaseDomains(registry.database, new Date(ago(1)), '00:00:00');
  expect((await registry.check('overdue.nz', 'pending.nz')).map(({ code }) => code)).toEqual(['220', '210']);
});

test('lookups recover from a register that could not be read', async () => {
  await registry.database.query('alter table domain rename to domain_away');
  const response = await registry.get('/1.0/availability?string=active');
  await registry.database.query('alter table domain_away rename to domain');
  await expectError(response, 500);
  expect((await registry.check('active.nz'))[0]?.code).toBe('200');
});
