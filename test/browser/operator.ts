import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { createToken } from '../../core/access/tokens.ts';
import { commandActor } from '../../core/actor.ts';
import type { ManifestInput } from '../../core/coverage/submissions/manifest.ts';
import {
  type Scene,
  type SceneOptions,
  signIn,
  type UploadFile,
  uploadFile,
  useScene,
} from '../setup/browser.ts';
import { type Service, startService } from '../setup/service.ts';
import { rectangle, zippedShapefile } from '../setup/shapes.ts';
import type { Point } from '../setup/write-shapefile.ts';

/* Steps on the operators' page, in the words that are on it. */

export const operatorName = 'Demo Networks';

export function operatorToken(service: Service, provider = operatorName): Promise<string> {
  const role = { role: 'operator', provider, url: 'https://operator.example/' } as const;
  return createToken(service.database, role, 'Ana', commandActor);
}

/** A service for all tests of a file that asks before it publishes coverage which loses much. */
export function useOperators(options: SceneOptions = {}) {
  const scene = useScene(() => startService({ publishBlocks: { lostPercent: 60, warnings: [] } }), options);
  /** A page on which somebody of that operator has signed in. */
  const signedIn = async (provider: string, origin?: string): Promise<Page> => {
    const page = await scene.open(origin);
    await signIn(page, await operatorToken(scene.service, provider));
    return page;
  };
  return Object.assign(scene, { signedIn });
}

/** A page on which staff have signed in. */
export async function openAsStaff(scene: Scene<Service>): Promise<Page> {
  const page = await scene.open();
  const token = await createToken(scene.service.database, { role: 'staff' }, 'Sam', commandActor);
  await signIn(page, token, '/operator', 'Coverage of all operators');
  return page;
}

const samplesFolder = fileURLToPath(new URL('../../samples/', import.meta.url));

/** A file of `samples/` with its manifest, without the provider: that of the operator who submits it. */
export interface Sample {
  file: UploadFile;
  manifest: Omit<ManifestInput, 'provider'>;
}

export function sample(name: string): Sample {
  const manifestName = `${name.replace(/\.[a-z]+(\.zip)?$/, '')}.manifest.json`;
  const text = readFileSync(`${samplesFolder}${manifestName}`, 'utf8');
  const { file, provider: _provider, publish: _publish, ...manifest } = JSON.parse(text);
  expect(file).toBe(name);
  return { file: uploadFile(name, readFileSync(`${samplesFolder}${name}`)), manifest };
}

const endingOf = (name: string) => name.slice(name.indexOf('.'));

/** A sample of each format. */
export const sampleNames = readdirSync(samplesFolder)
  .filter((name) => name.endsWith('.manifest.json'))
  .map((name) => JSON.parse(readFileSync(`${samplesFolder}${name}`, 'utf8')).file as string)
  .filter((name, index, all) => all.findIndex((other) => endingOf(other) === endingOf(name)) === index);

/** Chooses a file on the first view, and waits until it has been looked into. */
export async function choose(page: Page, file: UploadFile): Promise<void> {
  await page.goto('/operator#/');
  await page.getByLabel('Choose a file').setInputFiles(file);
  await inspected(page);
}

export async function inspected(page: Page): Promise<void> {
  await page.getByText(/^Upload complete(:|\. File)/).waitFor();
}

const speedLabels = {
  bandwidth_max_mbps: 'Maximum download speed',
  bandwidth_up_max_mbps: 'Maximum upload speed',
  bandwidth_min_mbps: 'Minimum download speed',
  bandwidth_up_min_mbps: 'Minimum upload speed',
} as const;

/** Answers the form's questions as a manifest would. */
export async function describeAs(page: Page, manifest: Sample['manifest']): Promise<void> {
  const { technology, availability, planned_date, speeds = {}, attributes = {}, tiers, classes } = manifest;
  if (technology) await page.getByLabel('Technology').selectOption(technology);
  if (availability === 'planned') await page.getByLabel('Planned', { exact: true }).check();
  if (planned_date) await page.getByLabel('Planned date').fill(planned_date);
  const asksForSpeeds =
    Object.keys(speeds).length > 0 || Object.keys(attributes).some((name) => name in speedLabels);
  const slowest = page.locator('details').filter({ hasText: 'Minimum speeds (optional)' });
  if (asksForSpeeds && (await slowest.getAttribute('open')) === null)
    await slowest.locator('summary').click();
  for (const name of Object.keys(speedLabels) as (keyof typeof speedLabels)[]) {
    const from = page.locator(`#${name}-from`);
    const attribute = attributes[name];
    if (attribute) {
      const field = typeof attribute === 'string' ? attribute : attribute.field;
      await from.selectOption(field);
    } else if (speeds[name] !== undefined) {
      if ((await from.count()) > 0) await from.selectOption('');
      await page.locator(`#${name}`).fill(String(speeds[name]));
    }
  }
  if (tiers) {
    await page.getByLabel('By category field').check();
    await page.getByLabel('Category field', { exact: true }).selectOption(tiers.field);
    for (const [text, { speeds: of = {} }] of Object.entries(tiers.values)) {
      const row = page.getByRole('group', { name: text, exact: true });
      await row.getByLabel('Download, Mbps').fill(String(of.bandwidth_max_mbps));
      await row.getByLabel('Upload, Mbps').fill(String(of.bandwidth_up_max_mbps));
    }
  }
  if (classes) await fillClasses(page, classes);
}

