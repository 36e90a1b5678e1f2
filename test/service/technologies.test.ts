import { cpSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { rectangle } from '@covermap/testing/shapes.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { knownTechnologies } from '../../ingest/rows/load.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { client, expectCode, manifest } from '../setup/operator.ts';
import { useService } from '../setup/service.ts';
import { technologies } from '../setup/technologies.ts';
import { decodeTile, tileOver } from '../setup/vector-tile.ts';

/* A technology is rows of a migration: files, lookups, lists and tiles have it, also of processes that run, and no code names it. */

const service = await useService();
const before = await knownTechnologies(service.database);

test('those that tests without a database know are those of a new one', async () => {
  const sorted = (all: typeof technologies) =>
    all.map((one) => ({ ...one, words: one.words.toSorted(), codes: one.codes.toSorted() }));
  expect(sorted(before)).toEqual(expect.arrayContaining(sorted(technologies)));
});

describe('one more', () => {
  const migration = `
    insert into technology (id, name, label, nominal_rank, set_id, plausible_mbps)
      values (600, 'low_orbit', 'Low orbit', 600, 600, 500);
    insert into technology_word (technology_id, word, is_code) values (600, 'leo satellite', false), (600, '61', true);`;
  const folder = scratchFolder();
  const here = { lat: -36.95, lng: 174.55 };

  /** Areas side by side from `here` on, with these attributes. */
  const areas = (rows: object[]) => ({
    name: 'coverage.geojson',
    bytes: Buffer.from(
      JSON.stringify({
        type: 'FeatureCollection',
        features: rows.map((properties, i) => {
          const ring = rectangle(174.5 + i, -37, 174.6 + i, -36.9);
          return { type: 'Feature', properties, geometry: { type: 'Polygon', coordinates: [ring] } };
        }),
      }),
    ),
  });
  const jsonAt = async (address: string) => (await service.get(address)).json();

  beforeAll(async () => {
    cpSync('migrations', folder, { recursive: true });
    writeFileSync(path.join(folder, '9000_low_orbit.sql'), migration);
    expect(await migrate(service.database, pathToFileURL(`${folder}/`))).toEqual(['9000_low_orbit.sql']);
  });

  test('files have it by its name, its label, its words and its codes, with its own limit of plausible speeds', async () => {
    const words = ['low_orbit', 'Low Orbit', 'LEO-Satellite', '61'];
    const { report } = await service.ingest(areas(words.map((TECH, i) => ({ TECH, DOWN: 500 + i }))), {
      ...{ provider: 'Orbit Networks', technology: undefined },
      attributes: { technology: 'TECH', bandwidth_max_mbps: 'DOWN' },
    });
    expect(report?.features).toMatchObject({ read: 4, loaded: 4 });
    expect(new Set(report?.tiers.map(({ technology }) => technology))).toEqual(new Set(['low_orbit']));
    const implausible = report?.warnings.find(({ code }) => code === 'speeds_implausible');
    expect(implausible?.message).toContain(
      'The speeds of 3 features of coverage are higher than is plausible',
    );
  });

  test('manifests name it, and whoever names none that there is hears of it', async () => {
    const orbit = await client(service.api.url, service.database, 'Orbit Networks');
    const described = { ...manifest, technology: 'low_orbit' };
    const ready = await orbit.handIn(areas([{}]), described);
    expect(ready).toMatchObject({ status: 'ready', technologies: ['low_orbit'] });
    await orbit.json(`/api/operator/submissions/${ready.id}/publish`, {});
    const refused = await orbit.send(areas([{}]), { ...manifest, technology: 'laser' });
    expect(await refused.clone().json()).toMatchObject({ hint: expect.stringContaining('low_orbit') });
    await expectCode(refused, 422, 'technology_unknown');
  });

  test('lookups of both versions, lists of positions and of providers answer with it', async () => {
    const { results } = await service.at(here.lat, here.lng);
    expect(results.map(({ technology, availability }) => [technology, availability])).toEqual([
      ['low_orbit', 'available'],
      ...before.map(({ name }) => [name, 'unavailable']),
    ]);
    const first = await jsonAt(`/api/1.0/availability/yx/${here.lat}/${here.lng}?api_key=${service.key}`);
    expect(JSON.stringify(first)).toContain('"Low orbit"');
    const list = await fetch(`${service.api.url}/api/2.0/availability/bulk`, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'text/csv', accept: 'text/csv' },
      body: `${here.lat},${here.lng},a\n`,
    });
    expect(await list.text()).toMatch(/,low_orbit,available,Orbit Networks,/);
    expect(await jsonAt('/api/2.0/providers')).toMatchObject({
      results: [{ name: 'Orbit Networks', technologies: ['Low orbit'] }],
    });
  });

  test('the lists that pages choose from have it, and its set has tiles', async () => {
    const { call } = await client(service.api.url, service.database);
    const named = { name: 'low_orbit', label: 'Low orbit', set_id: 600 };
    const settings = { technologies: expect.arrayContaining([named]) };
    expect(await (await call('/api/operator/catalog')).json()).toMatchObject(settings);
    expect(await jsonAt('/api/map/settings')).toMatchObject(settings);
    const { z, x, y } = tileOver(10, here.lng, here.lat);
    const tile = await service.get(`/tiles/600/${z}/${x}/${y}.mvt`);
    const features = decodeTile(Buffer.from(await tile.arrayBuffer()), 'coverage', { z, x, y });
    expect(features).toMatchObject([{ properties: { technology: 'low_orbit', provider: 'Orbit Networks' } }]);
  });
});
