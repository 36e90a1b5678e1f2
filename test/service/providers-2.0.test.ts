import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { administer } from '../../commands/admin/commands.ts';
import { automaticPublications } from '../../coverage/providers/providers.ts';
import { type Client, client, expectCode, manifest } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';

/*
 * GET /api/2.0/providers: docs/specification.md, "Coverage: answers"; and the profile that it shows, as operators
 * and staff change it.
 */

const service = await useService();
const area = await zippedRectangle(174.7, -36.95, 174.9, -36.85);
const zulu = {
  ...{ name: 'Zulu', url: 'https://zulu.example/' },
  ...{ description: 'Wireless and fibre.', area_served: ['Auckland', 'Waikato'] },
};
await service.ingest(area, { provider: zulu, technology: 'wireless' });
await service.ingest(area, { provider: 'Zulu', technology: 'fibre' });
await service.ingest(area, { provider: 'Alpha', technology: 'vdsl' });
await service.ingest(area, { provider: 'Not yet', publish: 'review' });
await service.ingest({ name: 'broken.zip', bytes: Buffer.from('no zip') }, { provider: 'Never' });

test('lists who has published coverage, by name, with every field of the document', async () => {
  const response = await service.get('/api/2.0/providers');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  const alpha = { name: 'Alpha', url: 'https://provider.example/', description: '', areaServed: [] };
  const { area_served: areaServed, ...others } = zulu;
  expect(await response.json()).toEqual({
    results: [
      { ...alpha, technologies: ['VDSL'] },
      { ...others, areaServed, technologies: ['Fibre', 'Wireless'] },
    ],
  });
});

describe('a provider’s profile', () => {
  const said = {
    url: 'https://moa.example/A',
    wholesale_network: 'Both',
    description: 'Fibre in the south.',
    area_served: ['Otago', 'Southland'],
  };
  let moa: Client;
  let staff: Client;
  let id: number;
  const put = (by: Client, body: object, ifMatch = '*', of = id) =>
    by.call(`/api/operator/providers/${of}`, {
      method: 'PUT',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', 'if-match': ifMatch },
    });
  const shown = async (name: string) => {
    const response = await service.get('/api/2.0/providers');
    const { results } = (await response.json()) as { results: { name: string }[] };
    return results.find((one) => one.name === name);
  };

  beforeAll(async () => {
    await service.ingest(area, { provider: 'Moa Networks', technology: 'cable' });
    moa = await client(service.api.url, service.database, 'Moa Networks');
    staff = await client(service.api.url, service.database);
    const { providers } = await moa.json<{ providers: { id: number; name: string }[] }>(
      '/api/operator/providers',
    );
    expect(providers.map(({ name }) => name)).toEqual(['Moa Networks']);
    id = providers[0]?.id as number;
  });

  test('is saved by its operator, and the next answers show it; staff give it another name', async () => {
    // Whatever the case of the scheme.
    const response = await put(moa, { ...said, url: 'HTTPS://moa.example/A' });
    expect([response.status, await response.json()]).toMatchObject([200, said]);
    expect(await shown('Moa Networks')).toMatchObject({ url: said.url, areaServed: said.area_served });
    const { results } = await service.at('-36.9', '174.8');
    const cable = results.find(({ technology }) => technology === 'cable');
    expect(cable?.providers).toMatchObject([{ url: said.url, wholesale_network: 'Both' }]);
    const named = { ...said, name: 'Moa Broadband' };
    await expectCode(put(moa, named), 403, 'provider_name_fixed');
    expect((await put(staff, named)).status).toBe(200);
    expect(await shown('Moa Broadband')).toBeDefined();
    expect((await put(staff, { ...said, name: 'Moa Networks' })).status).toBe(200);
    const { events } = await staff.json<{ events: { action: string; details: object }[] }>(
      '/api/staff/audit?provider=Moa%20Networks',
    );
    expect(events[0]).toMatchObject({
      action: 'provider_changed',
      details: { name: { from: 'Moa Broadband', to: 'Moa Networks' } },
    });
  });

  test('that two change at once keeps what the first saved, and the second is refused', async () => {
    const etag = (await moa.call(`/api/operator/providers/${id}`)).headers.get('etag') as string;
    const answers = await Promise.all([
      put(moa, { ...said, description: 'By one.' }, etag),
      put(staff, { ...said, description: 'By another.' }, etag),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  const wrongUrls = ['', 'https:///path', 'javascript:alert(1)', 'moa.example', 'https://a:b@moa.example/'];
  test.each([
    ...wrongUrls.map((url) => ({ url })),
    { url: `https://moa.example/${'x'.repeat(500)}` },
    { description: 'x'.repeat(2001) },
    { area_served: Array.from({ length: 101 }, (_, i) => `Area ${i}`) },
    { wholesale_network: 'Perhaps' },
  ])('is refused with %j', (wrong) => expectCode(put(moa, { ...said, ...wrong }), 422, 'profile_invalid'));

  test('that was saved is not changed by a manifest, and the operator is notified', async () => {
    await put(moa, said);
    const provider = { name: 'Moa Networks', url: 'https://old.example/', description: said.description };
    const checked = await moa.handIn(area, { ...manifest, provider });
    const message = expect.stringContaining('(web address)');
    expect(checked.report).toMatchObject({ warnings: [{ code: 'provider_profile_kept', message }] });
    await moa.json(`/api/operator/submissions/${checked.id}/publish`, {});
    expect(await shown('Moa Networks')).toMatchObject({ url: said.url });
  });

  test('without an address keeps coverage back, and publishes it once the address is saved', async () => {
    const { rows } = await service.database.query<{ id: number }>(`
      insert into provider (name) values ('Weka Networks') returning id`);
    const id = rows[0]?.id as number;
    const weka = await client(service.api.url, service.database, 'Weka Networks');
    const held = await weka.handIn(area, { ...manifest, technology: 'adsl', publish: 'auto' });
    expect(held).toMatchObject({
      status: 'ready',
      waiting_for: 'publish',
      blocking: [{ code: 'provider_url_missing' }],
      report: { warnings: [{ code: 'provider_url_missing' }] },
    });
    const publish = `/api/operator/submissions/${held.id}/publish`;
    await expectCode(weka.post(publish), 422, 'provider_url_missing');
    expect(await automaticPublications(service.database, id)).toEqual([held.id]);
    expect((await put(weka, said, '*', id)).status).toBe(200);
    await weka.until(held.id, ({ status }) => status === 'published');
    expect(await shown('Weka Networks')).toMatchObject({ url: said.url });
  });

  test('is given its address with the first token, by a command that warns where there is none', async () => {
    const command = (...words: string[]) => administer(service, words);
    const token = ['token', 'create', 'operator'];
    await expect(command(...token, 'Pukeko', 'Ana', '--url', 'pukeko')).rejects.toMatchObject({
      code: 'usage',
    });
    expect(await command(...token, 'Pukeko', 'Ana')).toContain('Pukeko has no web address yet');
    const given = await command(...token, 'Takahe', 'Ana', '--url', 'https://takahe.example/', '--days', '7');
    expect(given).not.toContain('no web address');
    const { rows } = await service.database.query(`select url from provider where name = 'Takahe'`);
    expect(rows).toEqual([{ url: 'https://takahe.example/' }]);
  });

  test('that had no address when its coverage was published has one that leads nowhere, not an empty one', async () => {
    await service.database.query(`update provider set url = '' where name = 'Alpha'`);
    expect(await shown('Alpha')).toMatchObject({ url: 'https://no-address.invalid/' });
  });
});
