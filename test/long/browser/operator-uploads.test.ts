import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { wgs84Prj } from '@covermap/testing/shapes.ts';
import { named, writeShapefile, zip } from '@covermap/testing/write-shapefile.ts';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import {
  expectState,
  handIn,
  handInSquares,
  inspected,
  publish,
  square,
  squares,
  useOperators,
} from '../../browser/operator.ts';
import { answer, drawnOnMap, expectInAllLooks, uploadFile } from '../../setup/browser.ts';
import { startFlakyProxy } from '../../setup/flaky-proxy.ts';

/* The operators' page while a file is on its way: connections that break, and work that is watched. */

const scene = await useOperators();
const proxy = await startFlakyProxy(scene.service.api.url);
afterAll(() => proxy.close());

describe('an upload', () => {
  const folder = scratchFolder();
  /** Coverage with so much beside it that sending it takes a while. */
  async function largeFile(name: string) {
    const inside = {
      ...named('cover', writeShapefile({ prj: wgs84Prj, features: [{ rings: square(174.5, -37.6) }] })),
      'notes.bin': randomBytes(1_500_000),
    };
    // On the disk, so that it has one date: by that, its name and its size a browser knows it again.
    const file = path.join(folder, name);
    writeFileSync(file, await zip(inside));
    return file;
  }
  /** The offset of each PATCH. */
  function offsets(page: Page): number[] {
    const all: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') all.push(Number(request.headers()['upload-offset']));
    });
    return all;
  }
  /** Chooses a file, and waits until a good part of it has gone through the slow connection, but not all. */
  async function begin(page: Page, file: string): Promise<void> {
    proxy.limit(300_000);
    const before = proxy.passed();
    await page.getByLabel('Choose a file').setInputFiles(file);
    await expect.poll(() => proxy.passed() - before, { timeout: 60_000 }).toBeGreaterThan(500_000);
    await page.locator('[role=progressbar][aria-valuenow]').waitFor();
  }

  test('that is cut goes on where it was, by itself', async () => {
    const page = await scene.signedIn('Rural Networks', '', proxy.url);
    const begun = offsets(page);
    await begin(page, await largeFile('cut.zip'));
    proxy.cut();
    await page.getByText('Connection lost.').first().waitFor();
    proxy.limit(undefined);
    proxy.mend();
    await inspected(page);
    expect(begun.at(0)).toBe(0);
    expect(begun.at(-1)).toBeGreaterThan(0);
  });

  test('that has ended goes on where it was, once the same file is chosen again, in another browser too', async () => {
    const page = await scene.signedIn('Rural Networks', '', proxy.url);
    const file = await largeFile('left.zip');
    await begin(page, file);
    // Too slow for the upload to end while the file is described.
    proxy.limit(30_000);
    await page.getByLabel('Technology').selectOption('fibre');
    await page.getByLabel('Maximum download speed, in Mbps').fill('50');
    await page.getByLabel('Maximum upload speed, in Mbps').fill('10');
    await page.getByLabel('Scope').fill('North');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('It will be submitted when the upload finishes.').waitFor();
    // The same file, chosen again on the first view, continues this upload with its answers.
    await page.goto('/operator#/');
    await page.getByLabel('Choose a file').setInputFiles(file);
    await page.getByText('It will be submitted when the upload finishes.').waitFor();
    expect(await page.getByLabel('Scope').inputValue()).toBe('North');
    proxy.cut();
    await page.close();
    proxy.limit(undefined);
    proxy.mend();
    const other = await scene.signedIn('Rural Networks');
    const begun = offsets(other);
    await other.getByRole('link', { name: 'left.zip' }).click();
    await other.getByText('The upload was interrupted.').waitFor();
    // Earlier answers are there, too, and can be changed.
    await other.getByRole('button', { name: 'Change description' }).click();
    const shown = ['Technology', 'Maximum download speed, in Mbps', 'Scope (optional)'];
    const values = () => Promise.all(shown.map((label) => other.getByLabel(label).inputValue()));
    await expect.poll(values).toEqual(['fibre', '50', 'North']);
    await other.getByLabel('Scope').fill('');
    const tab = await other.context().newPage();
    await tab.goto(other.url());
    await tab.getByText('The upload was interrupted.').waitFor();
    await other.getByLabel('Choose a file').setInputFiles(file);
    await inspected(other);
    expect(begun.at(0)).toBeGreaterThan(0);
    expect(await values()).toEqual(['fibre', '50', '']);
    // The other tab does not know yet that it is complete.
    await handIn(tab);
  });

  test('for which there is no room says so, and can be gone on with', async () => {
    const page = await scene.signedIn('Full Networks');
    const full = { code: 'storage_full', message: 'There is no room left.', hint: 'Try again later.' };
    await page.route('**/api/operator/uploads**', (route) =>
      route.fulfill({ status: 507, contentType: 'application/json', body: JSON.stringify(full) }),
    );
    await page.getByLabel('Choose a file').setInputFiles(await squares('full.zip', [174.5, -37.7]));
    await page.getByRole('alert').getByText('There is no room left.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Resume upload' }).click();
    await inspected(page);
  });
});

