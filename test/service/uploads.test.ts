import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import path from 'node:path';
import { geojson } from '@covermap/testing/formats.ts';
import { rectangle, zippedRectangle } from '@covermap/testing/shapes.ts';
import { zip } from '@covermap/testing/zip.ts';
import { writeArrayBuffer } from 'geotiff';
import { describe, expect, test, vi } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import type { UploadedFile } from '../../client/schema.ts';
import { finishSilentUpload, silentUploads, submitUpload } from '../../coverage/submissions/submit-upload.ts';
import { expiredUploads, recordInspection } from '../../coverage/submissions/uploads.ts';
import { sql } from '../../platform/database/sql.ts';
import { delegate } from '../setup/billing.ts';
import {
  type Client,
  client,
  clientWith,
  manifest,
  pieceAt,
  type ShownSubmission,
} from '../setup/operator.ts';
import { useApi, useService } from '../setup/service.ts';

/* Files that come in piece by piece (tus), and what their inspection reports before anybody has described them. */

const limitBytes = 20 * 1024 * 1024;
const uploads = '/api/operator/uploads';

const service = await useService({ uploadLimitBytes: limitBytes });
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
const tui = await client(service.api.url, service.database, 'Tui Wireless');

const idIn = (address: string) => address.split('/').at(-1) as string;
const fileOf = (id: string, by = kauri) => by.json<UploadedFile>(`/api/operator/files/${id}`);
/** A file once it is as it should be. */
const fileWhen = (id: string, good: (file: UploadedFile) => boolean, by = kauri) =>
  vi.waitFor(
    async () => {
      const file = await fileOf(id, by);
      if (!good(file)) throw new Error(`still ${JSON.stringify(file)}`);
      return file;
    },
    { timeout: 100_000, interval: 100 },
  );
const inspected = (id: string, by = kauri) =>
  fileWhen(id, ({ state }) => state !== 'receiving' && state !== 'inspecting', by);
const finished = (id: string | null | undefined, by = kauri) =>
  by.until(id as string, (submission) => submission.finished);
/** Describes an upload. */
async function submit(by: Client, file_id: string, of: object, more: object = {}) {
  const response = await by.post('/api/operator/submissions', { file_id, manifest: of, ...more });
  const body = (await response.json()) as { id?: string; duplicate?: boolean; code?: string };
  return { status: response.status, body };
}

test('an upload with its manifest becomes a submission with its last byte; its name is only a name; a lost answer can be asked for again', async () => {
  const file = await zippedRectangle(174.7, -36.95, 174.75, -36.9);
  const { id, submission } = await kauri.upload({ ...file, name: '../../x.zip' }, { manifest });
  expect(submission).toMatch(/^[0-9a-f-]{36}$/);
  const ready = await finished(submission);
  expect(ready).toMatchObject({ status: 'ready', file: { name: 'x.zip', size_bytes: file.bytes.length } });
  expect(await fileOf(id)).toMatchObject({ state: 'submitted', submission_id: submission });
  const head = await kauri.tus('HEAD', `${uploads}/${id}`);
  expect([head.status, head.headers.get('submission')]).toEqual([200, submission]);
  expect(head.headers.get('upload-offset')).toBe(String(file.bytes.length));
  // The same file and manifest again are the same submission, and the file is stored once.
  const kept = readdirSync(service.config.uploadDir).length;
  const again = await kauri.upload(file, { manifest });
  expect(again.submission).toBe(submission);
  expect(readdirSync(service.config.uploadDir)).toHaveLength(kept);
});

