import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { Upload } from '@tus/server';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { thisProcess } from '../../platform/process-identity.ts';
import { bucketStorage } from '../../platform/storage/bucket.ts';
import { folderStorage } from '../../platform/storage/folder.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { partialName } from '../../platform/storage/partial-files.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { type Bucket, startBucket } from '../setup/bucket.ts';
import { listening } from '../setup/listen.ts';
import { mountSmallDisk, noSmallDisk } from '../setup/small-disk.ts';
import { testConfig } from '../setup/test-config.ts';

/* Files are kept the same way in a folder and in a bucket. */

const folder = scratchFolder();
let bucket: Bucket;
const storages = {} as Record<'folder' | 'bucket', Storage>;
/** Names of the files in each storage, incomplete ones included. */
const kept = {
  folder: () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => entry.name),
  bucket: () => bucket.keys(),
};

beforeAll(async () => {
  bucket = await startBucket();
  Object.assign(process.env, bucket.env);
  storages.folder = folderStorage(folder);
  storages.bucket = bucketStorage({ bucket: bucket.name, endpoint: bucket.endpoint, region: 'us-east-1' });
});
afterAll(() => bucket?.stop());

const megabyte = 1024 * 1024;
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const small = () => Readable.from([Buffer.from('x')]);
/** Announces an upload in pieces. @returns its id */
async function begin({ resumable }: Storage, size: number): Promise<string> {
  const id = crypto.randomUUID();
  await resumable.create(new Upload({ id, size, offset: 0, metadata: { filename: 'x' } }));
  return id;
}
function* inPieces(bytes: Buffer, size = 65536) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe.each(['folder', 'bucket'] as const)('%s', (kind) => {
  const storage = () => storages[kind];

  // 17 MB are three parts of a bucket: one more than are under way at once.
  test.each([0, 1, 17 * megabyte])('a file of %i bytes comes back as it was, with its hash', async (size) => {
    const bytes = randomBytes(size);
    const { key, ...stored } = await storage().store('A Name.ZIP', Readable.from(inPieces(bytes)));
    expect({ ...stored, sha256: stored.sha256.toString('hex') }).toEqual({ size, sha256: sha256(bytes) });
    expect(key).toMatch(/^[0-9a-f-]{36}\.zip$/);
    expect(sha256(await buffer(await storage().read(key)))).toBe(sha256(bytes));
    const local = await storage().withLocalFile(key, async (file) => sha256(readFileSync(file)));
    expect(local).toBe(sha256(bytes));
    await storage().remove(key);
    await storage().remove(key);
    expect(kept[kind]()).not.toContain(key);
  });

  async function* breaking(megabytes: number) {
    yield* inPieces(randomBytes(megabytes * megabyte));
    throw new Error('the line went dead');
  }
  test.each<[string, () => Readable, string]>([
    ['after half a MB', () => Readable.from(breaking(0.5)), 'the line went dead'],
    ['after 9 MB', () => Readable.from(breaking(9)), 'the line went dead'],
    ['before it is read from', () => createReadStream(path.join(folder, 'not', 'there.zip')), 'ENOENT'],
  ])('a source that breaks off %s leaves nothing', async (_, source, message) => {
    const before = kept[kind]();
    await expect(storage().store('x.zip', source())).rejects.toThrow(message);
    expect(kept[kind]()).toEqual(before);
    expect(bucket.openUploads()).toBe(0);
  });

  test('no name gets out of it', async () => {
    const { key } = await storage().store('../../x.zip', small());
    expect(key).toMatch(/^[0-9a-f-]{36}\.zip$/);
    // The others are the endings of files that are not whole.
    for (const name of ['..\\..\\evil.sh; rm', 'x.part', 'x.info']) {
      expect((await storage().store(name, small())).key).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(existsSync(path.join(folder, '..', 'x.zip'))).toBe(false);
  });

  test('an upload in pieces becomes a file, and adopting it again gives the same', async () => {
    const bytes = randomBytes(9 * megabyte);
    const { resumable } = storage();
    const id = await begin(storage(), bytes.length);
    let offset = 0;
    for (const end of [6 * megabyte, 6 * megabyte + 1000, bytes.length]) {
      offset = await resumable.write(Readable.from(inPieces(bytes.subarray(offset, end))), id, offset);
      expect((await resumable.getUpload(id)).offset).toBe(end);
    }
    const stored = await storage().adopt(id);
    expect((await resumable.getUpload(id)).offset).toBe(bytes.length);
    expect([stored.size, stored.sha256.toString('hex')]).toEqual([bytes.length, sha256(bytes)]);
    expect(await storage().adopt(id)).toEqual(stored);
    expect(sha256(await buffer(await storage().read(stored.key)))).toBe(sha256(bytes));
    expect(kept[kind]().filter((name) => name.includes(id))).toEqual([stored.key]);
  });

  test('an upload is not adopted before it is whole, nor where its description is lost', async () => {
    const { resumable } = storage();
    const id = await begin(storage(), 10);
    await resumable.write(Readable.from([Buffer.from('half')]), id, 0);
    await expect(storage().adopt(id)).rejects.toThrow();
    expect((await resumable.getUpload(id)).offset).toBe(4);
    const before = kept[kind]().filter((name) => name !== `${id}.json` && name !== `${id}.info`);
    await storage().remove(`${id}.${kind === 'folder' ? 'json' : 'info'}`);
    await expect(storage().adopt(id)).rejects.toThrow();
    expect(kept[kind]().sort()).toEqual(before.sort());
  });

  test('lists what is kept, whole or coming in, and removes what it lists', async () => {
    const { key } = await storage().store('a.zip', small());
    const id = await begin(storage(), 10);
    const found: { key: string; changedAt: Date }[] = [];
    for await (const one of storage().list()) found.push(one);
    for (const { changedAt } of found)
      expect(Math.abs(Date.now() - changedAt.getTime())).toBeLessThan(600_000);
    expect(found.map((one) => one.key).sort()).toEqual(kept[kind]().sort());
    expect(found.map((one) => one.key)).toContain(key);
    const ofUpload = found.filter((one) => one.key.startsWith(id));
    expect(ofUpload.length).toBeGreaterThan(0);
    for (const one of ofUpload) await storage().remove(one.key);
    expect(kept[kind]().filter((name) => name.includes(id))).toEqual([]);
  });
});

test('a bucket that is out of reach, silent or full is reported as such', async () => {
  const silent = createServer();
  onTestFinished(() => void silent.close());
  for (const endpoint of ['http://127.0.0.1:9', await listening(silent)]) {
    const away = bucketStorage({ bucket: 'away', endpoint, region: 'us-east-1' }, 100);
    await expect(away.store('x.zip', small())).rejects.toMatchObject({ code: 'storage_unavailable' });
    await expect(away.resumable.getUpload('x')).rejects.toMatchObject({ code: 'storage_unavailable' });
  }
  bucket.full = true;
  onTestFinished(() => {
    bucket.full = false;
  });
  await expect(storages.bucket.store('x.zip', small())).rejects.toMatchObject({ code: 'storage_full' });
});

test.skipIf(noSmallDisk)('a full disk is reported as such, and nothing of the file is left', async () => {
  const { folder, remove } = await mountSmallDisk(2);
  onTestFinished(remove);
  const storage = folderStorage(folder);
  const large = () => Readable.from(inPieces(randomBytes(4 * megabyte)));
  await expect(storage.store('x.zip', large())).rejects.toMatchObject({ code: 'storage_full' });
  expect(readdirSync(folder).filter((name) => name !== 'incoming')).toEqual([]);
  mkdirSync(path.join(folder, 'incoming'), { recursive: true });
  const id = await begin(storage, 4 * megabyte);
  await expect(storage.resumable.write(large(), id, 0)).rejects.toMatchObject({ code: 'storage_full' });
  // The bytes stored so far are kept for the upload to go on: without them there is room again.
  await storage.resumable.remove(id);
  expect((await storage.store('x.zip', Readable.from([Buffer.alloc(1000)]))).size).toBe(1000);
});

describe('what a killed process has left of a file', () => {
  const uploadDir = scratchFolder();
  const parts = () => readdirSync(uploadDir).filter((name) => name.endsWith('.part'));
  const write = (name: string, ageMs = 0) => {
    writeFileSync(path.join(uploadDir, name), 'half of it');
    const time = (Date.now() - ageMs) / 1000;
    utimesSync(path.join(uploadDir, name), time, time);
    return name;
  };
  const hour = 3_600_000;

  test('goes at the next start; files of living processes stay, and those of unknown ones for an hour', async () => {
    const { pid, started } = thisProcess();
    const own = path.basename(partialName('own.zip'));
    const ofPid = (number: number, start: string | undefined) =>
      own.replace(`_${pid}_${started}.`, `_${number}_${start ?? ''}.`);
    const elsewhere = own.replace(/[0-9a-f]{12}(?=_\d)/, '0'.repeat(12));
    const stays = [write(own, 2 * hour), write(elsewhere), write('earlier.zip.part')];
    write(ofPid(2 ** 22 + 1, '5'));
    write(ofPid(pid, `${started}1`));
    write(`old-${elsewhere}`, 2 * hour);
    write('old.zip.part', 2 * hour);
    const whole = write('b3f1c7e0-0000-4000-8000-000000000003.zip', 2 * hour);
    const storage = await openStorage(testConfig({ uploadDir }));
    expect(parts().sort()).toEqual(stays.sort());
    const listed: string[] = [];
    for await (const { key } of storage.list()) listed.push(key);
    expect(listed).toEqual([whole]);
    for (const name of stays) rmSync(path.join(uploadDir, name));
  });

  test('however it was killed: nothing is left of a file that was being stored', async () => {
    const script = `
      import { folderStorage } from ${JSON.stringify(new URL('../../platform/storage/folder.ts', import.meta.url).href)};
      import { Readable } from 'node:stream';
      async function* endless() { for (;;) { yield Buffer.alloc(1000); await new Promise((resolve) => setTimeout(resolve, 10)); } }
      console.log('storing');
      await folderStorage(${JSON.stringify(uploadDir)}).store('x.zip', Readable.from(endless()));`;
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await vi.waitUntil(() => parts().length === 1, { timeout: 60_000 });
    await openStorage(testConfig({ uploadDir }));
    expect(parts()).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await openStorage(testConfig({ uploadDir }));
    expect(parts()).toEqual([]);
  });
});
