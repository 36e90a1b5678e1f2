import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fromArrayBuffer } from 'geotiff';
import proj4 from 'proj4';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listProcessingFees } from '../../billing/processing-fees.ts';
import type { Application } from '../../commands/application.ts';
import { newSamples, readSamples, type Sample, samplePath, submitSamples } from '../../commands/samples.ts';
import { steps } from '../../coverage/attempts.ts';
import { waitingRows } from '../../coverage/jobs/waiting.ts';
import type { IngestReport } from '../../coverage/submissions/report.ts';
import { findSubmission } from '../../coverage/submissions/submissions.ts';
import { submitLocalFile } from '../../coverage/submissions/submit.ts';
import { readConfig } from '../../platform/config.ts';
import { sql } from '../../platform/database/sql.ts';
import { createLogger } from '../../platform/logger.ts';
import { type Client, client } from '../setup/operator.ts';
import { type Service, startService } from '../setup/service.ts';
import { nztm } from '../setup/terrain.ts';

/* The demo's samples, as a start submits them. */

const samples = await readSamples();
const named = (file: string) => samples.find((sample) => sample.file === file) as Sample;
let service: Service;
let staff: Client;
let application: Application;

async function start(): Promise<void> {
  // The samples are submitted without jobs: the next sweep sends these.
  service = await startService({ sweepSeconds: 1 });
  // The thresholds of a demo.
  const { plausibility } = readConfig({});
  const config = { ...service.config, plausibility };
  application = { ...service, config, logger: createLogger('silent'), close: async () => undefined };
  staff = await client(service.api.url, service.database);
}

async function submissionsOf({ file }: Sample) {
  const { rows } = await service.database.query<{ id: string; state: string }>(sql`
    select id, state from submission where file_name = ${file} order by received_at`);
  return rows;
}

describe('a new demo', () => {
  let began: Date;
  beforeAll(async () => {
    await start();
    began = new Date();
    await submitSamples(application, await newSamples(service.database));
  });
  afterAll(() => service.stop());

  test.each(samples)('has $file published, with its report, its file and its areas', async (sample) => {
    const submissions = await submissionsOf(sample);
    expect(submissions).toEqual([{ id: expect.any(String), state: 'published' }]);
    const { id } = submissions[0] as { id: string };
    const shown = await staff.submission(id);
    expect(shown).toMatchObject({ status: 'published', finished: true, blocking: [], error: null });
    expect(shown.report?.text.join('\n')).toMatch(/^Layer .*\n(.*\n)*Area [\d.,]+ km2\n/);
    const report = (await findSubmission(service.database, id))?.report as IngestReport;
    expect(report).toMatchObject({ warnings: [] });
    expect(report.area_km2).toBeGreaterThan(10);
    const { no_coverage: _, ...dropped } = report.features.dropped;
    expect(dropped).toEqual({});
    const response = await staff.call(`/api/operator/submissions/${id}/file`);
    const kept = Buffer.from(await response.arrayBuffer());
    expect(kept.equals(readFileSync(samplePath(sample.file)))).toBe(true);
    type Inside = { lat: number; lng: number; technology: string; max: number };
    // Where there is something now, answers leave out what is planned.
    const { rows } = await service.database.query<Inside>(sql`
      select st_y(p) as lat, st_x(p) as lng, g.name as technology, t.bandwidth_max_mbps::float8 as max
      from dataset d join tier t on t.dataset_id = d.id join coverage c on c.tier_id = t.id
      join technology g on g.id = d.technology_id cross join lateral st_pointonsurface(c.geom) as p
      where d.submission_id = ${id} and t.availability = 'available'
      limit 30`);
    expect(rows.length > 0).toBe(sample.manifest.availability !== 'planned');
    const answers = rows.length > 0 ? await service.atAll(rows.map(({ lat, lng }) => [lat, lng])) : [];
    for (const [i, { lat, lng, technology, max }] of rows.entries()) {
      const there = answers[i]?.results.find((one) => one.technology === technology);
      const mine = there?.providers?.find(({ name }) => name === sample.manifest.provider.name);
      expect(mine?.bandwidth_max_mbps, `${lat}, ${lng}`).toBeGreaterThanOrEqual(max);
    }
  });

  test('answers each pixel middle of wireless-signal.tif by its level', async () => {
    const bytes = readFileSync(samplePath('wireless-signal.tif'));
    const image = await (await fromArrayBuffer(new Uint8Array(bytes).buffer)).getImage();
    const [values] = (await image.readRasters()) as unknown as [Float32Array];
    const [x0 = 0, y0 = 0] = image.getOrigin();
    const [dx = 0, dy = 0] = image.getResolution();
    const width = image.getWidth();
    const asked = [...values.entries()].filter(([i]) => i % 97 === 5);
    const places = asked.map(([i]) => {
      const at = [x0 + ((i % width) + 0.5) * dx, y0 + (Math.floor(i / width) + 0.5) * dy];
      const [lng, lat] = proj4(nztm).inverse(at) as [number, number];
      return [lat, lng] as const;
    });
    for (const [i, { results }] of (await service.atAll(places)).entries()) {
      const { providers = [] } = results.find(({ technology }) => technology === 'wireless') ?? {};
      const found = providers.find(({ name }) => name === 'Remarkable Wireless')?.bandwidth_max_mbps;
      const [, value] = asked[i] as [number, number];
      // A value of exactly -90 is of the class that is named first.
      expect(found, `${value} at ${places[i]}`).toBe(value >= -70 ? 150 : value >= -90 ? 50 : undefined);
    }
    expect(asked.length).toBeGreaterThan(200);
  });

  test('says of every provider what its manifest says', async () => {
    const { results } = (await (await service.get('/api/2.0/providers')).json()) as { results: unknown[] };
    for (const { manifest } of samples) {
      const { name, url, description = '', area_served: areaServed = [] } = manifest.provider;
      expect(results).toContainEqual(expect.objectContaining({ name, url, description, areaServed }));
    }
  });

  test('owes a processing fee for each sample that the service modelled, and since now', async () => {
    const fees = await listProcessingFees(service.database, {}, new Date());
    expect(fees.map(({ submission, state, kind }) => [submission.file, state, kind]).sort()).toEqual([
      ['wireless-prediction.kmz', 'accrued', 'first'],
      ['wireless-signal.tif', 'accrued', 'first'],
    ]);
    const { rows } = await service.database.query<{ times: Date[] }>(`
      select array_agg(received_at) || array_agg(started_at) || array_agg(finished_at)
        || (select array_agg(published_at) from publication)
        || (select array_agg(accrued_at) from processing_fee)
        || (select array_agg(at) from audit_event where submission_id is not null) as times
      from submission`);
    const times = (rows[0]?.times ?? []).map((time) => new Date(time).getTime());
    expect(times.length).toBeGreaterThan(70);
    // The database server's clock counts microseconds.
    expect(Math.min(...times)).toBeGreaterThanOrEqual(began.getTime() - 1);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now() + 1);
  });

  test('leaves workers nothing to do, and the next start no sample', async () => {
    for (const step of steps) expect([step, await waitingRows(service.database, step)]).toEqual([step, []]);
    expect(await newSamples(service.database)).toEqual([]);
  });
});

