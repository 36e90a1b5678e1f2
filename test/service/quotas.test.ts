import { readdirSync } from 'node:fs';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { afterAll, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { startApi } from '../../api/server.ts';
import type { ProviderQuotas } from '../../coverage/submissions/quotas.ts';
import { sql } from '../../platform/database/sql.ts';
import { type Client, client, expectCode } from '../setup/operator.ts';
import { expectError, useDatabase, useParts } from '../setup/service.ts';

/* Quotas of a provider, and limits of a customer's files. No worker is up: submissions wait. */

const gigabyte = 1024 ** 3;
const quotas: ProviderQuotas = { openUploads: 4, waitingSubmissions: 3, storedBytes: 3 * gigabyte };

const { place, database } = await useDatabase({
  providerQuotas: quotas,
  rateLimit: undefined,
  bulkKeptBytes: 1024 * 1024,
});
const parts = await useParts(place, database);
const api = await startApi({ ...parts, queue: { ...parts.queue, send: async () => undefined } });
afterAll(() => api.close());

const manifest = { technology: 'fibre', speeds: { bandwidth_max_mbps: 100 }, publish: 'review' };
/** Announces an upload; the status, and the code where it was refused. */
async function announce(by: Client, bytes: number | undefined, metadata: object = {}) {
  const response = await by.beginUpload(bytes, { filename: 'x.zip', ...metadata });
  if (response.ok) return [response.status];
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}
const operator = (provider: string) => client(api.url, database, provider);
const file = await zippedRectangle(174.7, -36.95, 174.75, -36.9);

test('of fifty uploads announced at once a provider gets as many as its quota allows; others are not affected', async () => {
  const kauri = await operator('Kauri Fibre');
  const answers = await Promise.all(Array.from({ length: 50 }, () => announce(kauri, 1000)));
  const refused = Array(46).fill('429 uploads_too_many');
  expect(answers.map((one) => one.join(' ')).sort()).toEqual([...Array(4).fill('201'), ...refused]);
  // Another token of the same provider has no room of its own.
  const another = await operator('Kauri Fibre');
  expect(await announce(another, 1000)).toEqual([429, 'uploads_too_many']);
  expect(await announce(await operator('Tui Wireless'), 1000)).toEqual([201]);
  const staff = await client(api.url, database);
  expect(await announce(staff, 1000)).toEqual([201]);
  // Staff have their own drafts, not those of operators.
  const drafts = await staff.json<{ files: object[] }>('/api/operator/files');
  expect(drafts.files).toHaveLength(1);
  // Refused uploads leave nothing behind; each of the others has a file and its metadata.
  expect(readdirSync(`${place.config.uploadDir}/incoming`)).toHaveLength(2 * 6);
  const { files } = await kauri.json<{ files: { id: string }[] }>('/api/operator/files');
  await kauri.call(`/api/operator/files/${files[0]?.id}`, { method: 'DELETE' });
  expect(await announce(kauri, 1000)).toEqual([201]);
});

test('bytes count as soon as they are announced, and as the max size of a file where the length is unknown', async () => {
  const rata = await operator('Rata');
  expect(await announce(rata, 2 * gigabyte)).toEqual([201]);
  expect(await announce(rata, 2 * gigabyte)).toEqual([507, 'storage_quota_exceeded']);
  expect(await announce(rata, undefined)).toEqual([507, 'storage_quota_exceeded']);
  expect(await announce(rata, gigabyte / 2)).toEqual([201]);
  // Full to the byte.
  const ruru = await operator('Ruru');
  expect([await announce(ruru, 2 * gigabyte), await announce(ruru, gigabyte)]).toEqual([[201], [201]]);
  expect(await announce(ruru, 1)).toEqual([507, 'storage_quota_exceeded']);
  await database.query(
    `update upload set size_bytes = size_bytes + $1
     where id = (select u.id from upload u join access_token t on t.id = u.token_id join provider p on p.id = t.provider_id
       where p.name = 'Rata' order by u.created_at limit 1)`,
    [gigabyte / 2],
  );
  await expectCode(rata.send(file, manifest), 507, 'storage_quota_exceeded');
});

test('a stored file, and a prediction of towers, count for the provider whose they are, and for no other', async () => {
  const [weka, toroa] = [await operator('Weka'), await operator('Toroa')];
  const { id } = await weka.sent(file, manifest);
  await toroa.sent(file, manifest);
  const hasBytes = (bytes: number) =>
    database.query(sql`update submission set size_bytes = ${bytes} where id = ${id}`);
  await hasBytes(2.5 * gigabyte);
  expect(await announce(weka, gigabyte)).toEqual([507, 'storage_quota_exceeded']);
  expect(await announce(toroa, gigabyte)).toEqual([201]);
  await hasBytes(1000);
  await database.query(sql`
    insert into prediction (submission_id, file_name, storage_key, size_bytes, sha256, manifest)
    values (${id}, 'signal.tif', 'signal.tif', ${2.5 * gigabyte}, sha256('signal'), '{}')`);
  expect(await announce(weka, gigabyte)).toEqual([507, 'storage_quota_exceeded']);
  expect(await announce(toroa, gigabyte)).toEqual([201]);
});

test('only so many submissions wait, however they come; the same file again does not add one', async () => {
  const moa = await operator('Moa');
  const said = (mbps: number) => ({ ...manifest, speeds: { bandwidth_max_mbps: mbps } });
  const before = readdirSync(place.config.uploadDir).length;
  const answers = await Promise.all([1, 2, 3, 4, 5].map((mbps) => moa.send(file, said(mbps))));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429]);
  const refused = answers.find(({ status }) => status === 429) as Response;
  expect(refused.headers.get('retry-after')).toBe('60');
  await expectCode(refused, 429, 'submissions_too_many');
  expect(readdirSync(place.config.uploadDir)).toHaveLength(before + 3);
  expect(await announce(moa, 1000, { manifest: said(6) })).toEqual([429, 'submissions_too_many']);
  // What is described and still coming in counts, too; what is described later does not yet.
  const huia = await operator('Huia');
  for (const mbps of [1, 2, 3]) expect(await announce(huia, 1000, { manifest: said(mbps) })).toEqual([201]);
  expect(await announce(huia, 1000, { manifest: said(4) })).toEqual([429, 'submissions_too_many']);
  expect(await announce(huia, 1000)).toEqual([201]);
  // The quota does not bind staff.
  const staff = await client(api.url, database);
  expect((await staff.send(file, { ...said(7), provider: 'Moa' })).status).toBe(202);
  await database.query(`
    update submission set state = 'withdrawn', finished_at = now() where provider_id = (select id from provider where name = 'Moa')`);
  expect((await moa.send(file, said(8))).status).toBe(202);
  expect((await moa.send(file, said(8))).status).toBe(200);
  // One that was withdrawn is submitted anew.
  const withdrawn = answers.findIndex(({ status }) => status === 202) + 1;
  expect((await moa.send(file, said(withdrawn))).status).toBe(202);
  // Uploads that are described wait as soon as they are announced.
  const kaka = await operator('Kaka');
  for (const mbps of [1, 2, 3]) expect(await announce(kaka, 1000, { manifest: said(mbps) })).toEqual([201]);
  expect(await announce(kaka, 1000, { manifest: said(4) })).toEqual([429, 'submissions_too_many']);
});

