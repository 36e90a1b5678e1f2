import { globalAgent } from 'node:http';
import { Readable } from 'node:stream';
import { allowNetwork } from '../../access/registrars.ts';
import type { ApiParts } from '../../api/context.ts';
import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger, type Logger } from '../../platform/logger.ts';
import { type ImportOptions, importRegister } from '../../registry/import.ts';
import { type Asked, request } from './load.ts';
import { useApi, useDatabase } from './service.ts';

export const availableEntry = (domain: string) => ({ status: 'Available', code: '220', domain });

export interface Entry {
  status: string;
  code: string;
  domain: string;
  original?: string;
}

/** A register and the API on it, without workers, for all tests of a file: nothing is released unless a test says so. */
export async function useRegistry(
  changes: Partial<Config> = {},
  logger: Logger = createLogger('silent'),
  parts: ApiParts = {},
) {
  const { place, database } = await useDatabase(changes);
  await allowNetwork(database, 'This machine', '127.0.0.0/8');
  const { config } = place;
  const api = await useApi({ config }, database, logger, parts);
  /** GET with a path, from this machine, which is on the list. */
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${api.url}${path}`, { headers });
  return {
    place,
    config,
    database,
    api,
    get,
    async check(...domains: string[]) {
      const query = domains.map((domain) => `domains[]=${encodeURIComponent(domain)}`).join('&');
      const response = await get(`/1.0/availability?${query}`);
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
      return (await response.json()) as Entry[];
    },
    import: (lines: string[], options?: Partial<ImportOptions>) => importLines(database, lines, options),
  };
}

/** Imports lines of CSV, without their header, however many of the known names they lack. */
export function importLines(database: Database, lines: string[], options: Partial<ImportOptions> = {}) {
  const bytes = Buffer.from(`domain,registered,cancelled\n${lines.join('\n')}\n`);
  return importRegister(
    database,
    { name: 'test.csv', size: bytes.length, chunks: Readable.from([bytes]) },
    { changesOnly: false, acceptGone: true, onProgress: () => undefined, ...options },
  );
}

/** A request as `fetch` does not make it: a GET with a body. */
export function send(
  url: string,
  { method = 'GET', body = '', headers = {} }: Partial<Asked> & { body?: string | Buffer },
) {
  const length = headers['transfer-encoding'] ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return request(url, globalAgent, { path: url, method, body, headers: { ...length, ...headers } });
}