test('an upload resumes where it stopped after the connection and the server were lost, and after a first writer that hangs', async () => {
  const bytes = Buffer.concat([
    (await zippedRectangle(174.8, -36.95, 174.85, -36.9)).bytes,
    randomBytes(700_000),
  ]);
  const begun = await kauri.beginUpload(bytes.length, { filename: 'large.bin', manifest });
  expect(begun.status).toBe(201);
  const address = begun.headers.get('location') as string;
  // The connection breaks off in the middle of a piece.
  const broken = new AbortController();
  const half = new ReadableStream({
    async start(controller) {
      controller.enqueue(bytes.subarray(0, 200_000));
      await fileWhen(idIn(address), ({ received_bytes }) => received_bytes > 0);
      broken.abort();
    },
  });
  const headers = { 'tus-resumable': '1.0.0', ...pieceAt(0) };
  const sending = { method: 'PATCH', headers, body: half, duplex: 'half', signal: broken.signal };
  await expect(kauri.call(address, sending as RequestInit)).rejects.toThrow();
  const offset = await kauri.offsetOf(address);
  expect(offset).toBeGreaterThan(0);
  expect(offset).toBeLessThanOrEqual(200_000);
  const middle = Math.max(offset, 200_000) + 100_000;
  expect((await kauri.sendPiece(address, offset, bytes.subarray(offset, middle))).status).toBe(204);
  // The upload goes on in another process, which knows it only from the storage and the database.
  const other = await useApi({ config: service.config } as never, service.database);
  const there = clientWith(other.url, kauri.token);
  expect(await there.offsetOf(address)).toBe(middle);
  expect((await there.sendPiece(address, middle - 1, bytes.subarray(middle))).status).toBe(409);
  const last = await there.sendPiece(address, middle, bytes.subarray(middle));
  expect(last.status).toBe(204);
  expect(last.headers.get('upload-expires')).toBeNull();
  const id = last.headers.get('submission') as string;
  const { file } = await there.submission(id);
  expect(file.size_bytes).toBe(bytes.length);
  const back = await kauri.call(`/api/operator/submissions/${id}/file`);
  expect(Buffer.from(await back.arrayBuffer()).equals(bytes)).toBe(true);
});

test.each([
  ['a piece with its length', (bytes: Buffer) => bytes],
  ['one without', (bytes: Buffer) => new Blob([bytes as never]).stream()],
])('%s that is longer than its upload is told so, and not the limit of files', async (_, bodyOf) => {
  const begun = await kauri.beginUpload(10, { filename: 'short.zip' });
  const headers = { 'tus-resumable': '1.0.0', ...pieceAt(0) };
  const sent = { method: 'PATCH', headers, body: bodyOf(Buffer.alloc(5_000)), duplex: 'half' };
  const refused = await kauri.call(begun.headers.get('location') as string, sent as RequestInit);
  expect([refused.status, await refused.json()]).toEqual([
    413,
    expect.objectContaining({ code: 'file_too_large', message: 'More was sent than Upload-Length says.' }),
  ]);
});

/** A file of a square for each of these properties. */
const squareOf = (...properties: Record<string, string | number>[]) => {
  const square = rectangle(175, -39, 175.1, -38.9).reverse() as [number, number][];
  return geojson(properties.map((of) => ({ rings: [square], properties: of })));
};
const towersHead = 'name,lat,lng,height_m,power_dbm,frequency_mhz\n';

