import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { rectangle, wgs84Prj } from '@covermap/testing/shapes.ts';
import { named, writeShapefile, zip } from '@covermap/testing/write-shapefile.ts';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import type { Database } from '../../platform/database/database.ts';
import { startBucket } from '../setup/bucket.ts';
import { client, manifest as reviewed, type ShownSubmission } from '../setup/operator.ts';
import { endCommandProcesses, startCommand } from '../setup/processes.ts';
import { rounds } from '../setup/rounds.ts';
import { type Place, useDatabase } from '../setup/service.ts';
import { mountSmallDisk, noSmallDisk } from '../setup/small-disk.ts';

/* The disk or the bucket that keeps uploads has no space left, and then has some again. */

/** A storage of uploads that can be filled up. */
interface SmallStorage {
  env: Record<string, string>;
  fill(): void;
  free(): void;
  /** Names of the files in it, incomplete ones included. */
  files(): string[];
  /** The min offset from which an upload goes on after so many bytes were taken. */
  keeps(taken: number): number;
  remove(): Promise<void>;
}

const storages: Record<string, { skip: string | undefined; make(): Promise<SmallStorage> }> = {
  disk: {
    skip: noSmallDisk,
    async make() {
      const disk = await mountSmallDisk(8);
      const uploads = path.join(disk.folder, 'uploads');
      return {
        ...disk,
        env: { UPLOAD_DIR: uploads },
        keeps: (taken) => taken,
        files: () =>
          readdirSync(uploads, { recursive: true }).flatMap((name) =>
            name === 'incoming' ? [] : String(name),
          ),
      };
    },
  },
  bucket: {
    skip: undefined,
    async make() {
      const bucket = await startBucket();
      return {
        env: bucket.env,
        fill: () => {
          bucket.full = true;
        },
        free: () => {
          bucket.full = false;
        },
        files: () => bucket.keys().filter((key) => !key.endsWith('.part')),
        // Bytes since the last whole part of 8 MB may have to be sent again.
        keeps: () => 0,
        remove: bucket.stop,
      };
    },
  },
};

const manifest = { ...reviewed, publish: 'auto' };
const metadata = { filename: 'coverage.zip', manifest };

afterAll(endCommandProcesses);

/** A rectangle one tenth of a degree wide, in a file of about 300 kB that does not compress. */
async function coverage(west: number): Promise<{ name: string; bytes: Buffer }> {
  const shape = writeShapefile({
    prj: wgs84Prj,
    features: [{ rings: [rectangle(west, -37, west + 0.1, -36.9)] }],
  });
  return {
    name: 'coverage.zip',
    bytes: await zip({ ...named('coverage', shape), 'notes.bin': randomBytes(300_000) }),
  };
}

async function problemOf(response: Response) {
  const body = (await response.json()) as { code: string; message: string; hint: string };
  return [response.status, body.code, body.message.length > 0 && body.hint.length > 0];
}
const full = [507, 'storage_full', true];

describe.each(Object.entries(storages))('a full %s', (_name, { skip, make }) => {
  test.skipIf(skip)('refuses uploads, loses none that was accepted, and goes on by itself', async () => {
    const storage = await make();
    onTestFinished(() => storage.remove());
    const { place, database } = await useDatabase();
    onTestFinished(endCommandProcesses);
    await refusesAndGoesOn(storage, place, database);
  });
});

async function refusesAndGoesOn(storage: SmallStorage, place: Place, database: Database): Promise<void> {
  const temporary = path.join(place.config.dataDir, 'temporary');
  mkdirSync(temporary);
  const settings = { TMPDIR: temporary, LOG_LEVEL: 'info', SWEEP_SECONDS: '1' };
  const service = await startCommand('start', { ...place.env, ...storage.env, ...settings });
  const { url } = service;
  const key = await createKey(database, 'Customer');
  const kauri = await client(url, database, 'Kauri Fibre');
  const before = await coverage(170);
  const accepted = await kauri.handIn(before, manifest);
  expect(accepted.status).toBe('published');
  // One resumable upload is under way, half of it taken.
  const half = await coverage(171);
  const middle = Math.floor(half.bytes.length / 2);
  const begin = ({ bytes }: { bytes: Buffer }) => kauri.beginUpload(bytes.length, metadata);
  const begun = await begin(half);
  expect(begun.status).toBe(201);
  const address = begun.headers.get('location') as string;
  expect((await kauri.sendPiece(address, 0, half.bytes.subarray(0, middle))).status).toBe(204);
  const files = storage.files();
  const rows = await rowsOf(database);

  storage.fill();
  const others = await coverage(172);
  const positions = `lat,lng\n${'-36.95,170.05\n'.repeat(100_000)}`;
  for (let round = 0; round < rounds(3, 100); round++) {
    expect(await problemOf(await kauri.send(others, manifest))).toEqual(full);
    const begun = await begin(others);
    // Where there is room for the file's name, its bytes are refused.
    if (begun.status === 201) {
      const created = begun.headers.get('location') as string;
      expect(await problemOf(await kauri.sendPiece(created, 0, others.bytes))).toEqual(full);
      expect((await kauri.tus('DELETE', created)).status).toBe(204);
    } else expect(await problemOf(begun)).toEqual(full);
    const taken = await kauri.offsetOf(address);
    expect(await problemOf(await kauri.sendPiece(address, taken, half.bytes.subarray(taken)))).toEqual(full);
    const job = await fetch(`${url}/api/2.0/availability/jobs`, {
      method: 'POST',
      body: positions,
      headers: { 'x-api-key': key, 'content-type': 'text/csv' },
    });
    expect(job.status, await job.text()).toBe(507);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  }
  // Refused files leave nothing behind.
  expect(storage.files()).toEqual(files);
  expect(await rowsOf(database)).toEqual(rows);
  const answer = await fetch(`${url}/api/2.0/availability/-36.95/170.05`, { headers: { 'x-api-key': key } });
  expect(await answer.text()).toContain('Kauri Fibre');

  storage.free();
  expect((await kauri.handIn(others, manifest)).status).toBe('published');
  const offset = await kauri.offsetOf(address);
  expect(offset).toBeGreaterThanOrEqual(storage.keeps(middle));
  const last = await kauri.sendPiece(address, offset, half.bytes.subarray(offset));
  expect(last.status).toBe(204);
  const submission = last.headers.get('submission') as string;
  expect((await kauri.until(submission, ({ finished }) => finished)).status).toBe('published');
  for (const { id, file } of [
    accepted,
    await kauri.json<ShownSubmission>(`/api/operator/submissions/${submission}`),
  ]) {
    const bytes = await (await kauri.call(`/api/operator/submissions/${id}/file`)).arrayBuffer();
    expect(bytes.byteLength).toBe(file.size_bytes);
  }
  // Each submission has its file, and nothing incomplete or temporary is left.
  expect(storage.files()).toHaveLength(3);
  expect(readdirSync(temporary)).toEqual([]);
  // Being full is nobody's fault: the log has no error, and no line for each refusal.
  expect(service.output()).not.toMatch(/"level":[456]0/);
}

async function rowsOf(database: Database): Promise<object | undefined> {
  const { rows } = await database.query(
    `select (select count(*) from submission) as submissions, (select count(*) from upload) as uploads,
       (select count(*) from bulk_job) as jobs`,
  );
  return rows[0] as object;
}
