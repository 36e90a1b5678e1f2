import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** A connection between a browser and the service that can be slowed down, cut and restored. */
export interface FlakyProxy {
  url: string;
  /** How much goes to the service in a second, at most; undefined for as much as there is. */
  limit(bytesPerSecond: number | undefined): void;
  /** Bytes that have gone to the service so far. */
  passed(): number;
  /** Ends all connections, and accepts none until it is restored. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
}

/** @param target the service's address */
export async function startFlakyProxy(target: string): Promise<FlakyProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
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
    browser.on('data', (chunk) => {
      service.write(chunk);
      passed += chunk.length;
      if (rate === undefined) return;
      browser.pause();
      setTimeout(() => browser.resume(), (1000 * chunk.length) / rate);
    });
    service.pipe(browser);
    browser.on('close', () => service.destroy());
    service.on('close', () => browser.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    passed: () => passed,
    limit(bytesPerSecond) {
      rate = bytesPerSecond;
    },
    cut() {
      isCut = true;
      drop();
    },
    mend() {
      isCut = false;
    },
    async close() {
      drop();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