describe('an upload without a manifest', () => {
  test('is inspected, so that a form can be prefilled, and is then described', async () => {
    const bytes = squareOf(
      { TECH: 'FTTH', STATE: 'Live', DL: 900, note: 'a' },
      { TECH: 'Fixed wireless', STATE: 'Planned', DL: 50, note: 'b' },
    );
    const { id, submission } = await kauri.upload({ name: 'north.geojson', bytes });
    expect(submission).toBeNull();
    const file = await inspected(id);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(file).toMatchObject({
      ...{ state: 'inspected', received_bytes: bytes.length },
      file: { name: 'north.geojson', size_bytes: bytes.length, sha256 },
      inspection: {
        kind: 'coverage',
        layers: [
          { format: 'GeoJSON', reference_system: 'WGS 84', examples: { TECH: ['FTTH', 'Fixed wireless'] } },
        ],
        manifest: {
          technology: 'fibre',
          attributes: {
            technology: { field: 'TECH' },
            availability: { field: 'STATE' },
            bandwidth_max_mbps: { field: 'DL', unit: 'mbps' },
          },
        },
        speeds_missing: ['bandwidth_up_max_mbps'],
        towers: null,
      },
    });
    const open = await kauri.json<{ files: UploadedFile[] }>('/api/operator/files');
    expect(open.files.map((one) => one.id)).toContain(id);
    const described = { ...manifest, ...file.inspection?.manifest };
    expect((await submit(tui, id, described)).status).toBe(404);
    const [one, two] = await Promise.all([submit(kauri, id, described), submit(kauri, id, described)]);
    expect(one.body.id).toBe(two.body.id);
    const technologies = ['fibre', 'wireless'];
    expect(await finished(one.body.id)).toMatchObject({ status: 'ready', technologies });
  });
  test('is reported as something else than coverage: towers, or nothing that can be used, which is not submitted', async () => {
    const towers = Buffer.from(`${towersHead}A,-39,175,30,60,3500\n`);
    const archive = await zip({ 'towers.csv': towers, 'panel.msi': Buffer.from('NAME panel') });
    const ofTowers = { state: 'inspected', inspection: { kind: 'towers', towers: { count: 1 } } };
    const unreadable = { state: 'unreadable', error: { code: 'format_unknown' } };
    const described = { ...manifest, processed_by: 'service' };
    for (const [name, bytes, found, can_submit] of [
      ['towers.csv', towers, ofTowers, true],
      ['towers.zip', archive, ofTowers, true],
      ['none.csv', Buffer.from(`${towersHead}A,-39,175,30,60,none\n`), { state: 'inspected' }, false],
      ['x.zip', Buffer.from('junk'), unreadable, false],
    ] as const) {
      const { id } = await kauri.upload({ name, bytes });
      expect(await inspected(id)).toMatchObject({ ...found, can_submit });
      if (can_submit) continue;
      const { status, body } = await submit(kauri, id, described);
      expect([status, body.code]).toEqual([422, 'file_not_usable']);
    }
  });
  test('can be discarded, and expires when nobody submits it', async () => {
    const bytes = randomBytes(100_000);
    const first = await kauri.upload({ name: 'a.zip', bytes });
    const stateOf = async (id: string, method = 'GET') =>
      (await kauri.call(`/api/operator/files/${id}`, { method })).status;
    // Discarded while it is being submitted.
    const transaction = async (work: () => Promise<never>) => {
      expect(await stateOf(first.id, 'DELETE')).toBe(204);
      return service.database.transaction(work);
    };
    const database = delegate(service.database, { transaction } as never);
    const submitted = submitUpload(database, service.storage, first.id, {
      manifest: { ...manifest, processed_by: 'operator', layers: [] } as never,
      ...{ role: 'operator', actor: commandActor, again: false },
    });
    await expect(submitted).rejects.toMatchObject({ code: 'file_unknown' });
    expect(await stateOf(first.id)).toBe(404);
    const begun = await kauri.beginUpload(1000, { filename: 'b.zip' });
    const half = begun.headers.get('location') as string;
    // Every answer about an unfinished upload says until when it is kept.
    const answers = [begun, await kauri.sendPiece(half, 0, Buffer.alloc(10)), await kauri.tus('HEAD', half)];
    const id = idIn(half);
    const { expires_at } = await fileOf(id);
    const end = new Date(expires_at as string).toUTCString();
    expect(answers.map(({ headers }) => headers.get('upload-expires'))).toEqual([end, end, end]);
    // An upload that is still being sent when it expires can be finished.
    await service.database.query('update upload set expires_at = now() where id = $1', [id]);
    await kauri.sendPiece(half, 10, Buffer.alloc(10));
    expect(await expiredUploads(service.database)).not.toContain(id);
    expect((await kauri.tus('DELETE', half)).status).toBe(204);
    await expect.poll(() => stateOf(id)).toBe(404);
    const kept = readdirSync(service.config.uploadDir, { recursive: true, encoding: 'utf8' });
    expect(kept.filter((name) => [first.id, id].includes(path.basename(name)))).toEqual([]);
  });
  test('that is discarded many times at once gives no other errors than busy or unknown', async () => {
    const address = (await kauri.beginUpload(1000, { filename: 'c.zip' })).headers.get('location') as string;
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const response = await (i % 4 === 1
          ? kauri.tus('HEAD', address)
          : i % 4 === 3
            ? kauri.sendPiece(address, 0, Buffer.alloc(10))
            : kauri.tus('DELETE', address));
        if (response.status !== 404 || i % 4 === 1) return response.status;
        return [404, ((await response.json()) as { code: string }).code];
      }),
    );
    // A busy upload is a 409 (`upload_busy`); answers to HEAD have no body.
    const allowed = [200, 204, 404, 409, [404, 'file_unknown']];
    for (const answer of answers) expect(allowed).toContainEqual(answer);
    expect(answers).toContainEqual(204);
    expect(await (await kauri.tus('DELETE', address)).json()).toMatchObject({ code: 'file_unknown' });
  });
});

