import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { allowNetwork } from '../access/registrars.ts';
import { openServerDatabase } from '../platform/database/server/server.ts';
import { isFault, readName } from '../registry/names.ts';
import { readTerms, takenNamesSql } from '../registry/register.ts';
import { alone, type Figure, inTurns, ratio } from './figures.ts';
import { generatedName, generateRegister } from './generate-register.ts';
import { apiCommand, httpLoad, importOnce, type Part, pgbench, withServer } from './measure.ts';

const connections = 32;

/** The registry on servers: the import of a whole register, then requests a second over HTTP beside pgbench with the same SQL and names. */
export const registryPart: Part = {
  names: ['registry_1000_vs_pgbench', 'registry_string_vs_pgbench', 'registry_import'],
  async run({ folder, quick, newServerDatabase }) {
    const env = await newServerDatabase('bench_registry');
    // The number of names registered under nz.
    const registered = quick ? 5_000 : 730_000;
    const file = path.join(folder, 'register.csv');
    await generateRegister(file, registered);
    const figures: Record<string, Figure> = { registry_import: alone([importOnce(env, file)], 's') };
    const database = await openServerDatabase(env.DATABASE_URL, { connections: 2 });
    await allowNetwork(database, 'Bench', '127.0.0.0/8');
    await database.query('vacuum analyze domain');
    const { zones, letters } = await readTerms(database);
    await database.close();
    const stored = (names: string[]) =>
      names.map((name) => {
        const read = readName(name, letters);
        if (isFault(read)) throw new Error(`${name}: ${read}`);
        return read.domain;
      });
    // Half of the names in requests are registered.
    const anyNumber = () => Math.floor(Math.random() * 2 * registered);
    const many = Array.from({ length: 20 }, () =>
      Array.from({ length: quick ? 100 : 1_000 }, () => generatedName(anyNumber())),
    );
    const labels = Array.from({ length: 100 }, () => `business-${anyNumber()}`);

    const api = apiCommand({ ...env, REGISTRY_RATE: '1000000', REGISTRY_BURST: '100000000' });
    await withServer(api, async (url) => {
      /** Both ask for the same names over as many connections. */
      const compare = async (requests: string[], names: string[][]): Promise<Figure> => {
        // The names are a parameter of the prepared statement, as they are for covermap.
        const scripts = names.flatMap((list, index) => {
          const script = path.join(folder, `registry-${index}.sql`);
          const sql = takenNamesSql.replaceAll('$1', `:names${index}`).replaceAll('$2', 'now()');
          writeFileSync(script, `${sql.replaceAll('\n', ' ')};\n`);
          return ['-f', script, '-D', `names${index}=${list.join()}`];
        });
        const [runs, ms] = quick ? [1, 1_000] : [5, 4_000];
        await httpLoad(url, requests, connections, ms / 2);
        const { ours, peer } = await inTurns(
          runs,
          async () => (await httpLoad(url, requests, connections, ms)).rate,
          async () => pgbench(env.DATABASE_URL, connections, ms, scripts),
        );
        return ratio(ours, peer, 'requests a second, pgbench the same SQL', '>= 0.6');
      };
      figures.registry_1000_vs_pgbench = await compare(
        many.map((names) => {
          const body = names.map((name) => `domains%5B%5D=${encodeURIComponent(name)}`).join('&');
          return `GET /1.0/availability HTTP/1.1\r\nHost: registry\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
        }),
        many.map(stored),
      );
      figures.registry_string_vs_pgbench = await compare(
        labels.map((label) => `GET /1.0/availability?string=${label} HTTP/1.1\r\nHost: registry\r\n\r\n`),
        labels.map((label) => stored(zones.map((zone) => `${label}.${zone}`))),
      );
    });
    return figures;
  },
};
