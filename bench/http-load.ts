import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface Load {
  host: string;
  port: number;
  /** Whole requests; each is sent at random. */
  requests: Uint8Array[];
  connections: number;
  /** The duration; null: until a message comes. */
  ms: number | null;
}

export interface LoadResult {
  answers: number;
  /** Answers other than 200. */
  failures: number;
  /** The latency of each answer, in ms. */
  latencies: Float64Array;
}

// A thread that asks over plain sockets: an HTTP client would take as much of the machine as the server does.
const { host, port, requests, connections, ms } = workerData as Load;
let until = ms === null ? Number.POSITIVE_INFINITY : performance.now() + ms;
parentPort
  ?.once('message', () => {
    until = 0;
  })
  .unref();
const latencies: number[] = [];
let failures = 0;

await Promise.all(Array.from({ length: connections }, ask));
const result: LoadResult = { answers: latencies.length, failures, latencies: Float64Array.from(latencies) };
parentPort?.postMessage(result);

/** Asks over one connection, again after each answer. */
function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, host);
    let sent = 0;
    let missing = 0;
    let head = '';
    const send = () => {
      if (performance.now() >= until) {
        socket.end();
        return resolve();
      }
      sent = performance.now();
      head = '';
      missing = -1;
      socket.write(requests[Math.floor(Math.random() * requests.length)] as Uint8Array);
    };
    socket.setNoDelay(true);
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (missing === -1) {
        head += chunk.toString('latin1');
        const end = head.indexOf('\r\n\r\n');
        if (end === -1) return;
        missing = Number(/content-length: (\d+)/i.exec(head)?.[1]) - (head.length - end - 4);
        if (!head.startsWith('HTTP/1.1 200')) failures++;
      } else {
        missing -= chunk.length;
      }
      if (missing === 0) {
        latencies.push(performance.now() - sent);
        send();
      }
    });
  });
}
