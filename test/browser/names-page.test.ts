/// <reference lib="dom" />
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { allowNetwork } from '../../access/registrars.ts';
import { moment } from '../../web/shared/words.ts';
import { expectInAllLooks, shows, tabTo, useScene } from '../setup/browser.ts';
import { importLines } from '../setup/registry.ts';
import { startService } from '../setup/service.ts';

/* The page on which a registrar checks a list of names. */

const registered = '2015-07-01 12:00:00+12:00';
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const scene = await useScene(async () => {
  const service = await startService();
  const names = ['taken.nz', `soon.nz,${daysAgo(89)}`, `later.nz,${daysAgo(10)}`];
  await importLines(
    service.database,
    names.map((name) => name.replace(/^([^,]*),?/, `$1,${registered},`)),
  );
  return service;
}, false);
const page = await scene.open();
await page.goto('/names');
const list = page.getByLabel('Full names, one a line or between commas');
const check = page.getByRole('button', { name: 'Check names' });

test('tells who is no registrar, who asks for nothing, and who asks for more than a request may have', async () => {
  await list.fill('taken.nz');
  await check.click();
  await page.getByRole('alert').getByText('registered addresses of registrars only').waitFor();
  await allowNetwork(scene.service.database, 'Tests', '127.0.0.0/8');
  await list.fill(' \n');
  await check.click();
  await page.getByRole('alert').getByText('Paste one name or more').waitFor();
  await list.fill(Array.from({ length: 1_001 }, (_, i) => `kauri${i}.nz`).join('\n'));
  await shows(page, '1,001 names.');
  await check.click();
  await page.getByRole('alert').getByText('A list has 1,000 names at most').waitFor();
});

test('makes a table of a pasted list, by the keyboard: status, release and reason of each, to copy and to save', async () => {
  await list.fill(
    'sep=;\r\ntaken.nz;TAKEN.nz\r\nsoon.nz\r\nlater.nz\r\npōhutukawa.iwi.nz\r\nfree.nz\r\nco.nz\r\nkauri.example\r\nno dots\r\n',
  );
  // What it costs is said before.
  await shows(
    page,
    /^8 names, and 1 given again\. .*A name costs nothing, and counts as one against the rate of your registrar/,
  );
  await tabTo(page, check);
  await page.keyboard.press('Enter');
  await page
    .getByRole('status')
    .getByText('8 names: 1 Active, 2 PendingRelease')
    .waitFor({ state: 'attached' });
  const droplist = await fetch(`${scene.service.api.url}/1.0/droplist`);
  const [{ drop_date }] = (await droplist.json()) as [{ drop_date: string }];
  const rows = page.getByRole('table').getByRole('row');
  const texts = await rows.evaluateAll((all) =>
    (all as unknown as { cells: Iterable<{ textContent: string }> }[]).map(({ cells }) =>
      [...cells].map(({ textContent }) => textContent).join(' | '),
    ),
  );
  expect(texts).toEqual([
    'Name | Status | Free from | Reason',
    'taken.nz | Active |  | Somebody has it.',
    `soon.nz | PendingRelease | ${moment(drop_date)} | Cancelled, and released soon.`,
    'later.nz | PendingRelease |  | Cancelled, and released in more than two days.',
    expect.stringMatching(
      /^pōhutukawa\.iwi\.nzxn--\S+ \| Available \| {2}\| Nobody has it\. Names under iwi\.nz are for those/,
    ),
    'free.nz | Available |  | Nobody has it.',
    'co.nz | Request Denied |  | It is a zone itself, which nobody can register.',
    expect.stringMatching(
      /^kauri\.example \| Domain name is not in a managed zone \| {2}\| It is not right under a zone/,
    ),
    'no dots | Invalid characters in query string |  | It has characters that no name has, or letters that its zone does not sell.',
  ]);
  const saving = page.waitForEvent('download');
  await page.getByRole('link', { name: 'CSV' }).click();
  const saved = await (await saving).path();
  expect((await readFile(saved, 'utf8')).split('\r\n')[2]).toBe(
    `soon.nz,,210,PendingRelease,${drop_date},"Cancelled, and released soon."`,
  );
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
    /^domain\toriginal\tcode\t.*\ntaken\.nz\t\t200\t/,
  );
  await page.context().clearPermissions();
  await expectInAllLooks(page, 'names');
  // On a phone each row is a list of what there is to say, and no status is cut off.
  await page.setViewportSize({ width: 320, height: 740 });
  const cutOff = await page
    .locator('td .badge')
    .evaluateAll((badges) =>
      (badges as unknown as HTMLElement[])
        .filter(
          (badge) =>
            badge.getBoundingClientRect().right > (badge.closest('td')?.getBoundingClientRect().right ?? 0),
        )
        .map((badge) => badge.textContent),
    );
  expect(cutOff).toEqual([]);
  expect(await page.getByRole('row', { name: 'free.nz' }).getByRole('cell').allTextContents()).toEqual([
    'Available',
    'Nobody has it.',
  ]);
});
