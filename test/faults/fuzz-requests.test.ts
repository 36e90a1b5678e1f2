import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { geojson } from '@covermap/testing/formats.ts';
import { Random, seed } from '@covermap/testing/random.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createKey } from '../../access/api-keys.ts';
import { allowNetwork } from '../../access/registrars.ts';
import { createToken } from '../../access/tokens.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import type { Database } from '../../platform/database/database.ts';
import { Contract } from '../setup/contract.ts';
import { damagedOne, fuzzFolder } from '../setup/fuzz.ts';
import { type FuzzedRequest, fuzzedRequest, type World } from '../setup/fuzz-requests.ts';
import { asMap } from '../setup/map.ts';
import { descriptionOf } from '../setup/operations.ts';
import { clientWith } from '../setup/operator.ts';
import { makeParties, makeParty, operationsOf, type Party } from '../setup/parties.ts';
import {
  answersMeanwhile,
  type ProbedService,
  residentBytes,
  startProbedService,
} from '../setup/probed-service.ts';
import { rounds } from '../setup/rounds.ts';
import { type FuzzedAnswer, sendFuzzed } from '../setup/send-fuzzed.ts';

/*
 * Random requests made from the description, by everybody: each is answered as described, keeps nobody else
 * from an answer, and leaves nothing behind.
 */

const requests = rounds(300, 10_000);
const files = rounds(5, 60);
/** At once, as the probe looks at them together. */
const batch = 50;
const fifth = batch * Math.floor(requests / batch / 5);
const atOnce = 4;
/** Requests until the next parties take over: requests may end the tokens, keys and things of their own. */
const perParty = 500;

const fibre = { technology: 'fibre', speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } };
const patience = { timeout: 100_000, interval: 200 };

interface Prepared {
  staff: string;
  parties: Party[];
  /** Tokens of an operator and a customer that make no requests. */
  operator: string;
  key: string;
}

fuzzFolder();

