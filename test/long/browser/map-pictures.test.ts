import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { newSamples, submitSamples } from '../../../commands/samples.ts';
import { createLogger } from '../../../platform/logger.ts';
import { drawnOnMap, looks, screenshot, useScene } from '../../setup/browser.ts';
import { startService } from '../../setup/service.ts';

/* The map of the samples, as a new demo shows it, for docs/images: from the country to a street. */

const views = {
  country: '#map=5/-41/173',
  city: '#map=11/-36.88/174.8&at=-36.9027,174.8076',
  street: '#map=15/-36.9027/174.8076&at=-36.9027,174.8076',
  compare: '#at=-36.9027,174.8076&beside=-41.2866,174.7756',
  outlined: '#map=10/-36.9/174.8&with=fibre,wireless&planned',
};
const areTaken = process.env.SCREENSHOTS === 'docs';
const start = async () => {
  const service = await startService({ sweepSeconds: 1 });
  const application = { ...service, logger: createLogger('silent'), close: async () => undefined };
  await submitSamples(application, await newSamples(service.database));
  return service;
};
const scene = areTaken ? await useScene(start) : undefined;

test.runIf(scene)('pictures of the map', async () => {
  const page = (await scene?.open()) as Page;
  for (const [look, { viewport, colorScheme }] of Object.entries(looks)) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    for (const [view, hash] of Object.entries(views)) {
      await page.goto('about:blank');
      await page.goto(`/${hash}`);
      await drawnOnMap(page, view === 'outlined' ? 'areas' : 'best');
      await page.waitForLoadState('networkidle');
      await screenshot(page, `map-${view}-${look}`);
    }
  }
});