describe('samples', () => {
  beforeAll(start);
  afterAll(() => service.stop());
  const submit = (sample: Sample, provider = sample.manifest.provider.name) =>
    submitLocalFile(
      service.database,
      service.storage,
      { path: samplePath(sample.file), name: sample.file },
      { ...sample.manifest, provider: { ...sample.manifest.provider, name: provider } },
    );

  test('of a start that was killed are published by the next one, and once', async () => {
    const [cable, south] = [named('cable.gpkg'), named('fibre-south.zip')];
    // Loaded, and not published yet.
    const reviewed = { ...south, manifest: { ...south.manifest, publish: 'review' as const } };
    const [ready] = (await submitSamples(application, [reviewed])) as [string];
    const received = await submit(cable);
    const again = await service.database.transaction(async (connection) => {
      // A worker that publishes one of them meanwhile waits for its provider.
      await connection.query('select from provider for update');
      await connection.query(sql`
        update submission set manifest = manifest || '{"publish": "auto"}' where id = ${ready}`);
      return newSamples(connection);
    });
    const begun: Record<string, string> = { [cable.file]: received.id, [south.file]: ready };
    expect(again.map(({ file, id }) => [file, id])).toEqual(samples.map(({ file }) => [file, begun[file]]));
    const unfinished = again.filter(({ id }) => id);
    await submitSamples(application, unfinished);
    for (const sample of [cable, south])
      expect(await submissionsOf(sample)).toMatchObject([{ state: 'published' }]);
    expect((await newSamples(service.database)).map(({ file }) => file)).not.toContain(cable.file);
  });

  test('are not taken for files of others that have their names', async () => {
    const adsl = named('adsl.geojson');
    const operator = await client(service.api.url, service.database, adsl.manifest.provider.name);
    const { provider: _, ...described } = adsl.manifest;
    const own = readFileSync(samplePath('several.fgb'));
    await operator.handIn({ name: adsl.file, bytes: own }, { ...described, publish: 'review' });
    await submit(adsl, 'Another Network');
    expect(await newSamples(service.database)).toContainEqual(adsl);
  });

  test('that were replaced or withdrawn stay so, also where another version of covermap has another file', async () => {
    const [areas, planned] = [named('wireless-areas.kml'), named('fibre-planned.zip')];
    await submitSamples(application, [areas]);
    const { id } = await submit(planned);
    await staff.json(`/api/operator/submissions/${id}/withdraw`, {});
    const other = createHash('sha256').update('another file').digest();
    await service.database.query(sql`update submission set sha256 = ${other}`);
    const files = (await newSamples(service.database)).map(({ file }) => file);
    expect(files).not.toContain(areas.file);
    expect(files).not.toContain(planned.file);
    expect(files).toContain('wireless.zip');
  });
});
