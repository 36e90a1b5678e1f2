import { expect, test } from 'vitest';
import { answer, drawnOnMap, expectInAllLooks, signIn } from '../setup/browser.ts';
import type { Point } from '../setup/write-shapefile.ts';
import {
  type Area,
  choose,
  expectState,
  handIn,
  ingestSquares,
  operatorToken,
  shapefile,
  square,
  useOperators,
} from './operator.ts';

/* The operators' page for everybody: light, dark, and as wide as a phone. */

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

test('signing in, the first view, the form, the report with places on the map, the question, the versions', async () => {
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
