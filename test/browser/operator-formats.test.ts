import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { drawnOnMap, signIn, useScene } from '../setup/browser.ts';
import { sampled } from '../setup/rounds.ts';
import { startService } from '../setup/service.ts';
import {
  choose,
  describeAs,
  handIn,
  operatorToken,
  publish,
  sample,
  sampleNames,
  somewhereIn,
  submissionId,
  technologiesAt,
} from './operator.ts';

/* Files on the operators' page: submitted, watched, seen on the map, published, and answered by lookups. */

const scene = useScene(() => startService());
let page: Page;
beforeAll(async () => {
  page = await scene.open();
  await signIn(page, await operatorToken(scene.service));
});

/** One file for each way of description: one form, attributes, levels of signal, styles. Other tests cover the other formats. */
const few = ['fibre-north.zip', 'several.fgb', 'wireless-signal.tif', 'wireless-areas.kml'];

test.each(sampled(few, sampleNames))('%s', async (name) => {
  const { file, manifest } = sample(name);
  await choose(page, file);
  await describeAs(page, manifest);
  await handIn(page);
  await page.getByRole('heading', { name: 'Validation report' }).waitFor();
  await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
  const thisFile = page.getByLabel('This file', { exact: true });
  if ((await thisFile.count()) > 0) await thisFile.check();
  await drawnOnMap(page, 'coverage');
  const inside = await somewhereIn(scene.service, submissionId(page));
  await publish(page);
  const expected = manifest.technology ?? 'wireless';
  expect(await technologiesAt(scene.service, inside)).toContain(expected);
});
