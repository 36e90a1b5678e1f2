import { connect, createServer, type Socket } from 'node:net';
import { listening } from './listen.ts';

export type FlakyProxy = Awaited<ReturnType<typeof startFlakyProxy>>;

/**
 * A way to a server, of browsers to the service or of the service to its database, that can be slowed down, cut and restored.
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
    // A cut connection is an error to its other end, and what this is for.
    socket.on('error', () => undefined);
  };
  const server = createServer((browser) => {
    keep(browser);
    if (isCut) return void browser.destroy();
    const service = connect(Number(port), hostname);
    keep(service);
    /** Now, or once the network loses nothing more. */
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
    /** Passes nothing on and says so to nobody, as a network that loses all packets, until it is restored: then it passes all on. */
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
