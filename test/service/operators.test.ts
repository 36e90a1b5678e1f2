import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { describe, expect, test } from 'vitest';
import type { Catalog } from '../../client/schema.ts';
import { client, expectCode, form, manifest, type ShownSubmission } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/* Submitting over HTTP: who may submit, the errors, and that a refusal leaves nothing behind. */

const limitBytes = 4 * 1024 * 1024;
const submissions = '/api/operator/submissions';

const service = await useService({ uploadLimitBytes: limitBytes });
const kauri = await client(service.api.url, service.database, 'Kauri Fibre');
const tui = await client(service.api.url, service.database, 'Tui Wireless');
const staff = await client(service.api.url, service.database);
const file = await zippedRectangle(174.7, -36.95, 174.75, -36.9);

/** Files that are kept, also half ones. */
const keptFiles = () => readdirSync(service.config.uploadDir).filter((name) => name !== 'incoming');

describe('a file and its manifest in one request', () => {
  let id: string;
  test('are accepted, processed, and wait for a review', async () => {
    const response = await kauri.send(file, manifest);
    expect(response.status).toBe(202);
    const received = (await response.json()) as ShownSubmission;
    id = received.id;
    expect(received).toMatchObject({ status: 'received', duplicate: false });
    expect(response.headers.get('location')).toBe(received.links.self);
    const ready = await kauri.until(id, ({ finished }) => finished);
    expect(ready).toMatchObject({
      ...{ status: 'ready', waiting_for: 'publish', technologies: ['fibre'], blocking: [], error: null },
      progress: { step: 'checking', percent: 100 },
      file: { name: 'coverage.zip', size_bytes: file.bytes.length },
      datasets: [{ technology: 'fibre', state: 'ready', replaces: null, change: null }],
    });
    expect(ready.report?.text.join('\n')).toMatch(/Read 1 feature/);
    const back = await kauri.call(`${submissions}/${id}/file`);
    expect(Buffer.from(await back.arrayBuffer()).equals(file.bytes)).toBe(true);
    expect(back.headers.get('content-disposition')).toContain('coverage.zip');
  });
  test('the same again is recognised, also with another publish option', async () => {
    const before = keptFiles().length;
    const same = await kauri.send(file, { ...manifest, publish: 'auto' });
    expect(await same.json()).toMatchObject({ status: 'ready', id, duplicate: true });
    // Only "true" and "false" say whether to process it again.
    await expectCode(kauri.send(file, manifest, { again: 'yes' }), 400, 'request_invalid');
    expect(keptFiles()).toHaveLength(before);
    expect(await kauri.sent(file, { ...manifest, technology: 'cable' })).toMatchObject({ duplicate: false });
  });
  test('from two browsers at once are one submission', async () => {
    const twin = await zippedRectangle(174.71, -36.95, 174.72, -36.9);
    const answers = await Promise.all([kauri.send(twin, manifest), kauri.send(twin, manifest)]);
    const bodies = (await Promise.all(answers.map((answer) => answer.json()))) as ShownSubmission[];
    expect(bodies.map(({ duplicate }) => duplicate).sort()).toEqual([false, true]);
    expect(bodies[0]?.id).toBe(bodies[1]?.id);
  });
  test('may come in any order, and a name such as ../../x.zip is only a name', async () => {
    const data = form({ ...file, name: '../../x.zip' }, {});
    data.append('manifest', JSON.stringify({ ...manifest, technology: 'vdsl' }));
    const answer = await kauri.call(submissions, { method: 'POST', body: data });
    const { id: odd } = (await answer.json()) as { id: string };
    expect((await kauri.submission(odd)).file.name).toBe('x.zip');
    expect(keptFiles().every((name) => /^[0-9a-f-]{36}\.zip$/.test(name))).toBe(true);
  });
  test('have a note in the operator’s own words, at submission or later, which versions and staff show', async () => {
    const noted = await zippedRectangle(174.73, -36.95, 174.74, -36.9);
    // An operator may name its own provider.
    const said = { ...manifest, technology: 'adsl', provider: 'kauri fibre' };
    const { id: own } = await kauri.sent(noted, said, { note: ' Spring sites ' });
    expect(await kauri.submission(own)).toMatchObject({ note: 'Spring sites' });
    await kauri.until(own, ({ finished }) => finished);
    const change = (note: unknown) => kauri.post(`${submissions}/${own}/note`, { note }, 'PUT');
    expect((await change('With Rolleston')).status).toBe(200);
    expect((await change('x'.repeat(501))).status).toBe(400);
    expect((await change('two\nlines')).status).toBe(400);
    const versions = await staff.json('/api/operator/datasets?technology=adsl&state=ready');
    expect(versions).toMatchObject({ datasets: [{ submission_id: own, note: 'With Rolleston' }] });
    await kauri.json(`${submissions}/${own}/withdraw`, {});
  });
  test('are listed, newest first, page by page, and only the technology or status that was asked for', async () => {
    const list = (query: string) =>
      kauri.json<{ submissions: ShownSubmission[]; next: string | null }>(`${submissions}?${query}`);
    const all = (await list('')).submissions.map((one) => one.id);
    const first = await list('limit=2');
    const second = await list(`limit=200&before=${first.next}`);
    expect([...first.submissions, ...second.submissions].map((one) => one.id)).toEqual(all);
    expect((await list('technology=cable')).submissions).toHaveLength(1);
    expect((await list('status=failed')).submissions).toEqual([]);
    expect(first.submissions[0]).not.toHaveProperty('report');
  });

  test('are no other operator’s, not even by submitting the same file', async () => {
    expect(await tui.json(submissions)).toMatchObject({ submissions: [] });
    expect(await tui.json('/api/operator/datasets')).toMatchObject({ datasets: [] });
    expect(await tui.sent(file, manifest)).toMatchObject({ duplicate: false });
  });
  test('can be withdrawn while they are not published', async () => {
    const withdrawn = await kauri.json(`${submissions}/${id}/withdraw`, {});
    expect(withdrawn).toMatchObject({ status: 'withdrawn', finished: true });
    await kauri.until(id, ({ datasets }) => datasets.length === 0);
    await expectCode(kauri.post(`${submissions}/${id}/publish`), 409, 'submission_withdrawn');
    // Then the same file is a new one.
    expect(await kauri.sent(file, manifest)).toMatchObject({ duplicate: false });
  });
});

