import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { LocalBuckets } from '../../access/rate-limit/rate-limit.ts';
import { listAddresses, titirangi } from '../setup/addresses.ts';
import { client as operator } from '../setup/operator.ts';
import { runProgram, runScript } from '../setup/processes.ts';
import { startApiAlone, useService } from '../setup/service.ts';

/* The scripts of `examples/`, as somebody runs them. */

const here = ['-36.975', '174.525'];
const nowhere = ['-45', '170'];

const service = await useService({ publishBlocks: { lostPercent: 20, warnings: [] } });
const { token } = await operator(service.api.url, service.database, 'Example Networks');
const env = {
  PYTHONDONTWRITEBYTECODE: '1',
  COVERMAP_URL: service.api.url,
  COVERMAP_KEY: service.key,
  COVERMAP_TOKEN: token,
};
const north = await zippedRectangle(174.5, -37, 174.55, -36.95);
const speeds = { bandwidth_max_mbps: 950, bandwidth_up_max_mbps: 500 };
await service.ingest(north, { provider: 'Kauri Fibre', technology: 'fibre', speeds });
const planned = { availability: 'planned', planned_date: '2031-03-31' } as const;
await service.ingest(north, { provider: 'Tui Wireless', technology: 'wireless', ...planned });

await listAddresses(service.database, [{ id: '7', label: '2', ...titirangi }]);

async function run([program = '', ...words]: string[], more: Record<string, string> = {}) {
  const command =
    program === 'node'
      ? runScript(words, { ...env, ...more })
      : runProgram(program, words, { ...env, ...more });
  return { status: await command.ended, output: command.output() };
}

const says = 'Up to 950 Mbps by fibre from Kauri Fibre\nPlanned: wireless from Tui Wireless, 2031-03-31\n';
const hasPython = spawnSync('python3', ['--version']).status === 0;

describe.each([
  ['TypeScript', ['node', 'examples/ask.ts'], true],
  ['Python', ['python3', 'examples/ask.py'], hasPython],
])('asked in %s', (_name, words, isThere) => {
  test.runIf(isThere)('what there is, nothing, and an error', async () => {
    expect(await run([...words, ...here])).toEqual({ status: 0, output: says });
    expect(await run([...words, ...nowhere])).toEqual({ status: 0, output: 'Nothing is available here\n' });
    const refused = await run([...words, ...here], { COVERMAP_KEY: 'wrong' });
    expect(refused).toEqual({ status: 1, output: expect.stringMatching(/403.*Forbidden/) });
  });
});

/**
 * Runs Python with the client of `examples/`, against an API that lets a key ask so often; `asked` says what the rate allowed.
 * @param isEmptied as its first request comes, another process takes all that the key holds
 */
async function python(lines: string, { perSecond = 10, burst = 20, isEmptied = false } = {}) {
  const rate = { perSecond, burst };
  const buckets = new LocalBuckets(rate);
  const asked: boolean[] = [];
  const take = (id: number, count?: number) => {
    if (isEmptied && asked.length === 0) while (buckets.take(id).allowed);
    const taken = buckets.take(id, count);
    asked.push(taken.allowed);
    return taken;
  };
  const place = { config: service.config };
  const api = await startApiAlone(place, service.database, undefined, {
    limit: { rate, take, close: async () => {} },
  });
  const code = `import threading
from concurrent.futures import ThreadPoolExecutor
from covermap import *
covermap = Covermap("${api.url}", "${service.key}")
path = "/api/2.0/availability/${here.join('/')}"
${lines}`;
  const { status, output } = await run(['python3', '-c', code], { PYTHONPATH: 'examples' });
  await api.close();
  return { status, output, asked };
}

