import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { expect, onTestFinished, test } from 'vitest';
import { demoStaffToken, seedDemo } from '../../commands/demo.ts';
import { metricOf } from '../setup/metrics.ts';
import { type MixedLoad, startMixedLoad } from '../setup/mixed-load.ts';
import { type Command, endCommandProcesses, startCommand } from '../setup/processes.ts';
import { type Figures, growth, type ResourceWatch, watchResources } from '../setup/resources.ts';
import { promisedMs, rounds } from '../setup/rounds.ts';
import { useDatabase } from '../setup/service.ts';

/*
 * The whole service under everything that it is used for, for minutes: every answer is right and of one version, every query is counted
 * once, and nothing grows with the work that was done. `SOAK=1` prints the figures.
 */

/** Time between two measurements of the processes. */
const everyMs = rounds(1_000, 5_000);
/** The most that a figure may grow in the later half of the time; {@link others} for figures not listed here. */
const bounds: [name: RegExp, most: number][] = [
  // Modules that are loaded on first use take 10 MB, once.
  [/heap MB$/, 16],
  // V8 and the C library return memory late: after a short time it still grows to its usual size.
  [/memory MB$/, rounds(150, 48)],
  [/MB of a connection$/, rounds(24, 8)],
  [/keys$/, 25],
];
/** Files, connections, clients: some come and go. */
const others = 12;

const settings = {
  RATE_LIMIT_PER_SECOND: '0',
  REGISTRY_RATE: '0',
  // All clients have one address here.
  REFUSED_RATE: '100000',
  REFUSED_BURST: '1000000',
  BULK_RATE: '100000',
  BULK_BURST: '1000000',
  CLOSE_TIME: 'off',
  LOG_LEVEL: 'warn',
  SWEEP_SECONDS: '2',
};

const dataDir = scratchFolder();

function watchOfTest(...given: Parameters<typeof watchResources>): ResourceWatch {
  const watch = watchResources(...given);
  onTestFinished(() => watch.close());
  onTestFinished(endCommandProcesses);
  return watch;
}

test('two APIs and two workers on PostgreSQL and Redis', async () => {
  const { place, database } = await useDatabase();
  await seedDemo(database);
  const watch = watchOfTest(place.config);
  const env = { ...place.env, ...settings, ...watch.env };
  const two = (name: 'api' | 'worker') => Promise.all([startCommand(name, env), startCommand(name, env)]);
  const [apis, workers] = await Promise.all([two('api'), two('worker')]);
  const processes = { 'API 1': apis[0], 'API 2': apis[1], 'worker 1': workers[0], 'worker 2': workers[1] };
  const urls = apis.map(({ url }) => url);
  await soak(processes, urls, watch, rounds(6, 240));
});

test('the whole service in one process, on the embedded database', async () => {
  const watch = watchOfTest({});
  const service = await startCommand('start', { DATA_DIR: dataDir, ...settings, ...watch.env });
  await soak({ service }, [service.url], watch, rounds(4, 160));
});

async function soak(
  processes: Record<string, Command>,
  urls: string[],
  watch: ResourceWatch,
  seconds: number,
): Promise<void> {
  const load = await startMixedLoad(urls, demoStaffToken);
  const pids = Object.fromEntries(
    Object.entries(processes).map(([name, { child }]) => [name, child.pid as number]),
  );
  const until = Date.now() + seconds * 1000;
  const running = load.run(until);
  const series: Figures[] = [];
  const lags: number[] = [];
  while (Date.now() < until) {
    await sleep(everyMs);
    // An API reports the lag of its event loop since the scrape before.
    for (const url of urls) lags.push(await metricOf({ url }, 'nodejs_eventloop_lag_p99_seconds'));
    series.push(await watch.look(pids));
  }
  await running;
  if (process.env.SOAK) print(load, series, lags);
  expect(load.faults).toEqual([]);
  await expectCounted(load);
  for (const [name, { child, output }] of Object.entries(processes)) {
    expect(child.exitCode, name).toBe(null);
    expect(output().split('\n').filter(isWarning), name).toEqual([]);
  }
  const grown = Object.keys(series[0] ?? {}).flatMap((name) => {
    const most = bounds.find(([pattern]) => pattern.test(name))?.[1] ?? others;
    return growth(series, name) > most ? [`${name}: ${series.map((one) => Math.round(one[name] ?? 0))}`] : [];
  });
  expect(grown, 'what grows').toEqual([]);
  // The bound of the alert in deploy/prometheus-rules.yml.
  expect(lags.sort((a, b) => a - b)[Math.floor(lags.length / 2)]).toBeLessThan(promisedMs(200) / 1000);
  for (const { child, ended } of Object.values(processes)) {
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  }
}

/** The load has wrong keys and tokens in it, of which the service warns rightly. */
const isWarning = (line: string) =>
  /"level":[456]0/.test(line) && !line.includes('"msg":"credentials were refused"');

/** Expects the service to have counted each query that was answered. */
async function expectCounted({ counted, staff }: MixedLoad): Promise<void> {
  const usage = async (id: number) => {
    const { keys } = await staff.json<{ keys: { queries: number }[] }>(`/api/staff/customers/${id}/usage`);
    return keys.reduce((sum, { queries }) => sum + queries, 0);
  };
  for (const [id, queries] of counted) await expect.poll(() => usage(id), { timeout: 30_000 }).toBe(queries);
}

function print({ done, counted, faults }: MixedLoad, series: Figures[], lags: number[]): void {
  console.log(JSON.stringify({ done, counted: [...counted], faults: faults.length, lag: Math.max(...lags) }));
  for (const name of Object.keys(series[0] ?? {})) {
    const values = series.map((one) => Math.round(one[name] ?? 0));
    console.log(`${name}: ${values.join(' ')} (${growth(series, name).toFixed(1)} in the later half)`);
  }
}