test('a provider has a limited number of forms open at once', async () => {
  const kea = await operator('Kea');
  const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK';
  const stop = new AbortController();
  const open = () =>
    kea.call('/api/operator/submissions', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(part)) }),
      duplex: 'half',
      signal: stop.signal,
    } as RequestInit);
  const refused: number[] = [];
  const opened = Array.from({ length: 7 }, () => open().then(({ status }) => refused.push(status)));
  await expect.poll(() => refused, { timeout: 60_000 }).toEqual([429, 429]);
  stop.abort();
  const ends = (await Promise.allSettled(opened)).map(({ status }) => status);
  expect(ends.filter((end) => end === 'rejected')).toHaveLength(5);
  // Their places are free again.
  const status = async () => (await kea.send(file, manifest)).status;
  await expect.poll(status, { timeout: 60_000 }).toBeLessThan(300);
});

test('a customer’s files of coordinates and results have a size together', async () => {
  const key = await createKey(database, 'Collector');
  const another = await createKey(database, 'Neighbour');
  // More than the free queries, without a plan.
  await database.query('update customer set overage_allowed = true');
  const jobs = `${api.url}/api/2.0/availability/jobs`;
  const send = (bytes: number, by = key) =>
    fetch(jobs, {
      method: 'POST',
      headers: { 'x-api-key': by, 'content-type': 'text/csv' },
      body: '-36.9,174.8\n'.repeat(Math.ceil(bytes / 12)),
    });
  const first = await send(600_000);
  expect(first.status).toBe(202);
  const second = await send(600_000);
  await expectError(second, 507, expect.stringMatching(/would exceed 1 MB\..+delete results/));
  expect((await send(600_000, another)).status).toBe(202);
  const { id } = (await first.json()) as { id: string };
  await database.query(sql`
    insert into bulk_job_part (job_id, number, storage_key, size_bytes, coordinates, good, read_bytes)
    values (${id}, 1, 'part.txt', 400000, 1, 1, 12)`);
  await expectError(await send(100_000), 507, expect.stringContaining('would exceed 1 MB.'));
  await fetch(`${jobs}/${id}`, { method: 'DELETE', headers: { 'x-api-key': key } });
  expect((await send(600_000)).status).toBe(202);
});
