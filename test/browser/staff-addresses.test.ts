import { expect, test } from 'vitest';
import { commandActor } from '../../access/actor.ts';
import { createToken } from '../../access/tokens.ts';
import { expectInAllLooks, signIn, uploadFile, useScene } from '../setup/browser.ts';
import { startService } from '../setup/service.ts';

/* Staff import a list of addresses on their page. */

const scene = await useScene(() => startService(), false);
const page = await scene.open();
const token = await createToken(scene.service.database, { role: 'staff' }, 'Sam', commandActor);
await signIn(page, token, '/staff', 'What needs doing');

const header = 'address_id,full_address_number,full_road_name,suburb_locality,town_city,shape_X,shape_Y';
const rows = (count: number, first = 1) =>
  Array.from(
    { length: count },
    (_, i) => `${first + i},${first + i},Rata Street,Ponsonby,Auckland,174.8,-36.9`,
  );
const csv = (...lines: string[]) =>
  uploadFile('nz-addresses.csv', Buffer.from([header, ...lines, ''].join('\n')));
const choose = (file: ReturnType<typeof csv>) => page.getByLabel('Choose a file').setInputFiles(file);
async function openList() {
  await page.goto('/staff#/addresses');
  await page.getByRole('heading', { name: 'Addresses', level: 1 }).waitFor();
}

test('without a list it says so, and how to get one', async () => {
  await page.getByRole('link', { name: 'Addresses' }).click();
  await page.getByText('There is no list of addresses').waitFor();
  await page.getByText('LINZ publishes the addresses').waitFor();
  await page.getByText('Nothing was imported yet.').waitFor();
  await expectInAllLooks(page, 'staff-addresses-none');
});

test('a file is sent, imported by a worker, and reported with reasons and lines', async () => {
  await choose(csv(...rows(20), '99,99,Rata Street,Ponsonby,Auckland,100.5,-36.9'));
  await page.getByRole('heading', { name: 'nz-addresses.csv', level: 1 }).waitFor();
  await page.getByText('Done', { exact: true }).waitFor();
  await page.getByText('The list then has 20 addresses at 1 point, on 1 street.').waitFor();
  const dropped = page.getByRole('row').filter({ hasText: 'outside the service area' });
  await expect.poll(() => dropped.getByRole('cell').allTextContents()).toEqual(['1', '22']);
  await expectInAllLooks(page, 'staff-address-import');
  await openList();
  await page.getByText('20 added').waitFor();
  const figures = await page.getByRole('region', { name: 'The list' }).textContent();
  expect(figures).toMatch(/Addresses20Premises1Streets1/);
  await expectInAllLooks(page, 'staff-addresses');
});

test('what looks wrong is refused with what to accept, and is then accepted', async () => {
  await openList();
  await choose(csv(...rows(2)));
  await page.getByText('Failed', { exact: true }).waitFor();
  await page.getByText('import the file again with “The file may lack many').waitFor();
  await openList();
  await page.getByText('More options').click();
  await page.getByLabel('The file may lack many').check();
  await choose(csv(...rows(2)));
  await page.getByText('The list then has 2 addresses').waitFor();
});

test('a wrong option is told before the file is sent, and one that waits can be cancelled', async () => {
  await openList();
  await page.getByLabel('IDs of another system').check();
  await page.getByLabel('Name of the other system').fill('Not One');
  await choose(csv());
  await page.getByText('has to be a name in small letters').waitFor();
  const {
    rows: [waiting],
  } = await scene.service.database.query<{ id: string }>(
    `insert into address_import (file_name, size_bytes, storage_key, actor) values ('waits.csv', 1, 'none', 'Sam') returning id`,
  );
  await page.goto(`/staff#/addresses/${waiting?.id}`);
  await page.getByText('Waits for a worker').waitFor();
  await page.getByRole('button', { name: 'Cancel import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel import' }).click();
  await page.getByText('Cancelled', { exact: true }).waitFor();
});
