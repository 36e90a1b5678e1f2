import { writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into a process before anything else (`--import`): on SIGUSR2 it collects garbage and writes what memory is in use after that
 * into the folder MEMORY_FOLDER.
 */

if (isMainThread && process.env.MEMORY_FOLDER) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    writeFileSync(`${process.env.MEMORY_FOLDER}/${process.pid}`, JSON.stringify(process.memoryUsage()));
  });
}
