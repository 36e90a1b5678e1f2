import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { UsageSpool } from '../../billing/usage-spool.ts';
import { client, manifest as reviewed } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/*
 * Acknowledged data survives a loss of power only if it reached the disk (fsync) first. No test cuts the power: these record which files
 * were flushed by the time of the acknowledgement.
 */

/** The inodes of files and folders that are on the disk. */
const flushed = new Set<number>();

const handle = await open(import.meta.filename);
const handles = Object.getPrototypeOf(handle);
await handle.close();
const original = { sync: handles.sync, datasync: handles.datasync };
for (const call of ['sync', 'datasync'] as const) {
  handles[call] = async function () {
    const { ino } = await this.stat();
    await original[call].call(this);
    flushed.add(ino);
  };
}
const service = await useService();
afterAll(() => Object.assign(handles, original));

/** The stored file of a submission, and whether it and its name in the folder were on the disk. */
async function isKept(id: string, atThatTime: ReadonlySet<number>) {
  const statement = 'select storage_key from submission where id = $1';
  const { rows } = await service.database.query<{ storage_key: string }>(statement, [id]);
  const { uploadDir } = service.config;
  const inode = (name: string) => statSync(path.join(uploadDir, name)).ino;
  return { file: atThatTime.has(inode(rows[0]?.storage_key as string)), name: atThatTime.has(inode('.')) };
}

const manifest = { ...reviewed, publish: 'auto' };

test('a file that comes in a form is on the disk before it is accepted', async () => {
  const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
  flushed.clear();
  const sent = await kauri.send(await zippedRectangle(174.7, -36.95, 174.75, -36.9), manifest);
  const then = new Set(flushed);
  expect(sent.status).toBe(202);
  const { id } = (await sent.json()) as { id: string };
  expect(await isKept(id, then)).toEqual({ file: true, name: true });
});

test('so is one that comes in pieces, before its submission is told', async () => {
  const tui = await client(service.api.url, service.database, 'Tui Wireless');
  const file = await zippedRectangle(174.8, -36.95, 174.85, -36.9);
  flushed.clear();
  const { submission } = await tui.upload(file, { manifest });
  const then = new Set(flushed);
  expect(await isKept(submission as string, then)).toEqual({ file: true, name: true });
});

test('counts that wait for the database are on the disk', async () => {
  const spool = new UsageSpool(service.config.dataDir, '00000000-0000-4000-8000-000000000001');
  flushed.clear();
  await spool.add([{ sequence: 1, counts: [{ keyId: 1, hour: 0, queries: 1 }] }]);
  const file = path.join(service.config.dataDir, 'usage', '00000000-0000-4000-8000-000000000001.jsonl');
  expect(flushed).toContain(statSync(file).ino);
  await spool.clear();
  await spool.abandon();
});
