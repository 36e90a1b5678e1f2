import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { answer, drawnOnMap, expectAccessible, shows, signIn, tabTo } from '../setup/browser.ts';
import {
  expectState,
  handInSquares,
  inspected,
  operatorToken,
  publish,
  squares,
  technologiesAt,
  useOperators,
} from './operator.ts';

/* The operators' page, as somebody with a file and no manual uses it. */

const scene = useOperators();

const provider = 'Journey Networks';
const first = { lat: -36.98, lng: 174.52 };
const second = { lat: -36.98, lng: 174.72 };
let page: Page;
beforeAll(async () => {
  page = await scene.open();
});

test('a token that nobody has is told so, and a good one signs in', async () => {
  await page.goto('/operator');
  await page.getByLabel('Access token').waitFor();
  // The field has the focus.
  await page.keyboard.type('guessed');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await signIn(page, await operatorToken(scene.service, provider));
  await page.getByText('Nothing published yet.').waitFor();
});

test('submitted with the keyboard alone, nobody sees it; published with it, lookups answer from it', async () => {
  // The browser has to know early that the test listens, or it opens a dialog of its own.
  const opens = page.waitForEvent('filechooser');
  await tabTo(page, page.getByLabel('Choose a file'));
  await page.keyboard.press('Space');
  await (await opens).setFiles(await squares('first.zip', [174.5, -37], [174.6, -37]));
  await inspected(page);
  await tabTo(page, page.getByLabel('Technology'));
  await page.keyboard.type('Fibre');
  await tabTo(page, page.getByLabel('Review first'));
  await tabTo(page, page.getByRole('button', { name: 'Submit' }));
  await page.keyboard.press('Enter');
  await expectState(page, 'Ready to publish');
  await drawnOnMap(page, 'coverage');
  expect(await technologiesAt(scene.service, first, provider)).toEqual([]);
  await tabTo(page, page.getByRole('button', { name: 'Publish', exact: true }));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  // The question has the focus, and Enter says yes.
  await page.keyboard.press('Enter');
  await expectState(page, 'Published');
  expect(await technologiesAt(scene.service, first, provider)).toEqual(['fibre']);
});

test('the next file shows what would be gained and lost', async () => {
  await handInSquares(page, 'second.zip', [174.6, -37], [174.7, -37]);
  // The comparison comes before the report, on the map too.
  await drawnOnMap(page, 'change');
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings.slice(0, 2)).toEqual(['What would change', 'Validation report']);
  for (const kind of ['Gained', 'Lost', 'Unchanged']) {
    const text = (await page.getByText(new RegExp(`^${kind}: .* km²$`)).textContent()) ?? '';
    expect(Number.parseFloat(/, ([\d.]+) km²/.exec(text)?.[1] ?? ''), text).toBeGreaterThan(20);
  }
  await publish(page);
  expect(await technologiesAt(scene.service, first, provider)).toEqual([]);
  expect(await technologiesAt(scene.service, second, provider)).toEqual(['fibre']);
});

test('a file that is elsewhere: the map begins with what is lost, and shows it again when asked', async () => {
  await handInSquares(page, 'elsewhere.zip', [172.6, -43.6]);
  await drawnOnMap(page, 'change-lost');
  expect(await page.locator('.map').getAttribute('data-drawn')).not.toContain('change-gained');
  await page.getByText(/ would be lost, 100% of what is live\.$/).waitFor();
  await page.getByRole('radio', { name: 'This file' }).check();
  await page.locator('.map:not([data-drawn~="change-lost"])').waitFor({ state: 'attached' });
  // The keyboard works as the mouse does.
  const places = page.getByRole('list', { name: 'Lost by nearest town: Fibre' });
  await tabTo(page, places.getByRole('button', { name: /^Near .+: [\d.]+ km²/ }).first());
  await page.keyboard.press('Enter');
  await drawnOnMap(page, 'change-lost');
  expect(await page.getByRole('radio', { name: 'What would change' }).isChecked()).toBe(true);
  await page.getByText(/^The map shows what is lost near /).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Show what is lost: Fibre' }).click();
  await page.getByText('The map shows what is lost.').waitFor({ state: 'attached' });
  await expectAccessible(page, 'a review of a loss');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await answer(page, 'Withdraw submission');
  await expectState(page, 'Withdrawn');
  await page.goto('/operator#/');
  await page.getByRole('link', { name: 'second.zip' }).first().click();
});