/** Of -110 to -61 dBm from left to right, and its upper left corner. */
const signal = (west: number, north: number) => {
  const values = Float32Array.from({ length: 50 * 20 }, (_, i) => -110 + (i % 50));
  const degrees = { GeographicTypeGeoKey: 4326, GTModelTypeGeoKey: 2, GTRasterTypeGeoKey: 1 };
  const place = { ModelPixelScale: [0.001, 0.001, 0], ModelTiepoint: [0, 0, 0, west, north, 0] };
  return Buffer.from(writeArrayBuffer(values, { width: 50, height: 20, ...place, ...degrees }));
};

describe('a raster of a signal', () => {
  const described = { technology: 'wireless', publish: 'review' };

  test('is a question where nobody says what its levels mean: on inspection and submission alike', async () => {
    const { id } = await kauri.upload({ name: 'signal.tif', bytes: signal(175, -39) });
    const { inspection } = await inspected(id);
    expect(inspection).toMatchObject({
      layers: [{ pixels: { kind: 'values', unit: 'dBm', counted: 1000, total: 1000, min: -110, max: -61 } }],
      manifest: { classes: [{ min: -75 }, {}, {}, {}, { max: -105, coverage: false }] },
      warnings: [{ code: 'classes_needed' }],
    });
    const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
    const { body: unanswered } = await submit(kauri, id, { ...described, speeds });
    expect((await finished(unanswered.id)).error?.code).toBe('classes_needed');
    const zero = { bandwidth_max_mbps: 0, bandwidth_up_max_mbps: 0 };
    const nothing = { ...described, classes: [{ min: -85, speeds: zero }] };
    expect((await submit(kauri, id, nothing)).status).toBe(422);

    // Another answer makes another submission, of the same file.
    const classes = [
      { min: -85, speeds },
      { max: -85, coverage: false },
    ];
    const { body } = await submit(kauri, id, { ...described, classes });
    const ready = await finished(body.id);
    expect(ready).toMatchObject({ status: 'ready', file: { name: 'signal.tif' } });
    const { id: next } = await kauri.upload({ name: 'next.tif', bytes: signal(175, -38.9) });
    const later = await inspected(next);
    expect(later.earlier_classes).toMatchObject([{ file_name: 'signal.tif', classes: [{ min: -85 }, {}] }]);
    const anothers = await tui.upload({ name: 'next.tif', bytes: signal(175, -38.9) });
    expect((await inspected(anothers.id, tui)).earlier_classes).toEqual([]);
  });

  test('that lies elsewhere is reported so, before anybody is asked what its levels mean', async () => {
    const { id } = await kauri.upload({ name: 'london.tif', bytes: signal(0, 51) });
    const { inspection } = await inspected(id);
    expect(inspection?.manifest).not.toHaveProperty('classes');
    expect(inspection).toMatchObject({ warnings: [{ code: 'outside_service_area' }] });
    const { body } = await submit(kauri, id, described);
    expect((await finished(body.id)).error?.code).toBe('outside_service_area');
  });
});

describe('a file that was submitted before', () => {
  test('is processed again when that is asked for, with the same answers or with others', async () => {
    const file = await zippedRectangle(174.7, -36.95, 174.75, -36.9);
    const first = await kauri.upload(file);
    const { body: one } = await submit(kauri, first.id, manifest);
    const second = await kauri.upload(file);
    expect((await submit(kauri, second.id, manifest)).body).toMatchObject({ id: one.id, duplicate: true });
    const { body: two } = await submit(kauri, second.id, manifest, { again: true });
    expect(two).toMatchObject({ duplicate: false });
    expect(two.id).not.toBe(one.id);
    // Sent twice, as after a lost answer.
    expect((await submit(kauri, second.id, manifest)).body).toMatchObject({ id: two.id, duplicate: true });
    const other = { ...manifest, technology: 'cable' };
    expect((await submit(kauri, second.id, other)).body).toMatchObject({ duplicate: false });
  });

  test('can be described again without another upload', async () => {
    const file = await zippedRectangle(174.6, -36.95, 174.65, -36.9);
    const { id } = (await (await kauri.send(file, manifest)).json()) as ShownSubmission;
    const reprocess = () => kauri.call(`/api/operator/submissions/${id}/reprocess`, { method: 'POST' });
    const answer = await reprocess();
    expect(answer.status).toBe(201);
    const again = (await answer.json()) as UploadedFile;
    expect(again).toMatchObject({ file: { name: file.name }, answers: { technology: 'fibre' } });
    const { body } = await submit(kauri, again.id, { ...manifest, technology: 'cable' });
    expect(await finished(body.id)).toMatchObject({ status: 'ready', technologies: ['cable'] });
    // The file is that of two submissions, and goes with neither.
    const unwanted = (await (await reprocess()).json()) as UploadedFile;
    await kauri.call(`/api/operator/files/${unwanted.id}`, { method: 'DELETE' });
    expect((await kauri.call(`/api/operator/submissions/${id}/file`)).status).toBe(200);
  });
});

