import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { queueMailDue } from '../../workers/mail.ts';
import { answer, expectInAllLooks, shows } from '../setup/browser.ts';
import { openStaffPage, useDemo } from '../setup/demo-scene.ts';

/* E-mails on staff's page, and the page that turns them off: docs/administrator/mail.md. */

const scene = await useDemo();

test('e-mails are found, looked at, downloaded, marked as sent, sent again and not sent', async () => {
  const page = await openStaffPage(scene);
  await page.goto('/staff#/mail');
  await shows(page, 'No mail server is configured');
  await page.getByRole('link', { name: /^Invoice 6 / }).waitFor();
  await expectInAllLooks(page, 'staff-mail');
  await page.getByLabel('Search e-mails').fill('demo.example');
  await page.getByRole('link', { name: /^Invoice 6 / }).waitFor({ state: 'detached' });
  await page.getByRole('link', { name: /^Invoice 5 / }).click();
  await page.getByRole('heading', { name: /^Invoice 5 from/, level: 1 }).waitFor();
  await shows(page, /^Invoice 5 for Demo is ready/);
  await expectInAllLooks(page, 'staff-mail-message');
  const html = await page.getByRole('link', { name: 'As HTML' }).getAttribute('href');
  expect(await (await page.request.get(html as string)).text()).toContain('Invoice 5 for Demo is ready');
  const downloads = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const eml = await readFile(await (await downloads).path(), 'utf8');
  expect(eml).toMatch(/^To: .*accounts@demo\.example/m);
  expect(eml).toMatch(/^Content-Type: multipart\//m);
  await page.getByRole('button', { name: /^Mark as sent/ }).click();
  await answer(page, 'Mark as sent');
  await shows(page.getByRole('main'), 'Sent');
  await page.goto('/staff#/mail?state=queued');
  await page.getByRole('button', { name: /^Do not send: Invoice 6 / }).click();
  await answer(page, 'Do not send');
  await page.getByLabel('State').selectOption('cancelled');
  await page.getByRole('button', { name: /^Send again: Invoice 6 / }).click();
  await answer(page, 'Send again');
  await shows(page, 'No matching e-mails.');
});

test('an e-mail without an address is sent once there is one', async () => {
  const page = await openStaffPage(scene);
  await page.getByRole('link', { name: '1 e-mail has no address' }).click();
  await page.getByRole('button', { name: /^Send now: Invoice 7 / }).click();
  await answer(page, 'Send now');
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await answer(page, 'Cancel');
  const where = await page.getByRole('link', { name: 'No address: add one' }).getAttribute('href');
  await page.goto(where as string);
  await page.getByRole('button', { name: 'Edit e-mail settings' }).click();
  await page.getByLabel('E-mail address').fill('accounts@demo-networks.example');
  await answer(page, 'Save e-mail settings');
  await shows(page, 'accounts@demo-networks.example');
  await page.goto('/staff#/mail?state=no_address');
  await page.getByRole('button', { name: /^Send now: Invoice 7 / }).click();
  await answer(page, 'Send now');
  await shows(page, 'No matching e-mails.');
});

test('every template is shown, and the link in an optional e-mail turns its kind off', async () => {
  const page = await openStaffPage(scene);
  await page.goto('/staff#/mail/templates');
  await page.getByRole('region', { name: 'Reminder' }).waitFor();
  await expectInAllLooks(page, 'staff-mail-templates');
  await queueMailDue(scene.service.database, new Date());
  await page.goto('/staff#/mail');
  await page.getByRole('link', { name: /^Invoice 4 from .* overdue$/ }).click();
  const text = await page.locator('pre').innerText();
  const link = /(http\S+\/mail\/off\/\S+)/.exec(text)?.[1] as string;
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectInAllLooks(page, 'mail-off');
  await page.getByRole('button').click();
  await shows(page, /turned off/i);
  await page.goto('/staff#/customers/2');
  const mail = page.getByRole('region', { name: 'E-mails' });
  await shows(mail, 'Statements each month');
  expect(await mail.innerText()).not.toContain('Reminders of invoices');
});
