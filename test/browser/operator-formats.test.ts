import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawnOnMap, launchBrowser, openPage, signIn, type Watched } from '../setup/browser.ts';
import { type Service, startService } from '../setup/service.ts';
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

/* Every format on the operators' page: submitted, watched, seen on the map, published, and answered by lookups. */

let service: Service;
let browser: Browser;
let watched: Watched;

beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
  watched = await openPage(browser, service.api.url);
  await signIn(watched.page, await operatorToken(service));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test.each(sampleNames)('%s', async (name) => {
  const { page, faults } = watched;
  const { file, manifest } = sample(name);
  await choose(page, file);
  await describeAs(page, manifest);
  await handIn(page);
  await page.getByRole('heading', { name: 'Validation report' }).waitFor();
  const thisFile = page.getByLabel('This file', { exact: true });
  if ((await thisFile.count()) > 0) await thisFile.check();
  await drawnOnMap(page, 'coverage');
  const inside = await somewhereIn(service, submissionId(page));
  await publish(page);
  const expected = manifest.technology ?? 'wireless';
  expect(await technologiesAt(service, inside)).toContain(expected);
  expect(faults).toEqual([]);
});