/** Fills in the table of classes: colours as the file has them, or ranges from the highest down. */
async function fillClasses(page: Page, classes: NonNullable<Sample['manifest']['classes']>): Promise<void> {
  const table = page.getByRole('group', { name: 'Speeds per class' });
  const limits = classes.flatMap(({ min }) => min ?? []);
  if (limits.length > 0) {
    const merge = table.getByRole('button', { name: 'Merge with the range below' });
    const shown = table.getByLabel('From');
    while ((await shown.count()) > limits.length) await merge.last().click();
    for (const [i, limit] of limits.entries()) await shown.nth(i).fill(String(limit));
  }
  for (const { colour, min, max, coverage = true, speeds = {} } of classes) {
    const name = colour ? `Colour ${colour}` : rangeName(min, max);
    const row = table.getByRole('group', { name });
    await row.getByLabel('Status').selectOption(coverage ? 'covered' : 'none');
    if (!coverage) continue;
    await row.getByLabel('Download, Mbps', { exact: true }).fill(String(speeds.bandwidth_max_mbps));
    await row.getByLabel('Upload, Mbps', { exact: true }).fill(String(speeds.bandwidth_up_max_mbps));
  }
}

function rangeName(min: number | undefined, max: number | undefined): string {
  const words =
    max === undefined ? `${min} and above` : min === undefined ? `below ${max}` : `${min} to below ${max}`;
  return words.replaceAll('-', '−');
}

/** Submits what has been described, and waits until it has been checked. */
export async function handIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit' }).click();
  await expectState(page, 'Ready to publish');
}

export async function expectState(page: Page, words: string): Promise<void> {
  await page.locator('.page-head .badge').getByText(words, { exact: true }).waitFor();
}

export interface Area {
  rings: Point[][];
  name?: string;
  down?: number;
}
export const square = (lng: number, lat: number, size = 0.05): Point[][] => [
  rectangle(lng, lat, lng + size, lat + size),
];

/** Coverage as a planner's program would write it. */
export async function shapefile(name: string, areas: readonly Area[]): Promise<UploadFile> {
  const layer = {
    fields: [
      { name: 'name', type: 'C' as const, length: 20 },
      { name: 'maxdown', type: 'N' as const, length: 6 },
      { name: 'maxup', type: 'N' as const, length: 6 },
    ],
    features: areas.map(({ rings, name: named = '', down = 100 }) => ({
      rings,
      attributes: { name: named, maxdown: down, maxup: down / 5 },
    })),
  };
  return uploadFile(name, (await zippedShapefile(layer)).bytes);
}

/** Coverage of squares with their lower left corner at these positions. */
export function squares(name: string, ...corners: [lng: number, lat: number][]): Promise<UploadFile> {
  const areas = corners.map(([lng, lat]) => ({ rings: square(lng, lat) }));
  return shapefile(name, areas);
}

export async function handInSquares(page: Page, name: string, ...corners: [number, number][]): Promise<void> {
  await choose(page, await squares(name, ...corners));
  await page.getByLabel('Technology').selectOption('fibre');
  await handIn(page);
}

/** Presses Publish, and says yes. */
export async function publish(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  // “Publish anyway” where something is blocking.
  await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  await expectState(page, 'Published');
}

/** The id in the address of the view of a submission. */
export function submissionId(page: Page): string {
  const id = /#\/submission\/([^/]+)$/.exec(page.url())?.[1];
  if (!id) throw new Error(`${page.url()} is not the address of a submission.`);
  return id;
}

/** A position that a submission covers. */
export async function somewhereIn(service: Service, id: string): Promise<{ lat: number; lng: number }> {
  const { rows } = await service.database.query<{ lat: number; lng: number }>(
    `select st_y(point) as lat, st_x(point) as lng
     from dataset d
     join tier t on t.dataset_id = d.id
     join coverage c on c.tier_id = t.id
     cross join lateral st_pointonsurface(c.geom) as point
     where d.submission_id = $1
     order by st_area(c.geom) desc
     limit 1`,
    [id],
  );
  if (!rows[0]) throw new Error(`Submission ${id} covers nothing.`);
  return rows[0];
}

/** The file that an operator's coverage comes from at a position, by what the API answers: undefined where it has none. */
export async function technologiesAt(
  service: Service,
  { lat, lng }: { lat: number; lng: number },
  provider = operatorName,
): Promise<string[]> {
  const { results } = await service.at(lat.toFixed(7), lng.toFixed(7));
  return results
    .filter(({ providers }) => providers?.some(({ name }) => name === provider))
    .map(({ technology }) => technology);
}