describe.each(['embedded', 'server'] as const)('the %s database', (kind) => {
  let service: ProbedService<Prepared>;
  const temporary = scratchFolder();
  let contract: Contract;
  let world: World;
  /** Measured after a fifth of the requests, when pools and caches are full. */
  let before: { files: number; bytes: number };

  beforeAll(async () => {
    service = await startProbedService<Prepared>(
      async (database, config) => {
        const parties: Party[] = [...(await makeParties({ config }, database))];
        for (let i = 1; i * perParty < requests; i++) {
          for (const name of ['Kauri', 'Tui']) {
            parties.push(await makeParty(database, `${name} ${i}`, parties.length + 1));
          }
        }
        await completeThings(database, config.uploadDir);
        await allowNetwork(database, 'Tests', '127.0.0.0/8');
        const staff = await createToken(database, { role: 'staff' }, 'Staff', commandActor);
        const rata = operatorOf('Rata', 'https://rata.example/');
        const operator = await createToken(database, rata, 'Rata', commandActor);
        return { staff, parties, operator, key: await createKey(database, 'Rata Homes') };
      },
      {
        ...{ TMPDIR: temporary, REFUSED_RATE: '100000', REFUSED_BURST: '100000', MAP_LOOKUP_RATE: '10000' },
        MAP_LOOKUPS_PER_DAY: '1000000',
        ...{ BULK_RATE: '100000', UPLOAD_LIMIT_MB: '2', BODY_TIMEOUT_SECONDS: '5' },
        // A small heap, so that memory which is not freed fills it.
        ...{ NODE_OPTIONS: '--max-old-space-size=200' },
      },
      { kind },
    );
    const document = await descriptionOf(service.url);
    contract = new Contract(document, service.url);
    const samples = ['adsl.geojson', 'copper.tab.zip', 'wireless-prediction.kmz', 'register.csv'];
    const files = samples.map((name) => ({ name, bytes: readFileSync(`samples/${name}`) }));
    const [own, other] = service.prepared.parties as [Party, Party];
    const { staff } = service.prepared;
    const operations = await operationsOf(service.url);
    world = { document, operations, staff, own, other, map: await asMap(service.url), made: {}, files };
  });
  afterAll(() => service?.stop());

  test(`${requests} requests are answered as described, and everybody else is answered meanwhile`, async () => {
    const faults: string[] = [];
    const counts: Record<string, number> = {};
    for (let from = 0; from < requests; from += batch) {
      if (from === fifth) before = { files: openFiles(service.pid), bytes: residentBytes(service.pid) };
      if (from % perParty === 0) {
        const first = 2 * (from / perParty);
        [world.own, world.other] = service.prepared.parties.slice(first, first + 2) as [Party, Party];
      }
      const numbers = Array.from({ length: batch }, (_, i) => from + i);
      await answersMeanwhile(service, () => Promise.all(Array.from({ length: atOnce }, takeTurns)));
      async function takeTurns(): Promise<void> {
        for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
          const request = fuzzedRequest(new Random(seed + number * 7919), world);
          const answer = await sendFuzzed(service.url, request).catch((error: Error) => error);
          const kind = answer instanceof Error ? answer.message : String(answer?.status);
          counts[kind] = (counts[kind] ?? 0) + 1;
          const fault = faultOf(contract, request, answer);
          if (fault) faults.push(`seed ${seed}, request ${number}: ${fault}`);
          else if (answer && !(answer instanceof Error)) remember(world, request, answer);
        }
      }
    }
    if (process.env.PROBE) console.log(counts, service.output());
    expect(faults.slice(0, 20)).toEqual([]);
    // At least an eighth succeed: requests get past the checks, too.
    expect((counts[200] ?? 0) + (counts[201] ?? 0)).toBeGreaterThan(requests / 8);
  });

  test(`${files} damaged files end with a report or an error of the catalogue, and everybody else is answered meanwhile`, async () => {
    const rata = clientWith(service.url, service.prepared.operator);
    const ends: Record<string, number> = {};
    for (let number = 0; number < files; number++) {
      const file = await damagedOne(number);
      const { result: end } = await answersMeanwhile(service, async () => {
        const sent = await rata.send(file, fibre);
        const { id, code } = (await sent.json()) as { id: string; code?: string };
        if (!sent.ok) return code;
        const { error } = await rata.until(id, ({ finished }) => finished);
        return error?.code ?? 'report';
      });
      expect(end, `seed ${seed}, file ${number}: ${file.name}`).toMatch(/^(?!internal_error)[a-z_]+$/);
      ends[String(end)] = (ends[String(end)] ?? 0) + 1;
    }
    if (process.env.PROBE) console.log(ends);
    expect(Object.keys(ends).length).toBeGreaterThan(1);
  });

  test('nothing of them is left, and the service answers right', async () => {
    const { operator, key } = service.prepared;
    const rata = clientWith(service.url, operator);
    const bytes = geojson([
      { rings: [rectangle(174.5, -37, 174.55, -36.95).reverse() as [number, number][]] },
    ]);
    const submission = await rata.handIn({ name: 'rata.geojson', bytes }, { ...fibre, publish: 'auto' });
    expect(submission).toMatchObject({ status: 'published' });
    const answer = () =>
      fetch(`${service.url}/api/2.0/availability/-36.975/174.525`, { headers: { 'x-api-key': key } });
    await expect.poll(async () => (await answer()).text(), patience).toContain('Rata');
    const leftBehind = () => readdirSync(temporary).filter((name) => name.startsWith('covermap'));
    await expect.poll(leftBehind, patience).toEqual([]);
    await expect.poll(() => openFiles(service.pid), patience).toBeLessThan(before.files + 30);
    expect(residentBytes(service.pid)).toBeLessThan(before.bytes + 200 * 2 ** 20);
    if (kind === 'server') {
      const pool = new pg.Pool({ connectionString: service.config.databaseUrl as string, max: 1 });
      const sql = `select from pg_stat_activity where datname = current_database() and state like 'idle in%'`;
      await expect.poll(async () => (await pool.query(sql)).rowCount, patience).toBe(0);
      await pool.end();
    }
  });
});

