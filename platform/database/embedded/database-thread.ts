import { mkdirSync, openAsBlob, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { brotliDecompress } from 'node:zlib';
import { PGlite, types as pgTypes } from '@electric-sql/pglite';

import {
  inMemory,
  type ThreadError,
  type ThreadMessage,
  type ThreadOptions,
  type ThreadRequest,
  type ThreadResult,
} from './messages.ts';
import { postgis } from './postgis.ts';
import { tarEntries } from './tar.ts';

/* PGlite never yields the processor during a statement and cannot be interrupted: in a thread of its own it holds up only the next statement, and
   a statement that never ends is ended with its thread. */

/** The settings of every session. BullMQ's functions live in a schema of their own and name their tables without it. */
const sessionSettings = 'set search_path = public, bullmq; set client_min_messages = warning';

const parsers = { [pgTypes.INT8]: Number, [pgTypes.DATE]: (value: string) => value };

async function open({ dataDir, template }: ThreadOptions): Promise<PGlite> {
  const loadDataDir = template && dataDir === inMemory ? await openTemplate(template) : undefined;
  if (template && dataDir !== inMemory) await unpackTemplate(template, dataDir);
  const options = { dataDir, extensions: { postgis }, parsers, ...(loadDataDir && { loadDataDir }) };
  const pglite = await PGlite.create(options);
  await pglite.exec(sessionSettings);
  return pglite;
}

/** Does nothing where the file is damaged: the database is then made without it, which takes longer. */
async function unpackTemplate(file: string, dataDir: string): Promise<void> {
  const archive = await (await openTemplate(file))?.arrayBuffer();
  if (!archive) return;
  // The archive of a database on the disk has no entry for it.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // PGlite would do it, too, each file through the calls of a system that it imitates: 1.5 s.
  const made = new Set<string>();
  for (const { name, isFolder, bytes } of tarEntries(Buffer.from(archive))) {
    const target = path.join(dataDir, name);
    const folder = isFolder ? target : path.dirname(target);
    if (!made.has(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
    made.add(folder);
    if (!isFolder) writeFileSync(target, bytes, { mode: 0o600 });
  }
}

async function openTemplate(file: string): Promise<Blob | undefined> {
  if (!file.endsWith('.br')) return openAsBlob(file);
  const unpacked = await promisify(brotliDecompress)(await readFile(file)).catch(() => undefined);
  return unpacked && new Blob([unpacked]);
}

/** Answers requests one after the other, for as long as the thread lives. */
function serve(pglite: PGlite, port: MessagePort): void {
  const post = (message: ThreadMessage) => port.postMessage(message);

  async function answer(request: ThreadRequest): Promise<ThreadResult | Blob | undefined> {
    switch (request.kind) {
      case 'query':
        return toResult(await pglite.query(request.text, [...request.values]));
      case 'script':
        return toResult((await pglite.exec(request.text)).at(-1));
      case 'copy':
        return toResult(
          await pglite.query(`copy ${request.target} from '/dev/blob' with (format binary)`, [], {
            blob: new Blob([...request.chunks]),
          }),
        );
      case 'listen': {
        const { channel } = request;
        const notify = (payload: string) => post({ type: 'notification', channel, payload });
        await pglite.listen(channel, notify);
        return;
      }
      case 'dump':
        // A File cannot be sent to another thread, a Blob can.
        return new Blob([await pglite.dumpDataDir('none')]);
      case 'close':
        await pglite.close();
    }
  }

  let last: Promise<void> = Promise.resolve();
  port.on('message', ({ id, request }: { id: number; request: ThreadRequest }) => {
    last = last.then(async () => {
      try {
        post({ type: 'answer', id, result: await answer(request) });
      } catch (error) {
        post({ type: 'error', id, error: toThreadError(error) });
      }
    });
  });
}

/** The parts of PGlite's result that can be sent between threads. */
const toResult = (result: ThreadResult | undefined): ThreadResult | undefined =>
  result && { rows: result.rows, affectedRows: result.affectedRows, command: result.command };

/** Errors lose their own fields on the way between threads. */
function toThreadError(error: unknown): ThreadError {
  const { message } = error as Error;
  const fields = Object.fromEntries(
    Object.entries(error as object).filter(([, value]) => ['string', 'number'].includes(typeof value)),
  );
  return { message, fields };
}

if (parentPort) {
  serve(await open(workerData as ThreadOptions), parentPort);
  parentPort.postMessage({ type: 'opened' } satisfies ThreadMessage);
}