test('taken back, lookups answer as before; and forth again', async () => {
  await page.getByRole('button', { name: /^Roll back to first.zip/ }).click();
  await answer(page, 'Roll back');
  await expectState(page, 'Superseded');
  expect(await technologiesAt(scene.service, first, provider)).toEqual(['fibre']);
  expect(await technologiesAt(scene.service, second, provider)).toEqual([]);
  await page.getByRole('link', { name: 'Version history of Fibre' }).click();
  await page.getByRole('button', { name: 'Roll back to second.zip' }).click();
  await answer(page, 'Roll back');
  await shows(page.getByRole('listitem').filter({ hasText: 'second.zip' }), 'Live', { exact: true });
  expect(await technologiesAt(scene.service, second, provider)).toEqual(['fibre']);
  await drawnOnMap(page, 'coverage');
  // Versions may have any speed.
  await page.locator('.map-legend').getByText('1000 Mbps and more').waitFor();
});

test('taken offline, nothing is drawn; put back, it is', async () => {
  await page.getByRole('button', { name: 'Take offline: second.zip' }).click();
  await answer(page, 'Take offline');
  await page.locator('.map:not([data-drawn~="coverage"])').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Roll back to second.zip' }).click();
  await answer(page, 'Roll back');
  await drawnOnMap(page, 'coverage');
});

test('the first view lists the files and what is published', async () => {
  await page.getByRole('link', { name: 'Your coverage' }).click();
  const published = page.getByRole('region', { name: 'Live coverage' });
  await published.getByRole('link', { name: 'second.zip' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'first.zip' }).getByText('Superseded').waitFor();
});

test('another operator sees nothing of it', async () => {
  const other = await scene.signedIn('Other Networks');
  await other.getByText('Nothing published yet.').waitFor();
  const link = page.getByRole('row').getByRole('link', { name: 'first.zip' });
  await other.goto(`/operator${await link.getAttribute('href')}`);
  // Without the hint, which is for programs.
  const shown = /This file cannot be shown.*There is no such submission\.$/s;
  await expect.poll(() => other.getByRole('main').textContent()).toMatch(shown);
});

test('a second tab follows: the note of a version, and a profile that both change', async () => {
  await page.goto('/operator#/versions/fibre');
  const tab = await page.context().newPage();
  await tab.goto('/operator#/versions/fibre');
  await tab.getByRole('button', { name: 'Add note: second.zip' }).waitFor();
  await page.getByRole('button', { name: 'Add note: second.zip' }).click();
  await page.getByLabel('Note', { exact: true }).fill('With the sites of spring');
  await page.getByRole('button', { name: 'Save note' }).click();
  await tab.getByText('With the sites of spring').waitFor();

  await tab.goto('/operator#/profile');
  await tab.getByLabel('Description').fill('Fibre for everybody.');
  await page.goto('/operator#/profile');
  expect(await page.getByLabel('Name').getAttribute('readonly')).toBe('');
  await page.getByLabel('Web address').fill('journey.example');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByRole('alert').getByRole('link', { name: 'Enter a web address' }).waitFor();
  await page.getByLabel('Web address').fill('https://journey.example/');
  await page.getByRole('button', { name: 'Save profile' }).click();
  await page.getByText('Profile saved.', { exact: true }).first().waitFor();
  const { results } = await scene.service.at(String(second.lat), String(second.lng));
  expect(JSON.stringify(results)).toContain('https://journey.example/');
  await tab.getByRole('button', { name: 'Save profile' }).click();
  await tab.getByText('Web address is now: https://journey.example/').waitFor();
  await tab.close();
});

test('signing out ends it', async () => {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.goto('/operator#/');
  await page.getByLabel('Access token').waitFor();
});