describe('watching', () => {
  test('works by asking again where events do not come through', async () => {
    const page = await scene.signedIn('Proxied Networks');
    await page.route('**/events', (route) => route.abort());
    await handInSquares(page, 'polled.zip', [174.5, -37.8]);
    await page.getByRole('heading', { name: 'Validation report' }).waitFor();
  });

  test('towers go to the service, and the page sees the coverage come back', async () => {
    const page = await scene.signedIn('Tower Networks', '', proxy.url);
    const towers =
      'name,lat,lng,height_m,power_dbm,frequency_mhz\nHill,-37.9,174.6,20,43,3500\nBay,-37.95,174.7,15,40,3500\n';
    await page.getByLabel('Choose a file').setInputFiles(uploadFile('towers.csv', Buffer.from(towers)));
    await page.getByText('This is a list of 2 towers.').waitFor();
    await page.getByLabel('Technology').selectOption('wireless');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Tower data received.').waitFor();
    // The connection comes and goes meanwhile.
    proxy.cut();
    await page.getByText('The server cannot be reached at the moment.').waitFor();
    proxy.mend();
    await page.getByText('The server cannot be reached at the moment.').waitFor({ state: 'detached' });

    const staff = await scene.asStaff();
    // Staff see whose towers wait, and see them on the map.
    await staff.getByRole('link', { name: 'Towers 1 tower file waiting' }).click();
    const waiting = staff.getByRole('listitem', { name: 'Tower Networks, towers.csv' });
    await waiting.getByText('2 towers').waitFor();
    await drawnOnMap(staff, 'towers');
    await waiting.getByText('Upload prediction or reject').click();
    await expectInAllLooks(staff, 'staff-towers');
    const made = await squares('made.zip', [174.6, -38]);
    await waiting.getByLabel('Coverage modelled from these towers').setInputFiles(made);
    // A note by the operator does not reset the form of staff.
    await page.getByRole('button', { name: 'Add note: towers.csv' }).click();
    await page.getByLabel('Note', { exact: true }).fill('Two hills');
    await answer(page, 'Save note');
    await staff.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await waiting.getByText('“Two hills”').waitFor();
    await waiting.getByRole('button', { name: 'Upload prediction' }).click();
    await staff.getByText('No towers are waiting.').waitFor();
    await staff.getByRole('link', { name: 'Towers', exact: true }).waitFor();
    await expectState(page, 'Ready to publish');
    await drawnOnMap(page, 'coverage');
    await publish(page);
    await page.getByRole('link', { name: 'Processing fees' }).click();
    const fee = page.getByRole('row').filter({ hasText: 'towers.csv' });
    await fee.getByText('Accrued').waitFor();
    await fee.getByText('$1,000.00').waitFor();
    await expectInAllLooks(page, 'operator-fees');
  });
});
