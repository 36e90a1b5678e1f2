import path from 'node:path';
import { runCommandProcess } from '../test/setup/processes.ts';
import { number, print, processorSeconds, runOnce, timed } from './common.ts';

interface Spent {
  wall: number;
  processor: number;
}

const spent = ({ wall, processor }: Spent) =>
  `${number(wall, 2)} s, ${number(processor, 2)} processor seconds`;

/** What a person waits for: a small file from submission to publication. `name`: of the figure */
export async function benchSmallFile(name: string, env: Record<string, string>): Promise<void> {
  const { first, later } = await runOnce<{ first: Spent; later: Spent }>('small-once.ts', [], env);
  print(`${name}, 7 polygons: ${spent(later)}; the first after a start ${spent(first)}\n`);
}

/** npm start on an empty folder, with the samples, and again. */
export async function benchStart(folder: string): Promise<void> {
  for (const name of ['start_first', 'start_again']) {
    let processor = -processorSeconds(process.pid);
    let wall = 0;
    const whole = await timed(async () => {
      const started = performance.now();
      const command = runCommandProcess('start', [], { DATA_DIR: path.join(folder, 'start') });
      await command.printed(/covermap is ready/);
      wall = (performance.now() - started) / 1000;
      processor += processorSeconds(process.pid);
      command.child.kill('SIGTERM');
      await command.ended;
    });
    print(`${name}: ${spent({ wall, processor })} until ready; stopped again after ${number(whole, 1)} s`);
  }
  print('');
}
