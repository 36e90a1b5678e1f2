import { rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runCommandProcess } from '../test/setup/processes.ts';
import { type Aims, alone, type Spent, spentFigures } from './figures.ts';
import { type Context, ingestOnce, type Part, run, spent } from './measure.ts';

/* The waits of a person: for an install, a start, a small file. */

const inProject = (name: string) => fileURLToPath(new URL(`../${name}`, import.meta.url));

const install: Part = {
  names: ['install_mb'],
  async run() {
    // The size of dependencies from `npm ci`; tools keep caches in folders with a dot.
    const kilobytes = run('du', ['-sk', '--exclude=.*cache', '--exclude=.vite*', inProject('node_modules')]);
    return { install_mb: alone([Number(kilobytes.split('\t')[0]) / 1024], 'MB', '<= 350') };
  },
};

const start: Part = {
  names: ['start_first', 'start_again'],
  async run(context) {
    const first: Spent[] = [];
    const again: Spent[] = [];
    for (let i = 0; i < (context.quick ? 1 : 3); i++) {
      const folder = path.join(context.folder, 'start');
      first.push(await untilReady(folder));
      again.push(await untilReady(folder));
      rmSync(folder, { recursive: true });
    }
    return {
      ...spentFigures('start_first', first, { wall: '<= 15', processor: null }),
      ...spentFigures('start_again', again, { wall: '<= 3', processor: null }),
    };
  },
};

async function untilReady(folder: string): Promise<Spent> {
  let command: ReturnType<typeof runCommandProcess> | undefined;
  const took = await spent(async () => {
    command = runCommandProcess('start', [], { DATA_DIR: folder });
    await command.printed(/covermap is ready/);
  });
  command?.child.kill('SIGTERM');
  await command?.ended;
  return took;
}

/** A sample of seven polygons, from submission to publication. */
function smallFile(
  name: string,
  aims: Aims,
  envOf: (context: Context) => Promise<Record<string, string>>,
): Part {
  return {
    names: [name],
    async run(context) {
      const files = Array.from({ length: context.quick ? 1 : 7 }, (_, i) => ({
        file: inProject('samples/fibre-north.zip'),
        provider: { name: `Bench ${i}`, url: 'https://bench.example/' },
      }));
      return spentFigures(name, ingestOnce(await envOf(context), ...files), aims);
    },
  };
}

export const localParts: Part[] = [
  install,
  start,
  smallFile('small_file_embedded', { wall: '<= 1', processor: '<= 1' }, async ({ folder }) => ({
    DATA_DIR: path.join(folder, 'small'),
  })),
];

export const smallFileOnServers = smallFile(
  'small_file_server',
  { wall: '<= 1', processor: null },
  ({ newServerDatabase }) => newServerDatabase('bench_small'),
);
