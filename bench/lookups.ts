import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createKey } from '../access/api-keys.ts';
import { archiveSuperseded } from '../coverage/datasets/archive.ts';
import { recordComparison, targetOf } from '../coverage/datasets/compare.ts';
import { publishSubmission } from '../coverage/datasets/publish.ts';
import { waitingRows } from '../coverage/jobs/waiting.ts';
import { openCatalog } from '../coverage/lookup/catalog.ts';
import { lookupIn } from '../coverage/lookup/lookup.ts';
import type { Database } from '../platform/database/database.ts';
import { openServerDatabase } from '../platform/database/server/server.ts';
import { sql } from '../platform/database/sql.ts';
import { runScript } from '../test/setup/processes.ts';
import { alone, type Figure, inTurns, median, ratio } from './figures.ts';
import { degrees, type GeneratedCoverage } from './generate.ts';
import {
  apiCommand,
  type Context,
  copyForPeer,
  httpLoad,
  ingestGenerated,
  type Part,
  pgbench,
  processorSeconds,
  type ServerEnv,
  timed,
  withClient,
  withServer,
} from './measure.ts';

/** Twelve providers that cover the country, so that twelve areas lie at a position, on average. */
const providers = 12;
/** Enough keys that each asks seldom, as customers do. */
const keysAsking = 5_000;

/** Lookups over HTTP with limit and metering, beside the database alone and beside Express alone. */
const overHttp: Part = {
  names: ['lookup_http_vs_pgbench', 'lookup_http_vs_bare_express', 'lookup_http_capped', 'bulk_points'],
  async run(context) {
    const env = await context.newServerDatabase('bench_lookups');
    await ingestProviders(context, env, context.quick ? 2 : providers);
    const keys = await createKeys(env, context.quick ? 50 : keysAsking);
    const requests = Array.from({ length: keys.length * 4 }, (_, i) =>
      lookupOf(randomPosition(), keys[i % keys.length] as string),
    );
    const cappedKeys = await createKeys(env, keys.length, 'Capped');
    const capped = requests.map((one, i) =>
      one.replace(/(?<=x-api-key: ).*(?=\r)/, cappedKeys[i % keys.length] as string),
    );
    const script = path.join(context.folder, 'one-point.sql');
    writeFileSync(script, onePoint);
    await copyForPeer(env);
    const [runs, ms] = context.quick ? [1, 1_000] : [5, 4_000];
    // A total limit above the rate of one process, for any number of keys: each request counts, and none is refused.
    const perSecond = String((20 * keysAsking) / keys.length);
    const limits = {
      RATE_LIMIT_PER_SECOND: perSecond,
      RATE_LIMIT_BURST: perSecond,
      BULK_RATE: '1000000',
      BULK_BURST: '100000000',
    };
    let figures: Record<string, Figure> = {};
    await withServer(apiCommand({ ...env, ...limits }), async (url, api) => {
      const http = async (asked = requests) => {
        const pid = api.child.pid as number;
        const before = processorSeconds(pid);
        const { rate, answers } = await httpLoad(url, asked, 32, ms);
        return { rate, us: ((processorSeconds(pid) - before) / answers) * 1e6 };
      };
      const answer = await fetch(`${url.origin}${pathOf(randomPosition())}`, {
        headers: { 'x-api-key': keys[0] as string },
      }).then((response) => response.text());
      // The first run warms up.
      await http();
      const rates = (all: { rate: number }[]) => all.map(({ rate }) => rate);
      const database = await inTurns(
        runs,
        () => http(),
        async () => pgbench(env.DATABASE_URL, 8, ms, ['-f', script]),
      );
      figures.lookup_http_vs_pgbench = ratio(
        rates(database.ours),
        database.peer,
        'answers a second, pgbench with 8 connections',
        '>= 1',
      );
      await http(capped);
      const caps = await inTurns(
        runs,
        () => http(capped),
        () => http(),
      );
      figures.lookup_http_capped = ratio(
        rates(caps.ours),
        rates(caps.peer),
        'answers a second, keys without a cap',
        '>= 0.95',
      );
      await withServer(
        () => runScript(['bench/bare-express.ts', answer], {}),
        async (bare) => {
          const bareHttp = async () => (await httpLoad(bare, requests, 32, ms)).rate;
          await bareHttp();
          const express = await inTurns(runs, () => http(), bareHttp);
          figures.lookup_http_vs_bare_express = ratio(
            rates(express.ours),
            express.peer,
            'answers a second',
            '>= 0.6',
          );
          const us = [...database.ours, ...express.ours].map((one) => one.us);
          figures.lookup_http_processor_us = alone(us, 'us of the process a request');
        },
      );
      figures = { ...figures, ...(await bulk(context, url, keys[0] as string, requests)) };
    });
    return figures;
  },
};

