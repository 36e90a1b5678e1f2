import {
  appendFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import { commandActor } from '../../../access/actor.ts';
import { createKey } from '../../../access/api-keys.ts';
import { startApi } from '../../../api/server.ts';
import { closeMonth } from '../../../billing/close.ts';
import { setPlan } from '../../../billing/plans.ts';
import { makeBackup } from '../../../commands/backup/make.ts';
import { manifestName } from '../../../commands/backup/manifest.ts';
import { restoreBackup } from '../../../commands/backup/restore.ts';
import { openWorkQueue } from '../../../coverage/jobs/queue.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createLogger } from '../../../platform/logger.ts';
import { openStorage } from '../../../platform/storage/open.ts';
import { startWorkers } from '../../../workers/worker.ts';
import { addQueries } from '../../setup/billing.ts';
import { client, manifest } from '../../setup/operator.ts';
import { usePlace } from '../../setup/service.ts';

/* Dump, wipe, restore: the same answers, rows and stored files; and what cannot be restored changes nothing. */

const logger = createLogger('silent');
const folder = scratchFolder();
const backup = path.join(folder, 'backup');
let key: string;

interface Content {
  answers: unknown[];
  rows: Record<string, string>;
  files: Record<string, string>;
}
let before: Content;

const place = await usePlace({}, { onDisk: true });
await withService(async (database, url, idle) => {
  key = await createKey(database, 'Customer');
  await database.query('update customer set overage_allowed = true');
  await addQueries(database, 1, '2025-01-10T00:00:00Z', 1000);
  await closeMonth(database, '2025-01', commandActor, new Date('2025-02-03T00:00:00Z'));
  // Its fee is invoiced at once.
  await setPlan(database, 1, { plan: 'low' }, commandActor, new Date());
  const kauri = await client(url, database, 'Kauri Fibre');
  for (const publish of ['auto', 'review']) {
    const file = await zippedRectangle(174.7, -36.95, publish === 'auto' ? 174.75 : 174.8, -36.9);
    await kauri.handIn(file, { ...manifest, publish });
  }
  await idle();
  before = await contentOf(database, url);
  const storage = await openStorage(place.config);
  const made = await makeBackup({ config: place.config, database, storage }, backup);
  expect(made).toMatchObject({ kind: database.kind, missing: [] });
  expect(made.files).toHaveLength(2);
});

/** Runs the service on the place. `idle` stops the workers, whose marks are rows too. */
async function withService(
  work: (database: Database, url: string, idle: () => Promise<void>) => Promise<void>,
) {
  const { config } = place;
  const database = await place.open();
  const queue = openWorkQueue(config, database);
  const storage = await openStorage(config);
  const api = await startApi({ config, database, queue, storage, logger });
  const workers = await startWorkers({ config, database, queue, storage, logger });
  let stopped: Promise<void> | undefined;
  const idle = () => (stopped ??= workers.close());
  try {
    await work(database, api.url, idle);
  } finally {
    await idle();
    await api.close();
    await queue.close();
    await database.close();
  }
}

async function contentOf(database: Database, url: string): Promise<Content> {
  const answers = [];
  for (const at of ['-36.92/174.72', '-36.99/174.72', '-45/170']) {
    const response = await fetch(`${url}/api/2.0/availability/${at}`, { headers: { 'x-api-key': key } });
    expect(response.status).toBe(200);
    answers.push(await response.json());
  }
  const { rows: tables } = await database.query<{ name: string }>(`
    select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and c.relname not in ('usage_flush', 'usage_hour', 'usage_month', 'usage_total', 'work') order by 1`);
  const rows: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows: found } = await database.query<{ digest: string }>(`
      select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from ${name} t`);
    rows[name] = found[0]?.digest as string;
  }
  const { uploadDir } = place.config;
  const files = Object.fromEntries(
    readdirSync(uploadDir, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [name, readFileSync(path.join(uploadDir, name)).toString('base64')]),
  );
  return { answers, rows, files };
}

/** Leaves an empty database and no files. */
async function wipe() {
  const { config } = place;
  rmSync(config.uploadDir, { recursive: true, force: true });
  if (!config.databaseUrl) {
    for (const name of ['postgres', 'postgres.complete'])
      rmSync(path.join(config.dataDir, name), { recursive: true, force: true });
    return;
  }
  const database = await place.open();
  await database.query(
    'drop schema if exists bullmq cascade; drop schema public cascade; create schema public',
  );
  // As docs/administrator/backup.md has it: a superuser installs PostGIS, the owner restores.
  await database.query(readFileSync('deploy/roles.sql', 'utf8'));
  target = { ...config, databaseUrl: config.databaseUrl.replace('covermap@', 'covermap_owner@') };
  await database.close();
}

let target = place.config;
const restore = async (from = backup, keepFiles = false) =>
  restoreBackup(target, await openStorage(target), from, keepFiles);

const firstFile = (copy: string) =>
  path.join(copy, 'files', readdirSync(path.join(copy, 'files'))[0] as string);

