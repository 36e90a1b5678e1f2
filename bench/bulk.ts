import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createKey } from '../core/access/api-keys.ts';
import { openServerDatabase } from '../core/database/server/server.ts';
import { httpLoad, median, number, print, timed, withApi } from './common.ts';
import { generatedArea } from './generate.ts';

const count = 10_000;

/** Lists over HTTP beside single lookups over HTTP, of the same points from the same server, all of them counted. */
export async function benchBulk(databaseUrl: string, env: Record<string, string>): Promise<void> {
  const database = await openServerDatabase(databaseUrl);
  const key = await createKey(database, 'Bench');
  await database.close();
  const limits = { RATE_LIMIT_PER_SECOND: '0', BULK_RATE: '1000000', BULK_BURST: '100000000' };
  await withApi({ ...env, ...limits }, async (url) => {
    const { west, south, east, north } = generatedArea;
    const points = Array.from({ length: count }, () => [
      Number((south + Math.random() * (north - south)).toFixed(7)),
      Number((west + Math.random() * (east - west)).toFixed(7)),
    ]);
    const requests = points.map(
      ([lat, lng]) =>
        `GET /api/2.0/availability/${lat}/${lng} HTTP/1.1\r\nHost: bench\r\nx-api-key: ${key}\r\n\r\n`,
    );
    const own: number[] = [];
    const peer: number[] = [];
    let bytes = 0;
    for (let run = 0; run < 5; run++) {
      const seconds = await timed(async () => {
        bytes = await post(`${url.origin}/api/2.0/availability/bulk`, key, JSON.stringify(points));
      });
      own.push(count / seconds);
      peer.push((await httpLoad(url, requests, 64, 2000)).rate);
    }
    print(
      `Lists of ${number(count)} random points over HTTP, NDJSON of ${number(bytes / 1e6, 1)} MB (median of 5)`,
    );
    print(`  a list                              ${number(median(own))} points/s`);
    print(`  single lookups, 64 connections      ${number(median(peer))} points/s`);
    print(`  ratio ${number(median(own) / median(peer), 2)}\n`);
  });
}

/** @returns the bytes of the answer */
async function post(url: string, key: string, body: string): Promise<number> {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' };
  const sent = request(url, { method: 'POST', headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
  let bytes = 0;
  for await (const chunk of response) bytes += chunk.length;
  return bytes;
}
