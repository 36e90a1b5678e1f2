import { points } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import {
  answer,
  drawnOnMap,
  expectAccessible,
  expectInAllLooks,
  shows,
  signIn,
  tabTo,
} from '../setup/browser.ts';
import {
  choose,
  expectState,
  handIn,
  handInSquares,
  inspected,
  operatorToken,
  shapefile,
  square,
  squares,
  technologiesAt,
  useOperators,
} from './operator.ts';

/* The operators' page, as somebody with a file and no manual uses it: light, dark, and as wide as a phone. */

const scene = await useOperators();

const provider = 'Kauri Fibre';
/** Places that one file alone covers. */
const first = { lat: -36.93, lng: 174.86 };
const second = { lat: -36.85, lng: 174.74 };
const page = await scene.open();

test('a token that nobody has is told so, and a good one signs in', async () => {
  await page.goto('/operator');
  await page.getByLabel('Access token').waitFor();
  await expectInAllLooks(page, 'operator-sign-in');
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
  await (await opens).setFiles(
    await squares('north-2026-10.zip', [174.7, -36.95], [174.78, -36.95], [174.84, -36.95]),
  );
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

test('the next file shows what would be gained and lost, and what is odd in it on the map', async () => {
  const bowTie = points('174.9 -36.9, 174.95 -36.85, 174.95 -36.9, 174.9 -36.85, 174.9 -36.9');
  const areas = [
    { rings: square(174.7, -36.95), name: 'Epsom' },
    { rings: square(174.78, -36.95), name: 'Remuera', down: 950 },
    { rings: square(174.72, -36.87), name: 'Grey Lynn', down: 300 },
    { rings: square(174.72, -36.87), name: 'Grey Lynn', down: 300 },
    { rings: [bowTie], name: 'Howick', down: 50 },
    { rings: square(170, -30), name: 'Raoul' },
  ];
  await choose(page, await shapefile('north-2026-11.zip', areas));
  await page.getByLabel('Technology').selectOption('fibre');
  await expectInAllLooks(page, 'operator-form');
  await handIn(page);
  // The comparison comes before the report, on the map too.
  await drawnOnMap(page, 'change');
  const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
  expect(headings.slice(0, 2)).toEqual(['What would change', 'Validation report']);
  for (const kind of ['Gained', 'Lost', 'Unchanged']) {
    const text = (await page.getByText(new RegExp(`^${kind}: .* km²$`)).textContent()) ?? '';
    expect(Number.parseFloat(/, ([\d.]+) km²/.exec(text)?.[1] ?? ''), text).toBeGreaterThan(20);
  }
  await page.locator('summary').filter({ hasText: 'repaired' }).click();
  const place = page.getByRole('button', { name: /^Feature 5/ });
  await place.waitFor();
  await expectInAllLooks(page, 'operator-change');
  await place.click();
  expect(await place.getAttribute('aria-current')).toBe('true');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await expectInAllLooks(page, 'operator-publish');
  await answer(page, 'Publish');
  await expectState(page, 'Published');
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
  await page.getByRole('link', { name: 'north-2026-11.zip' }).first().click();
});

test('taken back, lookups answer as before; and forth again', async () => {
  await page.getByRole('button', { name: /^Roll back to north-2026-10.zip/ }).click();
  await answer(page, 'Roll back');
  await expectState(page, 'Superseded');
  expect(await technologiesAt(scene.service, first, provider)).toEqual(['fibre']);
  expect(await technologiesAt(scene.service, second, provider)).toEqual([]);
  await page.getByRole('link', { name: 'Version history of Fibre' }).click();
  await page.getByRole('button', { name: 'Roll back to north-2026-11.zip' }).click();
  await answer(page, 'Roll back');
  await shows(page.getByRole('listitem').filter({ hasText: 'north-2026-11.zip' }), 'Live', { exact: true });
  expect(await technologiesAt(scene.service, second, provider)).toEqual(['fibre']);
  await drawnOnMap(page, 'coverage');
  // Versions may have any speed.
  await page.locator('.map-legend').getByText('1000 Mbps and more').waitFor();
  await expectInAllLooks(page, 'operator-versions');
});

test('taken offline, nothing is drawn; put back, it is', async () => {
  await page.getByRole('button', { name: 'Take offline: north-2026-11.zip' }).click();
  await answer(page, 'Take offline');
  await page.locator('.map:not([data-drawn~="coverage"])').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Roll back to north-2026-11.zip' }).click();
  await answer(page, 'Roll back');
  await drawnOnMap(page, 'coverage');
});

test('the first view lists the files and what is published, which comes first on a phone', async () => {
  await page.getByRole('link', { name: 'Your coverage' }).click();
  const published = page.getByRole('region', { name: 'Live coverage' });
  await published.getByRole('link', { name: 'north-2026-11.zip' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'north-2026-10.zip' }).getByText('Superseded').waitFor();
  await expectInAllLooks(page, 'operator-home');
  expect(await page.evaluate(brokenHeads)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  const top = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y as number;
  expect(await top('Live coverage')).toBeLessThan(await top('Submissions'));
  await page.setViewportSize({ width: 1280, height: 900 });
});

/** Words in heads of tables that are broken in two. */
const brokenHeads = `[...document.querySelectorAll('thead th')].flatMap((head) => {
  const text = document.createTreeWalker(head, NodeFilter.SHOW_TEXT).nextNode();
  return [...(text?.data ?? '').matchAll(/\\S+/g)].filter(({ index, 0: word }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word);
})`;

test('another operator sees nothing of it', async () => {
  const other = await scene.signedIn('Other Networks');
  await other.getByText('Nothing published yet.').waitFor();
  const link = page.getByRole('row').getByRole('link', { name: 'north-2026-10.zip' });
  await other.goto(`/operator${await link.getAttribute('href')}`);
  // Without the hint, which is for programs.
  const shown = /This file cannot be shown.*There is no such submission\.$/s;
  await expect.poll(() => other.getByRole('main').textContent()).toMatch(shown);
});

test('a second tab follows: the note of a version, and a profile that both change', async () => {
  await page.goto('/operator#/versions/fibre');
  const tab = await page.context().newPage();
  await tab.goto('/operator#/versions/fibre');
  await tab.getByRole('button', { name: 'Add note: north-2026-11.zip' }).waitFor();
  await page.getByRole('button', { name: 'Add note: north-2026-11.zip' }).click();
  await page.getByLabel('Note', { exact: true }).fill('With the sites of spring');
  await page.getByRole('button', { name: 'Save note' }).click();
  await tab.getByText('With the sites of spring').waitFor();

  await tab.goto('/operator#/profile');
  await tab.getByLabel('Description').fill('Fibre for everybody.');
  await page.goto('/operator#/profile');
  expect(await page.getByLabel('Name').getAttribute('readonly')).toBe('');
  await expectInAllLooks(page, 'operator-profile');
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
