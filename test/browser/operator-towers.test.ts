import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandActor } from '../../core/access/actor.ts';
import { createToken } from '../../core/access/tokens.ts';
import { expectInAllLooks, signIn, useScene } from '../setup/browser.ts';
import { clientWith } from '../setup/operator.ts';
import { startService } from '../setup/service.ts';
import { towerList, writeTerrain } from '../setup/terrain.ts';
import { expectState, operatorToken, publish } from './operator.ts';

/* What operators see of coverage that the service has modelled from their towers. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'covermap-towers-page-test-'));
writeTerrain(folder);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const scene = useScene(() => startService({ terrainDir: folder }));

interface Modelled {
  modelling: { parameters: { range_km: number }; report: { speeds: { dbm: number }[] } | null };
}

/** Towers that the service has modelled, and whose coverage waits to be published. */
async function modelledTowers(provider: string) {
  const token = await operatorToken(scene.service, provider);
  const client = clientWith(scene.service.api.url, token);
  const { id } = await client.handIn(towerList([{ name: 'Hill', at: [0, 0] }]), {
    ...{ technology: 'wireless', processed_by: 'service', publish: 'review' },
    prediction: { range_km: 3, resolution_m: 100 },
  });
  await client.until(id, ({ status }) => status === 'ready');
  const now = () => client.json<Modelled>(`/api/operator/submissions/${id}`);
  return { token, id, now };
}

test('the signal is a picture, its thresholds can be tried and taken, and what comes of it is published', async () => {
  const { token, id, now } = await modelledTowers('Kauri Wireless');
  const page = await scene.open();
  await signIn(page, token);
  await page.goto(`/operator#/submission/${id}`);
  await expectState(page, 'Ready to publish');
  const pictureAsked = page.waitForResponse((response) => response.url().endsWith('/signal/picture'));
  await page.getByLabel('Signal of the towers').check();
  expect((await pictureAsked).status()).toBe(200);

  const rows = page.getByRole('group', { name: 'Received signal' }).getByRole('listitem');
  const strongest = rows.first();
  const areaOf = async () => Number(/([\d.]+) km²/.exec(await strongest.innerText())?.[1]);
  await expect.poll(areaOf, { timeout: 30_000 }).toBeGreaterThan(0);
  const before = await areaOf();
  const slider = strongest.getByRole('slider');
  await slider.focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowLeft');
  await strongest.getByText('from -70 dBm').waitFor();
  expect(await areaOf()).toBeGreaterThan(before);
  await page
    .getByRole('region', { name: 'Map of the coverage in this file', exact: true })
    .click({ position: { x: 300, y: 250 } });
  await page.getByText(/ km, .*: -\d+ dBm received/).waitFor();
  await page.getByRole('img', { name: /^Terrain of/ }).scrollIntoViewIfNeeded();
  await expectInAllLooks(page, 'operator-signal');
  // Not past the next class, however far somebody pulls.
  await slider.fill('-130');
  await strongest.getByText('from -74 dBm').waitFor();

  await page.getByRole('button', { name: 'Use these thresholds' }).click();
  const dbm = async () => (await now()).modelling.report?.speeds[0]?.dbm;
  await expect.poll(dbm, { timeout: 60_000 }).toBe(-74);
  await expectState(page, 'Ready to publish');
  await publish(page);
});

test('staff have it modelled again, with other parameters', async () => {
  const { id, now } = await modelledTowers('Tui Wireless');
  const page = await scene.open();
  const staff = await createToken(scene.service.database, { role: 'staff' }, 'Sam', commandActor);
  await signIn(page, staff, '/operator', 'Coverage of all operators');
  await page.goto(`/operator#/submission/${id}`);
  await expectState(page, 'Ready to publish');
  await page.getByText('Model again').click();
  await expectInAllLooks(page, 'operator-model-again');
  await page.getByLabel('Range from a tower, km').fill('1');
  await page.getByRole('button', { name: 'Model with the service' }).click();
  const range = async () => {
    const { parameters, report } = (await now()).modelling;
    return report && parameters.range_km;
  };
  await expect.poll(range, { timeout: 60_000 }).toBe(1);
  await expectState(page, 'Ready to publish');
});

afterAll(() => {
  for (const { faults } of scene.opened) expect(faults).toEqual([]);
});