test('a form that is refused is read to its end, for clients that send all of it before they read the answer', async () => {
  const leaving = new AbortController();
  const part = '--x\r\ncontent-disposition: form-data; name=';
  const body = new Blob([part, 'manifest\r\n\r\n{}\r\n', part, 'file; filename=a.zip\r\n\r\nPK']);
  const neverEnds = body.stream().pipeThrough(new TransformStream({ flush: () => new Promise(() => {}) }));
  const answer = await kauri.call('/api/operator/submissions', {
    ...{ method: 'POST', body: neverEnds, duplex: 'half', signal: leaving.signal },
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  });
  expect([answer.status, answer.headers.get('connection')]).toEqual([422, 'keep-alive']);
  leaving.abort();
});

test('a file is its operator’s under whatever name: staff rename a provider, another takes the old name', async () => {
  const file = await zippedRectangle(174.5, -36.95, 174.55, -36.9);
  const moa = await client(service.api.url, service.database, 'Moa');
  const staff = await client(service.api.url, service.database);
  const whole = await moa.beginUpload(file.bytes.length, { filename: file.name, manifest });
  await service.database.query(`update provider set name = 'Moa Broadband' where name = 'Moa'`);
  await service.database.query(`insert into provider (name) values ('Moa')`);
  const last = await moa.sendPiece(whole.headers.get('location') as string, 0, file.bytes);
  const first = last.headers.get('submission') as string;
  const ofMoa = { status: 'ready', provider: { name: 'Moa Broadband' } };
  expect(await finished(first, moa)).toMatchObject(ofMoa);

  // The manifest of an earlier submission has the provider's earlier name.
  await service.database.query(sql`
    update submission set manifest = jsonb_set(manifest, '{provider,name}', '"Moa"') where id = ${first}`);
  for (const by of [moa, staff]) {
    const path = `/api/operator/submissions/${first}/reprocess`;
    const again = await by.json<{ id: string; answers: object }>(path, {});
    expect(again.answers).toMatchObject({ provider: { name: 'Moa Broadband' } });
    const { body } = await submit(by, again.id, { ...manifest, provider: 'Moa' }, { again: true });
    expect(await finished(body.id, moa)).toMatchObject(ofMoa);
  }
  const other = await moa.upload(file);
  const refused = await submit(moa, other.id, { ...manifest, provider: 'Moa' });
  expect(refused.body.code).toBe('provider_not_yours');
});

test('coverage that staff made for an operator stays so when the operator describes its file again', async () => {
  const file = await zippedRectangle(174.5, -36.95, 174.55, -36.9);
  const staff = await client(service.api.url, service.database);
  const made = await staff.handIn(file, { ...manifest, provider: 'Kauri Fibre', processed_by: 'service' });
  const path = `/api/operator/submissions/${made.id}/reprocess`;
  const again = await kauri.json<{ id: string; answers: object }>(path, {});
  const { body } = await submit(kauri, again.id, { ...again.answers, technology: 'cable' });
  const done = await finished(body.id);
  expect(done).toMatchObject({ status: 'ready', kind: 'coverage', processed_by: 'service' });
});

