import { expect, test } from 'vitest';
import { answer, drawnOnMap, expectInAllLooks, signIn, tabTo } from '../setup/browser.ts';
import type { Point } from '../setup/write-shapefile.ts';
import {
  type Area,
  choose,
  expectState,
  handIn,
  ingestSquares,
  inspected,
  operatorToken,
  shapefile,
  square,
  squares,
  technologiesAt,
  useOperators,
} from './operator.ts';

/* The operators' page for everybody: by keyboard, light, dark, and as wide as a phone. */

const scene = useOperators();

const bowTie: Point[][] = [
  [
    [174.9, -36.9],
    [174.95, -36.85],
    [174.95, -36.9],
    [174.9, -36.85],
    [174.9, -36.9],
  ],
];

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

test('everything can be done with the keyboard alone', async () => {
  const page = await scene.open();
  await page.goto('/operator');
  await page.getByLabel('Access token').waitFor();
  await page.keyboard.type(await operatorToken(scene.service, 'Keyboard Networks'));
  await page.keyboard.press('Enter');
  const chooser = page.getByLabel('Choose a file');
  // The view is complete: nothing moves while the keyboard goes through it.
  await page.getByText('Nothing published yet.').waitFor();
  // The browser has to know early that the test listens, or it opens a dialog of its own.
  const opens = page.waitForEvent('filechooser');
  await tabTo(page, chooser);
  await page.keyboard.press('Space');
  const dialog = await opens;
  await dialog.setFiles(await squares('keys.zip', [174.5, -38.1]));
  await inspected(page);
  await tabTo(page, page.getByLabel('Technology'));
  await page.keyboard.type('Cable');
  const review = page.getByLabel('Review first');
  await tabTo(page, review);
  await tabTo(page, page.getByRole('button', { name: 'Submit' }));
  await page.keyboard.press('Enter');
  await expectState(page, 'Ready to publish');
  const publishButton = page.getByRole('button', { name: 'Publish', exact: true });
  await publishButton.waitFor();
  await tabTo(page, publishButton);
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor();
  // The question has the focus, and Enter says yes.
  await page.keyboard.press('Enter');
  await expectState(page, 'Published');
  const here = { lat: -38.08, lng: 174.52 };
  expect(await technologiesAt(scene.service, here, 'Keyboard Networks')).toEqual(['cable']);
});

test('for everybody: signing in, the first view, the form, the report with places on the map, the question, the versions', async () => {
  const page = await scene.open();
  await page.goto('/operator');
  await page.getByLabel('Access token').waitFor();
  await expectInAllLooks(page, 'operator-sign-in');
  await signIn(page, await operatorToken(scene.service, 'Kauri Fibre'));
  const former: [number, number][] = [174.7, 174.78, 174.82].map((lng) => [lng, -36.95]);
  await ingestSquares(scene.service, 'north-2026-10.zip', former, { provider: 'Kauri Fibre' });
  const areas: Area[] = [
    { rings: square(174.7, -36.95), name: 'Epsom' },
    { rings: square(174.78, -36.95), name: 'Remuera', down: 950 },
    { rings: square(174.72, -36.87), name: 'Grey Lynn', down: 300 },
    { rings: square(174.72, -36.87), name: 'Grey Lynn', down: 300 },
    { rings: bowTie, name: 'Howick', down: 50 },
    { rings: square(170, -30), name: 'Raoul' },
  ];
  await choose(page, await shapefile('north-2026-11.zip', areas));
  await page.getByLabel('Technology').selectOption('fibre');
  await expectInAllLooks(page, 'operator-form');
  await handIn(page);
  await drawnOnMap(page, 'change');
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
  await page.getByRole('link', { name: 'Version history of Fibre' }).click();
  await drawnOnMap(page, 'coverage');
  await expectInAllLooks(page, 'operator-versions');
  await page.getByRole('link', { name: 'Your coverage' }).click();
  await page.getByRole('link', { name: 'Version history of Fibre' }).waitFor();
  await expectInAllLooks(page, 'operator-home');
  expect(await page.evaluate(brokenHeads)).toEqual([]);
  await page.setViewportSize({ width: 375, height: 800 });
  const top = async (name: string) => (await page.getByRole('region', { name }).boundingBox())?.y as number;
  expect(await top('Live coverage')).toBeLessThan(await top('Submissions'));
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.getByLabel('Web address').waitFor();
  await expectInAllLooks(page, 'operator-profile');
});
