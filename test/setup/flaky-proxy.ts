import { connect, createServer, type Socket } from 'node:net';
import { listening } from './listen.ts';

export type FlakyProxy = Awaited<ReturnType<typeof startFlakyProxy>>;

/**
 * A proxy to a server, from browsers to the service or from the service to its database, that can be slowed down, cut and restored.
 * @param target the service's address
 */
export async function startFlakyProxy(target: string) {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const lost = new Set<() => void>();
  let isCut = false;
  let loses = false;
  let rate: number | undefined;
  let passed = 0;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // The other end sees a cut as an error: that is intended.
    socket.on('error', () => undefined);
  };
  const server = createServer((browser) => {
    keep(browser);
    if (isCut) return void browser.destroy();
    const service = connect(Number(port), hostname);
    keep(service);
    /** Passes data on now, or once the network works again. */
    const pass = (work: () => void) => {
      if (loses) lost.add(work);
      else work();
    };
    browser.on('data', (chunk) => {
      pass(() => service.write(chunk));
      passed += chunk.length;
      if (rate === undefined) return;
      browser.pause();
      setTimeout(() => browser.resume(), (1000 * chunk.length) / rate);
    });
    service.on('data', (chunk) => pass(() => browser.write(chunk)));
    browser.on('close', () => pass(() => service.destroy()));
    service.on('close', () => pass(() => browser.destroy()));
  });
  const url = await listening(server);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url,
    /** Bytes that have gone to the service so far. */
    passed: () => passed,
    /** How much goes to the service in a second, at most; undefined for as much as there is. */
    limit(bytesPerSecond: number | undefined) {
      rate = bytesPerSecond;
    },
    /** Ends all connections, and accepts none until it is restored. */
    cut() {
      isCut = true;
      drop();
    },
    /** Holds all data back silently, as a network that loses packets; once restored, it passes everything on. */
    lose() {
      loses = true;
    },
    mend() {
      isCut = false;
      loses = false;
      for (const work of lost) work();
      lost.clear();
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
