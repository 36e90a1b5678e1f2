import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/*
 * The two processes beside a probe (probe.ts). `prober.mjs` asks a service and a control for /healthz, again and again,
 * while it is told to. `prober.mjs control` is that control: nothing but node:http, on the same machine at the same time.
 * Both end with the process that started them.
 */

const everyMs = 50;
process.on('disconnect', () => process.exit());
if (process.argv[2] === 'control') serveControl();
else await serveProbe();

/* Keeps a connection as long as the service does: after Node's own 5 seconds, a busy machine would close it on a question. */
function serveControl() {
  const options = { keepAliveTimeout: 60_000 };
  const server = createServer(options, (_request, response) => response.end('{"status":"ok"}'));
  server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`));
}

async function serveProbe() {
  const child = fork(new URL(import.meta.url), ['control']);
  const control = { pid: child.pid, url: await new Promise((resolve) => child.once('message', resolve)) };
  let stopping;
  process.on('message', async (service) => {
    if (service === 'stop') return stopping.abort();
    stopping = new AbortController();
    process.send(await probe(service, control, stopping.signal));
  });
  process.send('ready');
}

/** Asks both until it is told to stop, and once more. The first answer, which opens the connection, is not counted. */
async function probe(service, control, stop) {
  const sides = [service, control].map((side) => ({ ...side, agent: new Agent({ keepAlive: true }) }));
  const figures = { asked: 0, longestMs: 0, controlMs: 0, heldUpMs: 0 };
  try {
    await Promise.all(sides.map(ask));
    process.send('probing');
    for (let last = false; !last; ) {
      last = stop.aborted;
      const next = sleep(everyMs, undefined, { signal: last ? undefined : stop }).catch(() => undefined);
      const [serviceMs, controlMs] = await Promise.all(sides.map(ask));
      figures.asked++;
      figures.longestMs = Math.max(figures.longestMs, serviceMs);
      figures.controlMs = Math.max(figures.controlMs, controlMs);
      // Asked at the same moment: what kept both waiting is the machine's.
      figures.heldUpMs = Math.max(figures.heldUpMs, serviceMs - controlMs);
      if (!last) await next;
    }
    return figures;
  } catch (error) {
    return { ...figures, failed: String(error) };
  } finally {
    for (const { agent } of sides) agent.destroy();
  }
}

/** How long the answer took, in ms, without the time that the process, or this one, was ready to run and no processor was free. */
async function ask({ url, pid, agent }) {
  const waited = waitedMs(pid) + waitedMs(process.pid);
  const begin = performance.now();
  await new Promise((resolve, reject) => {
    const request = get(`${url}/healthz`, { agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`/healthz answered ${response.statusCode}`));
      response.resume().on('end', resolve).on('error', reject);
    });
    request.on('error', reject);
  });
  return Math.max(0, performance.now() - begin - (waitedMs(pid) + waitedMs(process.pid) - waited));
}

/** How long the main thread of a process has waited for a processor since it began; 0 where the kernel does not say. */
function waitedMs(pid) {
  return readNumber(`/proc/${pid}/task/${pid}/schedstat`, /^\d+ (\d+)/) / 1e6;
}

function readNumber(file, pattern) {
  try {
    return Number(pattern.exec(readFileSync(file, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