/** A list over HTTP beside single lookups over HTTP, all of them counted. */
async function bulk(context: Context, url: URL, key: string, requests: string[]) {
  const count = context.quick ? 500 : 10_000;
  const body = JSON.stringify(Array.from({ length: count }, () => Object.values(randomPosition())));
  const { ours, peer } = await inTurns(
    context.quick ? 1 : 5,
    async () => {
      const seconds = await timed(async () => {
        const headers = { 'x-api-key': key, 'content-type': 'application/json' };
        const sent = request(`${url.origin}/api/2.0/availability/bulk`, { method: 'POST', headers }).end(
          body,
        );
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
        await response.resume().toArray();
      });
      return count / seconds;
    },
    async () => (await httpLoad(url, requests, 32, 2_000)).rate,
  );
  return { bulk_points: ratio(ours, peer, 'positions a second, single lookups on 32 connections', '>= 5') };
}

/** The time of a lookup by the number of areas: one at a time, in this process. */
const growth: Part = {
  names: ['lookup_growth'],
  async run(context) {
    const sizes = context.quick ? [300, 3_000] : [30_000, 3_000_000];
    const p50 = async (features: number, index: number) => {
      const env = await context.newServerDatabase(`bench_growth_${index}`);
      await ingestGenerated(context, env, { features, vertices: 13, depth: 1 });
      const database = await openServerDatabase(env.DATABASE_URL, { connections: 2 });
      const catalog = await openCatalog(database);
      const lookup = lookupIn(database, catalog);
      const ask = async () => {
        const times: number[] = [];
        for (let i = 0; i < (context.quick ? 100 : 3_000); i++) {
          const { lat, lng } = randomPosition();
          times.push(await timed(() => lookup.at(lat, lng)));
        }
        return median(times) * 1000;
      };
      await ask();
      return { ask, close: () => catalog.close().then(() => database.close()) };
    };
    const few = await p50(sizes[0] as number, 0);
    const many = await p50(sizes[1] as number, 1);
    const { ours, peer } = await inTurns(context.quick ? 1 : 5, many.ask, few.ask);
    await Promise.all([few.close(), many.close()]);
    return { lookup_growth: ratio(ours, peer, 'ms, p50 of many areas and of few', '<= 1.5') };
  },
};

/** The longest lookup over HTTP while a version replaces another and that one is archived. */
const pause: Part = {
  names: ['publish_pause'],
  async run(context) {
    const env = await context.newServerDatabase('bench_pause');
    const size = { features: context.quick ? 3_000 : 1_000_000, vertices: 9, depth: 1 };
    const [old, next] = [await ingestReady(context, env, size), await ingestReady(context, env, size)];
    const [key] = (await createKeys(env, 1)) as [string];
    const requests = Array.from({ length: 5_000 }, () => lookupOf(randomPosition(), key));
    const database = await openServerDatabase(env.DATABASE_URL, { connections: 2 });
    const publish = async (id: string) => {
      const outcome = await publishSubmission(database, id, { rules: { lostPercent: 100, warnings: [] } });
      if (outcome !== 'published') throw new Error(`the version is ${outcome}`);
    };
    await publish(old);
    await recordAsCompared(database, next);
    const figures: Record<string, Figure> = {};
    const longest = async (url: URL, during: number | (() => Promise<void>), aim: string | null) => {
      const latencies = [...(await httpLoad(url, requests, 4, during)).latencies];
      const most = latencies.reduce((longest, one) => Math.max(longest, one), 0);
      const of = 'ms, the longest of lookups on 4 connections and their median';
      return ratio([most], [median(latencies)], of, aim);
    };
    await withServer(apiCommand({ ...env, RATE_LIMIT_PER_SECOND: '0' }), async (url) => {
      await httpLoad(url, requests, 4, context.quick ? 300 : 2_000);
      let ms = 0;
      const replace = async () => {
        const seconds = await timed(async () => {
          await sleep(context.quick ? 500 : 1_000);
          await publish(next);
          for (const { id } of await waitingRows(database, 'archive'))
            await archiveSuperseded(database, Number(id), 1);
        });
        ms = 1000 * seconds;
      };
      figures.publish_pause = await longest(url, replace, '<= 10');
      // For as long, without a publication: the part of the machine itself.
      figures.publish_pause_without = await longest(url, ms, null);
    });
    await database.close();
    return figures;
  },
};