/** How many files and connections a process has open, but for the embedded database's own, which it keeps open by design. */
function openFiles(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const pathOf = (name: string) => {
    try {
      return readlinkSync(path.join(folder, name));
    } catch {
      // It has been closed meanwhile.
      return '/postgres/';
    }
  };
  return readdirSync(folder).filter((name) => !pathOf(name).includes('/postgres/')).length;
}

/** The parties' things as the service itself makes them: each with a file of its own, which can be read. */
async function completeThings(database: Database, folder: string): Promise<void> {
  await database.query('update upload set inspection = null');
  const samples = { submission: 'adsl.geojson', upload: 'adsl.geojson', bulk_job: 'register.csv' };
  for (const [table, sample] of Object.entries(samples)) {
    const bytes = readFileSync(`samples/${sample}`);
    const { rows } = await database.query<{ key: string }>(
      `update ${table} set storage_key = id::text, size_bytes = $1 returning storage_key as key`,
      [bytes.length],
    );
    for (const { key } of rows) writeFileSync(path.join(folder, key), bytes);
  }
  await database.query(`
    update modelling m set storage_key = s.storage_key, picture_key = s.storage_key, size_bytes = s.size_bytes
    from submission s where s.id = m.submission_id`);
}

/** Statuses of requests that no operation gets: unreadable ones, or for another address. */
const unread = [400, 404, 405, 408, 413, 414, 415, 417, 431];

/** The fault of an answer; undefined: none, or nobody waited for it. */
function faultOf(
  contract: Contract,
  { asking, who, target, headers, body }: FuzzedRequest,
  answer: FuzzedAnswer | undefined | Error,
): string | undefined {
  if (answer === undefined) return undefined;
  const sent = `${asking.method} ${target.slice(0, 300)} by ${who} with ${JSON.stringify(headers).slice(0, 500)}: ${body?.subarray(0, 500)}`;
  if (answer instanceof Error) return `${sent}: ${answer.message}`;
  const { status, headers: answered, bytes } = answer;
  const { operation } = asking;
  try {
    const isUnread = unread.includes(status) && bytes.includes('The request cannot be read.');
    if (!isUnread && (operation.responses[status] || !unread.includes(status))) {
      expect(status, bytes.toString().slice(0, 300)).not.toBe(500);
      contract.check(operation.operationId, status, status, answered, bytes);
    } else if (asking.method !== 'HEAD') {
      const { code, error, message } = JSON.parse(bytes.toString());
      expect([code, typeof (error ?? message)]).toEqual([
        typeof error === 'string' ? status : expect.any(String),
        'string',
      ]);
    }
    return undefined;
  } catch (error) {
    return `${sent}: ${(error as Error).message}`;
  }
}

/** Ids of new things, for the requests that follow. */
function remember(
  { made }: World,
  { asking }: FuzzedRequest,
  { status, headers, bytes }: FuzzedAnswer,
): void {
  if (status !== 201 && status !== 202) return;
  const location = headers.get('location')?.replace(/.*\//, '');
  const { id } = bytes.length > 0 ? (JSON.parse(bytes.toString()) as { id?: string | number }) : {};
  const kinds: Record<string, string> = {
    ...{ submitFile: 'submission', reprocessSubmission: 'submission', createUpload: 'file' },
    ...{ createBulkJob: 'bulk job', createCustomer: 'customer', bookCredit: 'entry', bookCharge: 'entry' },
  };
  const kind = kinds[asking.operation.operationId];
  if (kind && (id ?? location)) made[kind] = [...(made[kind] ?? []).slice(-20), (id ?? location) as string];
}