describe.runIf(hasPython)('the client in Python', () => {
  test('thirty threads are all answered, none refused', async () => {
    const { status, output, asked } = await python(`
with ThreadPoolExecutor(30) as threads:
    print(len([answer["results"] for answer in threads.map(covermap.get, [path] * 30)]))`);
    expect({ status, output }).toEqual({ status: 0, output: '30\n' });
    expect(asked).toEqual(Array(30).fill(true));
  });

  test('a key that another process has emptied is waited for', async () => {
    const lines = `
with ThreadPoolExecutor(10) as threads:
    print(len(list(threads.map(covermap.get, [path] * 10))))`;
    const { output, asked } = await python(lines, { isEmptied: true });
    expect(output).toBe('10\n');
    expect(asked.filter((allowed) => allowed)).toHaveLength(10);
    expect(asked).toContain(false);
  });

  test('errors have a type, and what the API says', async () => {
    const { output } = await python(`
def say(ask):
    try:
        print(ask())
    except CovermapError as error:
        print(type(error).__name__, error.status, error.code, error, error.hint is not None)
say(lambda: Covermap(covermap._url, "wrong").get(path))
say(lambda: covermap.get("/api/2.0/availability/0/0"))
say(lambda: covermap.get("/api/2.0/nothing"))
say(lambda: Covermap(covermap._url).get("/api/operator/catalog"))
say(lambda: [answer["id"] for answer in covermap.post("/api/2.0/availability/bulk", [{"id": "a", "lat": -37, "lng": 174.5}])])`);
    expect(output.split('\n')).toEqual([
      'NotAllowed 403 403 Forbidden False',
      expect.stringMatching(/^BadRequest 400 400 .+ False$/),
      expect.stringMatching(/^NotFound 404 .+$/),
      expect.stringMatching(/^NotAllowed 401 not_signed_in .+ True$/),
      "['a']",
      '',
    ]);
  });

  test('a text of an address is answered, or has candidates', async () => {
    const { output } = await python(`
for q in ["2 Rata St, Titirangi", "6 Rata St, Titirangi"]:
    answer = covermap.get("/api/2.0/availability/address", q=q)
    print(answer.get("address"), [(one["text"], one["match"]) for one in answer.get("candidates", [])])
print(covermap.get("/api/2.0/addresses", q="2 rata", limit=1)["results"][0]["id"])`);
    expect(output.split('\n')).toEqual([
      expect.stringMatching(
        /^\{'id': '7', 'text': '2 Rata Street, Titirangi, Auckland', 'match': 'exact', 'score': .*\} \[\]$/,
      ),
      "None [('Rata Street, Titirangi, Auckland', 'street')]",
      '7',
      '',
    ]);
  });

  test('waits end: a longer one than may be and a full queue at once, the others when the client is closed', async () => {
    const slow = { perSecond: 0.001, burst: 1 };
    const { status, output } = await python(
      `
covermap.get(path)
try:
    Covermap(covermap._url, "${service.key}").get(path)
except RateLimited as error:
    print(error.status, error.retry_after > 900)
closing = Covermap(covermap._url, "${service.key}", max_wait=2000, max_waiting=1)
def wait():
    try:
        closing.get(path)
    except Closed:
        print("closed")
thread = threading.Thread(target=wait)
thread.start()
while not closing._paces["key"]._waiting or not closing._paces["key"]._answered:
    time.sleep(0.01)
try:
    closing.get(path)
except TooManyWaiting as error:
    print(error.hint)
closing.close()
thread.join()`,
      slow,
    );
    const hint = 'Ask for many positions in one request: /api/2.0/availability/bulk.';
    expect({ status, output }).toEqual({ status: 0, output: `429 True\n${hint}\nclosed\n` });
  });
});

test('asked in a shell, the answer is printed', async () => {
  const { status, output } = await run(['examples/ask.sh', ...here]);
  expect(status).toBe(0);
  expect(JSON.parse(output).results[0]).toMatchObject({ technology: 'fibre', availability: 'available' });
  expect((await run(['examples/ask.sh', ...here], { COVERMAP_KEY: 'wrong' })).status).not.toBe(0);
});

test('coverage is uploaded and live, the same again at once; what has to be looked at, and what failed, is said', async () => {
  const folder = scratchFolder();
  const put = (name: string, content: string | Uint8Array) => {
    const file = path.join(folder, name);
    writeFileSync(file, content);
    return file;
  };
  const speeds = { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 };
  const provider = { name: 'Example Networks', url: 'https://networks.example/' };
  const manifest = put('manifest.json', JSON.stringify({ provider, technology: 'cable', speeds }));
  const publish = (file: string) => run(['node', 'examples/publish.ts', file, manifest]);
  const whole = put('whole.zip', (await zippedRectangle(174.6, -37, 174.65, -36.95)).bytes);
  expect(await publish(whole)).toEqual({ status: 0, output: expect.stringMatching(/^Live: .*submission/m) });
  expect((await publish(whole)).status).toBe(0);
  const wider = put('wider.zip', (await zippedRectangle(174.6, -37, 174.655, -36.95)).bytes);
  for (const [file, there] of [
    [wider, 'available'],
    // The operator takes the change back.
    [whole, 'unavailable'],
  ] as const) {
    expect(await publish(file)).toEqual({ status: 0, output: expect.stringMatching(/^Live: .*submission/m) });
    const { results } = await service.at(-36.975, 174.652);
    expect(results.find(({ technology }) => technology === 'cable')?.availability).toBe(there);
  }
  const half = put('half.zip', (await zippedRectangle(174.6, -37, 174.62, -36.95)).bytes);
  const blocked = expect.stringMatching(/lost.*\n*.*It waits for you/s);
  expect(await publish(half)).toEqual({ status: 2, output: blocked });
  const failed = expect.stringMatching(/^[a-z_]+: .+\. .+\.$/m);
  expect(await publish(put('empty.zip', 'nothing'))).toEqual({ status: 1, output: failed });
});
