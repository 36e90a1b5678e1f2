import { rectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import type { Point } from '@covermap/testing/write-shapefile.ts';
import type { Page } from 'playwright-core';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import type { ManifestInput } from '../../coverage/submissions/manifest.ts';
import type { Config } from '../../platform/config.ts';
import { type UploadFile, uploadFile, useScene } from '../setup/browser.ts';
import { type Service, startService } from '../setup/service.ts';

/* Steps on the operators' page, in the words that are on it. */

export function operatorToken(service: Service, provider: string): Promise<string> {
  const owner = operatorOf(provider, 'https://operator.example/');
  return createToken(service.database, owner, 'Ana', commandActor);
}

/** A service for all tests of a file that asks before it publishes coverage which loses much. */
export async function useOperators(changes: Partial<Config> = {}, drawsMaps = true) {
  const blocks = { publishBlocks: { lostPercent: 60, warnings: [] } };
  const scene = await useScene(() => startService({ ...blocks, ...changes }), drawsMaps);
  const openWith = async (token: string, view: string, origin?: string): Promise<Page> => {
    const page = await scene.open(origin);
    await beginSession(page, token, origin ?? scene.service.api.url);
    await page.goto(`/operator#/${view}`);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  };
  return Object.assign(scene, {
    /** A page on which somebody of that operator has signed in. */
    signedIn: async (provider: string, view = '', origin?: string) =>
      openWith(await operatorToken(scene.service, provider), view, origin),
    /** A page on which staff have signed in. */
    asStaff: async (view = '') =>
      openWith(await createToken(scene.service.database, { role: 'staff' }, 'Sam', commandActor), view),
  });
}

/** Signs in without the form, which the tests of a journey fill in. */
export async function beginSession(page: Page, token: string, origin: string): Promise<void> {
  const { request } = page.context();
  const begun = await request.post(`${origin}/api/session`, { data: { token }, headers: { origin } });
  if (!begun.ok()) throw new Error(await begun.text());
}

/** Chooses a file on the first view, and waits until it has been looked into. */
export async function choose(page: Page, file: UploadFile): Promise<void> {
  await page.goto('/operator#/');
  await page.getByLabel('Choose a file').setInputFiles(file);
  await inspected(page);
}

export async function inspected(page: Page): Promise<void> {
  await page.getByText(/^Upload complete(:|\. File)/).waitFor();
}

/** Submits what has been described, and waits until it has been checked. */
export async function handIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit' }).click();
  await expectState(page, 'Ready to publish');
}

export async function expectState(page: Page, words: string): Promise<void> {
  await page.locator('.page-head .badge').getByText(words, { exact: true }).waitFor();
}

interface Area {
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

/** Sends coverage of squares without the page: it is published unless the manifest asks for a review. @returns the id of the submission */
export async function ingestSquares(
  service: Service,
  name: string,
  corners: [lng: number, lat: number][],
  manifest: Partial<ManifestInput>,
): Promise<string> {
  const { buffer: bytes } = await squares(name, ...corners);
  return (await service.ingest({ name, bytes }, manifest)).id;
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

/** The technologies of an operator's coverage at a position, as the API answers. */
export async function technologiesAt(
  service: Service,
  { lat, lng }: { lat: number; lng: number },
  provider: string,
): Promise<string[]> {
  const { results } = await service.at(lat.toFixed(7), lng.toFixed(7));
  return results
    .filter(({ providers }) => providers?.some(({ name }) => name === provider))
    .map(({ technology }) => technology);
}