describe('a backup', () => {
  const away = { query: () => Promise.reject(new Error('away')) } as unknown as Database;
  const makeIn = async (target: string) =>
    makeBackup({ config: place.config, database: away, storage: await openStorage(place.config) }, target);

  test('is made into an empty folder only', async () => {
    await expect(makeIn(backup)).rejects.toMatchObject({ code: 'folder_not_empty' });
    expect(existsSync(path.join(backup, manifestName))).toBe(true);
  });
  test('that fails leaves nothing that looks like one', async () => {
    const target = path.join(folder, 'failed');
    await expect(makeIn(target)).rejects.toThrow('away');
    expect(readdirSync(target)).toEqual([]);
  });
});

describe('a restore', () => {
  test('into what is not empty is refused', async () => {
    await expect(restore()).rejects.toMatchObject({ code: 'restore_not_empty' });
    // The embedded database is a folder, which nobody has opened.
    if (!place.config.databaseUrl)
      return void expect(readdirSync(place.config.dataDir)).toContain('postgres');
    await withService(async (database, url, idle) => {
      await idle();
      expect((await contentOf(database, url)).answers).toEqual(before.answers);
    });
  });

  test('of a damaged backup says what is wrong with it, and leaves nothing', async () => {
    await wipe();
    const dumpOf = (copy: string) =>
      path.join(copy, readdirSync(copy).find((name) => name.startsWith('database.')) as string);
    const manifestOf = (copy: string) => path.join(copy, manifestName);
    const naming = (outside: string) => (copy: string) => {
      const manifest = JSON.parse(readFileSync(manifestOf(copy), 'utf8'));
      manifest.files[0].name = outside;
      writeFileSync(manifestOf(copy), JSON.stringify(manifest));
    };
    const zeroed = (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size));
    const damages: [damage: (copy: string) => void, why: RegExp][] = [
      [(copy) => rmSync(manifestOf(copy)), /not finished/],
      [(copy) => writeFileSync(manifestOf(copy), '{"format": 1'), /not finished/],
      [(copy) => truncateSync(dumpOf(copy), 1000), /1000 bytes instead of/],
      [(copy) => zeroed(firstFile(copy)), /was changed/],
      [(copy) => appendFileSync(firstFile(copy), 'x'), /bytes instead of/],
      [(copy) => rmSync(firstFile(copy)), /is missing/],
      [naming('../../escaped'), /is no name/],
      [naming('/tmp/escaped'), /is no name/],
      [naming('a/b'), /is no name/],
    ];
    for (const [i, [damage, why]] of damages.entries()) {
      const copy = path.join(folder, `damaged-${i}`);
      cpSync(backup, copy, { recursive: true });
      damage(copy);
      const message = expect.stringMatching(why);
      await expect(restore(copy), String(damage)).rejects.toMatchObject({ code: 'backup_damaged', message });
    }
    const databaseUrl = place.config.databaseUrl ? undefined : 'postgres://127.0.0.1:1/x';
    const ofOtherKind = restoreBackup(
      { ...place.config, databaseUrl },
      await openStorage(place.config),
      backup,
    );
    await expect(ofOtherKind).rejects.toMatchObject({ code: 'backup_of_other_kind' });
    expect(readdirSync(place.config.uploadDir).filter((name) => name !== 'incoming')).toEqual([]);
    expect(existsSync(path.join(place.config.dataDir, 'postgres'))).toBe(false);
  });

  test('that fails half-way removes what it has written', async () => {
    const storage = await openStorage(place.config);
    let restored = 0;
    const full = {
      ...storage,
      restore: async (...given: Parameters<typeof storage.restore>) => {
        if (++restored === 2) throw new Error('the disk is full');
        return storage.restore(...given);
      },
    };
    await expect(restoreBackup(place.config, full, backup)).rejects.toThrow('the disk is full');
    expect(readdirSync(place.config.uploadDir).filter((name) => name !== 'incoming')).toEqual([]);
  });

  test('gives the same answers, rows and files, and takes those that are there where it may', async () => {
    const [there, other] = readdirSync(path.join(backup, 'files')) as [string, string];
    cpSync(path.join(backup, 'files', there), path.join(place.config.uploadDir, there));
    writeFileSync(path.join(place.config.uploadDir, other), 'of another content');
    await expect(restore()).rejects.toThrow('has the file');
    await expect(restore(backup, true)).rejects.toThrow('has another file');
    rmSync(path.join(place.config.uploadDir, other));
    const { files } = await restore(backup, true);
    expect(files).toHaveLength(2);
    await withService(async (database, url, idle) => {
      await idle();
      const after = await contentOf(database, url);
      expect(after.files).toEqual(before.files);
      expect(after.rows).toEqual(before.rows);
      expect(after.answers).toEqual(before.answers);
      const { rows } = await database.query<{ count: number }>('select count(*) from invoice');
      expect(rows[0]?.count).toBeGreaterThan(0);
      // New rows get new numbers.
      await createKey(database, 'Another');
    });
  });
});
