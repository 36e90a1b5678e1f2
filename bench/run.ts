import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type PrivateServers, startPrivateServers } from '../test/setup/private-servers.ts';
import { endCommandProcesses } from '../test/setup/processes.ts';
import { findOrInstallServers } from '../test/setup/server-binaries.ts';
import { addressSearchPart, embeddedAddressPart } from './address-search.ts';
import { addressesFilePart } from './addresses-file.ts';
import { addressesImportPart } from './addresses-import.ts';
import { benchAgainst } from './against.ts';
import { type Figure, line } from './figures.ts';
import { hostilePart } from './hostile.ts';
import { ingestParts } from './ingest.ts';
import { lookupParts } from './lookups.ts';
import { type Context, type Part, withClient } from './measure.ts';
import { predictPart } from './predict.ts';
import { premisesPart } from './premises.ts';
import { registryPart } from './registry.ts';
import { localParts, smallFileOnServers } from './start.ts';
import { statisticsPart } from './statistics.ts';
import { tilesPart } from './tiles.ts';

const usage = `npm run bench -- [names] [--against commit] [--quick] [--json]

  names      figures to make, or how their names begin; without: all
  --against  the same figures of another commit beside this tree's, in turns, each by its own benchmark
  --quick    each once and on little data, which shows that all of it works and nothing of how fast it is
  --json     as the last line all figures as one JSON object, by name

Each figure is the median of runs in turns with its peer on this machine; ratios are what to compare.`;

const parts: { part: Part; servers: boolean }[] = [
  ...[...localParts, embeddedAddressPart, predictPart].map((part) => ({ part, servers: false })),
  ...[
    smallFileOnServers,
    ...ingestParts,
    ...lookupParts,
    registryPart,
    addressesImportPart,
    addressSearchPart,
    addressesFilePart,
    premisesPart,
    statisticsPart,
    tilesPart,
    hostilePart,
  ].map((part) => ({
    part,
    servers: true,
  })),
];

const { values: options, positionals: names } = readOptions();
const isAsked = (name: string) => names.length === 0 || names.some((asked) => name.startsWith(asked));
const chosen = parts.filter(({ part }) => part.names.some(isAsked));
const isUnknown = (asked: string) =>
  !parts.some(({ part }) => part.names.some((name) => name.startsWith(asked)));
if (options.help || names.some(isUnknown)) showUsage(options.help ? 0 : 2);

let redisDatabase = 0;
// For child processes, too.
if (options.quick) process.env.BENCH_QUICK = 'yes';
const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-bench-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(1);
  });
}
try {
  if (options.against === undefined) await main();
  else {
    const same = options.quick ? [...names, '--quick'] : names;
    console.log(`\n${(await benchAgainst(options.against, folder, same)).join('\n')}`);
  }
} finally {
  cleanUp();
}

function readOptions() {
  const flag = { type: 'boolean', default: false } as const;
  try {
    return parseArgs({
      options: { quick: flag, json: flag, help: flag, against: { type: 'string' } },
      allowPositionals: true,
    });
  } catch {
    return showUsage(2);
  }
}

function showUsage(status: number): never {
  console.log(usage);
  console.log(`\nnames: ${parts.flatMap(({ part }) => part.names).join(', ')}`);
  process.exit(status);
}

async function main(): Promise<void> {
  console.log(`${os.cpus().length} cores, Node ${process.version}`);
  const figures: Record<string, Figure> = {};
  const makeFigures = async (servers: boolean, newServerDatabase: Context['newServerDatabase']) => {
    for (const { part } of chosen.filter((one) => one.servers === servers)) {
      const made = await part.run({ folder, quick: options.quick, newServerDatabase });
      for (const [name, figure] of Object.entries(made)) console.log(line(name, figure));
      Object.assign(figures, made);
    }
  };
  await makeFigures(false, async () => Promise.reject(new Error('not on servers')));
  if (chosen.some(({ servers }) => servers)) {
    const binaries = findOrInstallServers();
    if (typeof binaries === 'string') throw new Error(binaries);
    // PostgreSQL's default is for the smallest machines; the peers have the same.
    const servers = await startPrivateServers(binaries, { shared_buffers: '1GB' });
    try {
      await makeFigures(true, (name) => newServerDatabase(servers, name));
    } finally {
      await servers.stop();
    }
  }
  if (options.json) console.log(JSON.stringify(figures));
}

async function newServerDatabase({ postgresUrl, redisUrl }: PrivateServers, name: string) {
  await withClient(postgresUrl, async (client) => {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.query(`create database ${name}`);
  });
  redisDatabase++;
  const data = path.join(folder, `data-${redisDatabase}`);
  mkdirSync(data);
  return {
    DATABASE_URL: postgresUrl.replace(/\/postgres$/, `/${name}`),
    REDIS_URL: `${redisUrl}/${redisDatabase}`,
    DATA_DIR: data,
  };
}

function cleanUp(): void {
  endCommandProcesses();
  rmSync(folder, { recursive: true, force: true });
}