describe('a file that is submitted while it is uploaded', () => {
  const keep = (id: string, body: object) => kauri.post(`/api/operator/files/${id}/answers`, body, 'PUT');
  const half = async (bytes: Uint8Array, name: string) => {
    const begun = await kauri.beginUpload(bytes.length, { filename: name });
    const address = begun.headers.get('location') as string;
    await kauri.sendPiece(address, 0, bytes.subarray(0, 100));
    return { id: idIn(address), rest: () => kauri.sendPiece(address, 100, bytes.subarray(100)) };
  };

  test('is submitted when it is complete, with its description and its own attributes', async () => {
    const { id, rest } = await half(squareOf({ DL: 900, UL: 400 }), 'kept.geojson');
    const kept = await keep(id, { manifest: { technology: 'fibre', publish: 'review' } });
    const answers = { technology: 'fibre' };
    expect(await kept.json()).toMatchObject({ state: 'receiving', answers, submits: true });
    await rest();
    const { submission_id } = await fileWhen(id, (file) => file.submission_id !== null);
    const ready = await finished(submission_id);
    expect(ready).toMatchObject({ status: 'ready', technologies: ['fibre'] });
  });

  test('waits for a review of what earlier files were to ignore: its form alone suggests that again', async () => {
    const earlier = await kauri.upload({
      name: 'north.geojson',
      bytes: squareOf({ DL: 900, UL: 400, INFO: 'Planned' }),
    });
    const { body } = await submit(kauri, earlier.id, { ...manifest, ignore: ['INFO'] });
    expect(await finished(body.id)).toMatchObject({ status: 'ready', blocking: [] });
    const { id, rest } = await half(squareOf({ DL: 900, UL: 500, INFO: 'Proposed' }), 'next.geojson');
    await keep(id, { manifest: { technology: 'fibre', publish: 'auto' } });
    await rest();
    const { submission_id, inspection } = await fileWhen(id, (file) => file.submission_id !== null);
    expect(inspection).toMatchObject({ manifest: { ignore: ['INFO'] } });
    // Another operator's INFO may be what it looks like.
    const others = { name: 'others.geojson', bytes: squareOf({ DL: 900, UL: 500, INFO: 'Proposed' }) };
    const { inspection: ofOther } = await inspected((await tui.upload(others)).id, tui);
    expect(ofOther?.manifest).not.toHaveProperty('ignore');
    const held = await finished(submission_id);
    expect(held).toMatchObject({ status: 'ready', blocking: [{ code: 'availability_contradicts' }] });
  });

  test('becomes a draft again where the submission is withdrawn, and keeps its answers and the note', async () => {
    const { id, rest } = await half(squareOf({ DL: 900, UL: 300 }), 'b.geojson');
    await keep(id, { manifest: { technology: 'fibre' }, note: 'spring' });
    expect(await fileOf(id)).toMatchObject({ submits: true, note: 'spring', can_submit: true });
    const kept = { submits: false, note: 'spring', answers: { technology: 'fibre' } };
    expect(await (await keep(id, { submit: false })).json()).toMatchObject(kept);
    await rest();
    expect(await inspected(id)).toMatchObject({ state: 'inspected', ...kept, submission_id: null });
    await submit(kauri, id, manifest);
    expect((await keep(id, { submit: false })).status).toBe(409);
  });

  test('waits with its answers where it raises a question that they leave open', async () => {
    const withoutSpeeds = squareOf({ note: 'a' });
    const speeds = { bandwidth_max_mbps: 50, bandwidth_up_max_mbps: 10 };
    const wireless = { technology: 'wireless', speeds };
    const towers = Buffer.from(`${towersHead}${'A,-39,175,30,60,3500\n'.repeat(4)}`);
    for (const [bytes, name, answers] of [
      [withoutSpeeds, 'open.geojson', { technology: 'fibre' }],
      // The operator has to choose the levels that count, although the service proposes some.
      [signal(175, -38.8), 'open.tif', wireless],
      // A manifest of coverage does not ask for a prediction from towers.
      [towers, 'open.csv', wireless],
    ] as const) {
      const { id, rest } = await half(bytes, name);
      await keep(id, { manifest: answers });
      await rest();
      const file = await fileWhen(id, ({ submits }) => !submits);
      expect(file).toMatchObject({ state: 'inspected', answers });
      expect((await keep(id, { manifest: answers })).status).toBe(409);
    }
  });
});

