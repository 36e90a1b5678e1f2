import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Probed, startProber, staysResponsive } from '../setup/probe.ts';

/* The probe beside every attack notices a process that is held up, and passes one that is not. */

const service = `
  const processorMs = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  const server = require('node:http').createServer({ keepAliveTimeout: 60_000 }, ({ url }, response) => {
    const until = processorMs() + Number(url.slice(1));
    while (processorMs() < until);
    response.end();
  });
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;
let child: ChildProcess;
let probed: Probed;

beforeAll(async () => {
  child = spawn(process.execPath, ['-e', service], { stdio: ['ignore', 'pipe', 'inherit'] });
  const prober = startProber();
  await once(prober, 'message');
  const [port] = await once(child.stdout as NodeJS.ReadableStream, 'data');
  const url = `http://127.0.0.1:${String(port).trim()}`;
  probed = { url, pid: child.pid as number, prober, output: () => '' };
});
afterAll(() => {
  probed?.prober.disconnect();
  child?.kill('SIGKILL');
});

/** Two requests at once that each take this processor time. */
const burn = (ms: number) => () =>
  Promise.all(
    Array.from({ length: 2 }, () => fetch(`${probed.url}/${ms}`).then((response) => response.text())),
  );

test('300 ms of the processor in a handler are noticed', async () => {
  await expect(staysResponsive(probed, burn(300))).rejects.toThrow(/healthz took/);
});

test('20 ms are not', async () => {
  await staysResponsive(probed, burn(20));
});