/** @returns the id of a submission that waits to be published */
async function ingestReady(context: Context, env: ServerEnv, size: GeneratedCoverage): Promise<string> {
  await ingestGenerated(context, env, size, { publish: 'review' });
  return withClient(env.DATABASE_URL, async (client) => {
    const newest = 'select id from submission order by received_at desc limit 1';
    const { rows } = await client.query<{ id: string }>(newest);
    return rows[0]?.id as string;
  });
}

/** Records a version as compared without comparing it: that takes minutes, ends before a publication, and delays no lookup. */
async function recordAsCompared(database: Database, submissionId: string): Promise<void> {
  const { rows } = await database.query<{ id: number }>(sql`
    select id from dataset where submission_id = ${submissionId}`);
  const id = rows[0]?.id as number;
  const target = await targetOf(database, id);
  if (!target) throw new Error('there is nothing to publish');
  const nothing = { gained_km2: 0, lost_km2: 0, still_covered_km2: 0, downgraded_km2: 0 };
  await recordComparison(database, id, target, { ...nothing, unchanged_km2: 1 });
}

async function ingestProviders(context: Context, env: ServerEnv, count: number): Promise<void> {
  for (let seed = 0; seed < count; seed++) {
    const coverage = { features: context.quick ? 250 : 25_000, vertices: 33, depth: 1, seed };
    const provider = { name: `Bench ${seed}`, url: 'https://bench.example/' };
    await ingestGenerated(context, env, coverage, { provider });
  }
}

async function createKeys({ DATABASE_URL }: ServerEnv, count: number, name = 'Bench'): Promise<string[]> {
  const database = await openServerDatabase(DATABASE_URL);
  const keys: string[] = [];
  for (let i = 0; i < count; i++) keys.push(await createKey(database, `${name} ${i}`));
  // Enough free queries for every customer.
  await database.query('update customer set overage_allowed = true, free_queries = 1000000000');
  // Of fifty customers, who ask often, far above what a bench asks for.
  await database.query(sql`
    update api_key k set customer_id = (select min(c.id) + k.id % 50 from customer c where c.name like 'Capped %')
    from customer c where c.id = k.customer_id and c.name like 'Capped %'`);
  await database.query(sql`
    insert into cap (customer_id, set_by, queries, only_warns, settled_at)
    select id, 'staff', 1000000000, false, now() from customer where name like 'Capped %'
    on conflict do nothing`);
  await database.query('vacuum analyze coverage');
  await database.close();
  return keys;
}

function randomPosition() {
  const { west, south, east, north } = degrees;
  // Not at the edge, where fewer areas lie.
  const between = (from: number, to: number) => from + (to - from) * (0.05 + 0.9 * Math.random());
  return { lat: Number(between(south, north).toFixed(6)), lng: Number(between(west, east).toFixed(6)) };
}

const pathOf = ({ lat, lng }: { lat: number; lng: number }) => `/api/2.0/availability/${lat}/${lng}`;

const lookupOf = (position: { lat: number; lng: number }, key: string) =>
  `GET ${pathOf(position)} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${key}\r\n\r\n`;

/** The statement that one would write: the offers at a position. */
const onePoint = `
\\set lng random(${(degrees.west + 0.45) * 1e6}, ${(degrees.east - 0.45) * 1e6})
\\set lat random(${(degrees.south + 0.5) * 1e6}, ${(degrees.north - 0.5) * 1e6})
select distinct provider.name, provider.url, technology.name, tier.bandwidth_max_mbps, tier.bandwidth_up_max_mbps
from peer.coverage
join tier on tier.id = coverage.tier_id
join dataset on dataset.id = tier.dataset_id and dataset.state = 'published'
join technology on technology.id = dataset.technology_id
join provider on provider.id = dataset.provider_id
where st_intersects(coverage.geom, st_setsrid(st_makepoint(:lng / 1000000.0, :lat / 1000000.0), 4326));
`;

export const lookupParts: Part[] = [overHttp, growth, pause];
