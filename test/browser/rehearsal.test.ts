import { expect, test } from 'vitest';
import { demoCustomerToken } from '../../commands/demo.ts';
import { addDays, addMonths, dayOf, firstDay, monthOf } from '../../platform/nz-time.ts';
import { answer, expectInAllLooks, shows, signIn } from '../setup/browser.ts';
import { openStaffPage, useDemo } from '../setup/demo-scene.ts';

/* Practising months on staff's page: docs/administrator/staff-page.md. */

const scene = await useDemo();

const words = new Intl.DateTimeFormat('en-NZ', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});
const dayInWords = (day: string) => words.format(new Date(`${day}T00:00:00Z`));

test('staff begin a rehearsal, move its clock and take it back; a bar says so on every page meanwhile', async () => {
  const page = await openStaffPage(scene);
  const bar = page.getByRole('region', { name: 'Rehearsal' });
  await page.getByRole('button', { name: 'Begin a rehearsal' }).click();
  await answer(page, 'Begin the rehearsal');
  const today = dayOf(new Date());
  await shows(bar, `it is ${dayInWords(today)}`);
  await bar.getByRole('button', { name: 'Move the clock' }).click();
  await page.getByLabel('To', { exact: true }).selectOption('day');
  const later = addDays(firstDay(addMonths(monthOf(new Date()), 1)), 20);
  await page.getByLabel('Day', { exact: true }).fill(later);
  await answer(page, 'Move the clock');
  await shows(bar, `it is ${dayInWords(later)}, 9:00 am`);
  await expectInAllLooks(page, 'staff-rehearsal');
  // A customer sees when it is, and can do nothing about it.
  const other = await scene.open();
  await signIn(other, demoCustomerToken, '/account', 'Your usage');
  const others = other.getByRole('region', { name: 'Rehearsal' });
  await shows(others, `it is ${dayInWords(later)}`);
  expect(await others.getByRole('button').count()).toBe(0);
  await bar.getByRole('button', { name: 'Take it back' }).click();
  await answer(page, 'Take it back');
  await page.getByRole('button', { name: 'Begin a rehearsal' }).waitFor();
  expect(await bar.count()).toBe(0);
});
