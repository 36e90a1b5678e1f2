import { readFileSync } from 'node:fs';
import { zippedRectangle } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { operatorOf } from '../../coverage/providers/providers.ts';
import { answer, expectInAllLooks, shows, signIn, useScene } from '../setup/browser.ts';
import { startService } from '../setup/service.ts';

/* Operators, and staff for them, take published coverage as a file from their page. */

const scene = await useScene(() => startService(), false);
const { service } = scene;
const provider = 'Kōwhai Fibre';
const scope = 'North';
await service.ingest(await zippedRectangle(174.5, -37, 174.55, -36.95), {
  ...{ provider: { name: provider, url: 'https://kowhai.example/' }, technology: 'fibre', scope },
});
const page = await scene.open();

test('an operator exports what is live from beside it, and downloads the file', async () => {
  await signIn(page, await createToken(service.database, operatorOf(provider), 'Ana', commandActor));
  await page.getByRole('link', { name: 'Export Fibre, North' }).click();
  await page.getByRole('heading', { name: 'Exports', level: 1 }).waitFor();
  await shows(page, 'Nothing was exported yet.');
  expect(await page.getByLabel('Technology').inputValue()).toBe('fibre');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await shows(page, 'Done', { exact: true });
  await shows(page, /^1 area, /);
  await expectInAllLooks(page, 'operator-exports');
  const downloading = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download kōwhai-fibre-fibre-coverage/ }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^kōwhai-fibre-fibre-coverage-\d{4}-\d\d-\d\d\.gpkg$/);
  expect(
    readFileSync(await download.path())
      .subarray(0, 15)
      .toString(),
  ).toBe('SQLite format 3');
});

test('a refusal says what to do, and one that is not wanted any more is removed', async () => {
  await page.getByRole('radio', { name: /^CSV/ }).check();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await shows(page, 'There are no premises, as no addresses were imported.');
  await page.getByRole('button', { name: /^Remove kōwhai/ }).click();
  await answer(page, 'Remove export');
  await shows(page, 'Nothing was exported yet.');
});

test('one that waits shows it, and is cancelled', async () => {
  await service.database.query(
    `insert into coverage_export (provider_id, format, by_staff, actor, progress, dataset_ids)
     select id, 'geojson', false, 'Ana', '{"step": "reading areas", "percent": 40}', '{1}' from provider where name = $1`,
    [provider],
  );
  const bar = page.getByRole('progressbar', { name: 'Reading areas' });
  await bar.waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await bar.waitFor({ state: 'detached' });
});

test('staff export from a provider’s versions', async () => {
  const other = await scene.open();
  const token = await createToken(service.database, { role: 'staff' }, 'Sam', commandActor);
  await signIn(other, token, '/operator', 'Coverage of all operators');
  await other.getByRole('link', { name: /^Version history of Fibre/ }).click();
  await other.getByRole('link', { name: 'Export …' }).click();
  expect(await other.getByLabel('Operator').inputValue()).toBe(provider);
  await other.getByLabel('GeoJSON').check();
  await other.getByRole('button', { name: 'Export', exact: true }).click();
  await shows(other, 'Done', { exact: true });
  await shows(other, `${provider}, Fibre`);
  await shows(other, 'Sam', { exact: true });
});