test('a file whose inspection was only too slow can be submitted', async () => {
  const { id } = await kauri.upload(await zippedRectangle(175.6, -39, 175.65, -38.95));
  await inspected(id);
  const slow = { code: 'reader_too_slow', message: 'Too slow.', hint: '' };
  await recordInspection(service.database, id, { error: slow });
  expect(await fileOf(id)).toMatchObject({ state: 'unreadable', can_submit: true });
  expect((await submit(kauri, id, manifest)).status).toBe(202);
});

test('an upload whose last request was cut off after its last byte is completed by a worker’s sweep', async () => {
  const file = await zippedRectangle(174.9, -36.95, 174.95, -36.9);
  const begun = await kauri.beginUpload(file.bytes.length, { filename: 'c.zip', manifest });
  const address = begun.headers.get('location') as string;
  const id = idIn(address);
  await kauri.sendPiece(address, 0, file.bytes);
  // As if the process had been killed right after the last byte was written.
  const { submission_id } = await fileOf(id);
  await service.database.query(sql`
    update upload set submission_id = null, created_at = now() - interval '5 minutes' where id = ${id}`);
  expect(await silentUploads(service.database)).toContain(id);
  await finishSilentUpload(service.database, service.storage, id);
  // Same file, same manifest: the same submission.
  expect(await fileOf(id)).toMatchObject({ state: 'submitted', submission_id });
  expect((await kauri.submission(submission_id as string)).id).toBe(submission_id);
});

// The route's parameter alone decides which upload a request is about, and so whose.
test('no request target lets an operator read, write to or remove the upload of another', async () => {
  const bytes = 'somebody else wrote this';
  const tus = { 'tus-resumable': '1.0.0' };
  const piece = { ...tus, ...pieceAt(0) };
  /** Asks with a request target as it is: `fetch` would tidy it up. */
  const ask = async (by: Client, method: string, path: string, headers: Record<string, string>) => {
    const asked = request(service.api.url, { method, path, headers: { ...by.headers, ...headers } });
    asked.end(method === 'PATCH' ? bytes : undefined);
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    await once(answer.resume(), 'end');
    return answer.statusCode as number;
  };
  const begin = async (by: Client) =>
    idIn((await by.beginUpload(100, { filename: 'x.zip' })).headers.get('location') as string);
  const [theirs, own] = [await begin(kauri), await begin(tui)];
  const targets = [
    `${uploads}/${theirs}`,
    `${uploads}?x=/${theirs}`,
    `${uploads}/?x=/${theirs}`,
    `${uploads}?/${theirs}/`,
    `${uploads}?x=%2F${theirs}`,
    `${uploads}%2F${theirs}`,
    `${uploads}/%2E/${theirs}`,
    `${uploads}//${theirs}`,
    `/${uploads}/${theirs}`,
    `${uploads}/${theirs}/`,
    `${uploads}/x/${theirs}`,
    `${uploads}/..%2Fuploads%2F${theirs}`,
    `${service.api.url}${uploads}?x=/${theirs}`,
    `http://elsewhere.example${uploads}/${theirs}`,
  ];
  for (const path of targets) {
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET'])
      expect([404, 405], `${method} ${path}`).toContain(await ask(tui, method, path, piece));
    for (const method of ['PATCH', 'DELETE', 'HEAD']) {
      const concat = { 'upload-concat': `final;${uploads}/${theirs}` };
      const headers = { ...piece, ...concat, 'x-http-method-override': method };
      const status = await ask(tui, 'POST', path, headers);
      expect(status, `POST ${path} as ${method}`).toBeGreaterThanOrEqual(400);
    }
  }
  // The path decides which upload a request is about, whatever its query names.
  for (const query of [`?x=/${theirs}`, `?/${theirs}/`, `?%2F${theirs}`])
    expect(await ask(tui, 'HEAD', `${uploads}/${own}${query}`, tus), query).toBe(200);
  expect(await ask(tui, 'PATCH', `${uploads}/${own}?x=/${theirs}`, piece)).toBe(204);
  expect(await tui.offsetOf(`${uploads}/${own}`)).toBe(bytes.length);
  expect(await ask(tui, 'DELETE', `${uploads}/${own}?x=/${theirs}`, tus)).toBe(204);
  expect((await tui.tus('HEAD', `${uploads}/${own}`)).status).toBe(404);
  const untouched = await kauri.tus('HEAD', `${uploads}/${theirs}`);
  expect([untouched.status, untouched.headers.get('upload-offset')]).toEqual([200, '0']);
});