describe('what is refused', () => {
  test('an address that is none', () =>
    expectCode(kauri.call('/api/operator/nothing'), 404, 'address_unknown'));

  test('a file that is far too large is refused before it is sent', async () => {
    const before = keptFiles();
    const { port } = new URL(service.api.url);
    const ofForm = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': 3 * 1024 ** 3 };
    const headers = { ...kauri.headers, expect: '100-continue', ...ofForm };
    const sending = httpRequest({ port, path: submissions, method: 'POST', headers });
    sending.flushHeaders();
    let continued = false;
    sending.on('continue', () => {
      continued = true;
    });
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    sending.destroy();
    expect([answer.statusCode, continued]).toEqual([413, false]);
    expect(keptFiles()).toEqual(before);
  });

  test('an upload that is cut off in the middle leaves nothing', async () => {
    const before = [keptFiles().sort(), await count()];
    const { port } = new URL(service.api.url);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      ...[`POST ${submissions} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${kauri.token}`],
      ...['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 2000000'],
    ];
    const part = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
    socket.write(`${head.join('\r\n')}\r\n\r\n${part}${'x'.repeat(1_000_000)}`);
    const isComing = () => keptFiles().some((name) => name.endsWith('.part'));
    await expect.poll(isComing, { timeout: 60_000 }).toBe(true);
    socket.destroy();
    await expect.poll(isComing, { timeout: 60_000 }).toBe(false);
    expect([keptFiles().sort(), await count()]).toEqual(before);
  });
  async function count() {
    const { rows } = await service.database.query('select count(*) as submissions from submission');
    return rows[0];
  }
});

test('the forms get their options; staff submit for any provider', async () => {
  expect(await kauri.json<Catalog>('/api/operator/catalog')).toMatchObject({
    provider: { name: 'Kauri Fibre', wholesale_network: 'No' },
    providers: [{ name: 'Kauri Fibre' }],
    technologies: ['fibre', 'cable', 'vdsl', 'wireless', 'adsl'].map((name) => ({ name })),
    ...{ upload_limit_bytes: limitBytes, service_area: service.config.serviceArea, basemap_style_url: null },
  });
  await staff.sent(file, { ...manifest, provider: { name: 'Anybody', url: 'https://anybody.example/' } });
  const all = await staff.json<Catalog>('/api/operator/catalog');
  expect(all.provider).toBeNull();
  expect(all.providers.length).toBeGreaterThan(2);
});

test('staff read who did what, when, from where, and nobody can change it', async () => {
  type Events = {
    events: { id: number; action: string; actor: object; address: string; provider: string }[];
  };
  const { events } = await staff.json<Events>('/api/staff/audit?provider=kauri%20fibre&limit=500');
  const actions = ['token_created', 'submission_received', 'submission_withdrawn', 'note_changed'];
  expect(new Set(events.map(({ action }) => action))).toEqual(new Set(actions));
  expect(events.find(({ action }) => action === 'submission_withdrawn')).toMatchObject({
    actor: { kind: 'operator', name: 'Test operator', token_id: expect.any(Number) },
    address: '127.0.0.1',
    provider: 'Kauri Fibre',
    submission_id: expect.any(String),
  });
  const note = events.find(({ action }) => action === 'note_changed');
  expect(note).toMatchObject({ details: { note: 'With Rolleston' } });
  const ids = events.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort((a, b) => b - a));
  const page = await staff.json<Events & { next: string }>('/api/staff/audit?limit=1');
  const rest = await staff.json<Events>(`/api/staff/audit?limit=1&before=${page.next}`);
  expect(rest.events[0]?.id).toBeLessThan(page.events[0]?.id as number);
  await expect(service.database.query('delete from audit_event')).rejects.toThrow(/only ever added/);
});
