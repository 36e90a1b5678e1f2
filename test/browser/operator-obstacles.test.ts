import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { answer, expectAccessible, expectInAllLooks, shows, uploadFile } from '../setup/browser.ts';
import { whileComparing } from '../setup/operator.ts';
import { zippedShapefile } from '../setup/shapes.ts';
import {
  choose,
  expectState,
  handIn,
  handInSquares,
  ingestSquares,
  inspected,
  operatorToken,
  publish,
  square,
  squares,
  submissionId,
  technologiesAt,
  useOperators,
} from './operator.ts';

/* The operators' page explains each obstacle, in a browser that cannot draw maps. */

const scene = await useOperators({}, false);

test('two browsers with the same file: the second is shown the first', async () => {
  const [one, two] = await Promise.all([scene.signedIn('Twin Networks'), scene.signedIn('Twin Networks')]);
  await handInSquares(one, 'same.zip', [174.5, -37.2]);
  const id = submissionId(one);
  await choose(two, await squares('same again.zip', [174.5, -37.2]));
  await two.getByLabel('Technology').selectOption('fibre');
  await two.getByRole('button', { name: 'Submit' }).click();
  await two.getByText('This file was submitted before, with the same description.').waitFor();
  await two.getByRole('button', { name: 'View existing' }).click();
  await expectState(two, 'Ready to publish');
  expect(submissionId(two)).toBe(id);
  await shows(two, 'This browser cannot draw the map. Everything else works without it.');
});

test('published by somebody else meanwhile: nobody publishes on a difference that was not looked at', async () => {
  const provider = 'Other Networks';
  const ours = { provider, publish: 'review' } as const;
  const id = await ingestSquares(scene.service, 'mine.zip', [[174.5, -37.4]], ours);
  const page = await scene.signedIn(provider, `submission/${id}`);
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await ingestSquares(scene.service, 'theirs.zip', [[174.6, -37.4]], { provider });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Publish' }).click();
  // The question comes again, with the coverage that would be lost from the other submission.
  await dialog.getByRole('alert').waitFor();
  await dialog.getByText(/^Warning: Fibre: .* km² would be lost, 100% of what is live\.$/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(/^Warning: Fibre: .* would be lost, 100% of/).waitFor();
  await publish(page);
});

test('while it is compared with what is published meanwhile, the page says so, and offers no publication', async () => {
  const provider = 'Steady Networks';
  const ours = { provider, publish: 'review' } as const;
  const id = await ingestSquares(scene.service, 'third.zip', [[174.5, -37.4]], ours);
  const page = await scene.signedIn(provider, `submission/${id}`);
  const publishButton = page.getByRole('button', { name: 'Publish', exact: true });
  await whileComparing(scene.service.database, provider, async () => {
    await ingestSquares(scene.service, 'fourth.zip', [[174.7, -37.4]], { provider });
    await page.reload();
    await page.getByText('Comparing.').waitFor();
    expect(await publishButton.count()).toBe(0);
  });
  await publishButton.waitFor();
});

test('staff see versions by operator and scope, roll each back, and take one offline', async () => {
  const longest = 'N'.repeat(60);
  for (const [provider, name, lng, scope] of [
    ['Elm Networks', 'elm-1.zip', 174.5, longest],
    ['Elm Networks', 'elm-2.zip', 174.52, longest],
    ['Elm Networks', 'elm-south.zip', 174.8, 'South'],
    ['Oak Networks', 'oak.zip', 174.5, ''],
  ] as const)
    await ingestSquares(scene.service, name, [[lng, -37.3]], { provider, scope, technology: 'cable' });
  const page = await scene.asStaff('versions/cable');
  const headings = page.getByRole('region', { name: 'Versions' }).getByRole('heading');
  await headings.first().waitFor();
  const scopes = [`Elm Networks · ${longest}`, 'Elm Networks · South', 'Oak Networks · No scope'];
  expect(await headings.allTextContents()).toEqual(scopes);
  await page.getByRole('button', { name: 'Roll back to elm-1.zip' }).click();
  await answer(page, 'Roll back');
  const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await item('elm-1.zip').getByText('Live', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Take offline: elm-south.zip' }).click();
  await answer(page, 'Take offline');
  await item('elm-south.zip').getByText('Superseded').waitFor();
  const at = (lng: number) => technologiesAt(scene.service, { lat: -37.28, lng }, 'Elm Networks');
  expect([await at(174.51), await at(174.82)]).toEqual([['cable'], []]);
  await page.getByRole('link', { name: 'elm-1.zip' }).click();
  await page.getByRole('button', { name: 'Roll back to elm-2.zip' }).waitFor();
  await expectAccessible(page, 'a long scope');
});

test('what is missing is asked for, at its place', async () => {
  const page = await scene.signedIn('Hasty Networks');
  const { bytes } = await zippedShapefile({ features: [{ rings: square(174.5, -37.5) }] });
  await choose(page, uploadFile('plain.zip', bytes));
  await page.getByRole('button', { name: 'Submit' }).click();
  const alert = page.getByRole('alert');
  await alert.getByRole('link', { name: /technology/ }).click();
  expect(await page.getByLabel('Technology').getAttribute('aria-invalid')).toBe('true');
  expect(await page.evaluate('document.activeElement.id')).toBe('technology');
  await page.getByLabel('Technology').selectOption('wireless');
  await page.getByLabel('Planned', { exact: true }).check();
  await page.getByLabel('Planned date').fill('2020-01-01');
  await page.getByLabel('Maximum download speed, in Mbps').fill('1,000');
  await page.getByLabel('Maximum upload speed, in Mbps').fill('10,5');
  await page.getByRole('button', { name: 'Submit' }).click();
  await alert.getByRole('link', { name: /in the past/ }).waitFor();
  // Discarding first names what is deleted.
  await page.getByRole('button', { name: 'Discard' }).click();
  const dialog = page.getByRole('dialog', { name: 'Discard plain.zip?' });
  await dialog.getByText(/are deleted/).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('Planned date').fill('2031-01-01');
  await handIn(page);
  const tier = page.getByRole('table', { name: 'Speeds and their area' }).locator('tbody tr');
  // The report may come after the state.
  await expect
    .poll(async () => (await tier.locator('th, td').allTextContents()).slice(0, 2))
    .toEqual(['1 Gbps', '10.5 Mbps']);
});

test('a form that is left because the session has ended, or with a link and Back, is as it was', async () => {
  const page = await scene.signedIn('Busy Networks');
  await choose(page, await squares('busy.zip', [174.5, -37.1]));
  await page.getByLabel('Technology').selectOption('cable');
  await page.getByLabel('Note').fill('With the sites of autumn');
  const expectAsItWas = async () => {
    await inspected(page);
    expect(await page.getByLabel('Technology').inputValue()).toBe('cable');
    expect(await page.getByLabel('Note').inputValue()).toBe('With the sites of autumn');
  };
  await page.context().clearCookies();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByLabel('Access token').waitFor();
  const tab = await page.context().newPage();
  await tab.goto('/operator');
  await tab.getByLabel('Access token').fill(await operatorToken(scene.service, 'Busy Networks'));
  await tab.getByRole('button', { name: 'Sign in' }).click();
  await expectAsItWas();
  await page.getByRole('link', { name: 'Your coverage' }).click();
  await page.getByRole('link', { name: 'busy.zip' }).waitFor();
  await page.goBack();
  await expectAsItWas();
  await handIn(page);
});

test('an attribute that contradicts the manifest: the page names it, and leads back to the form', async () => {
  const page = await scene.signedIn('Doubtful Networks');
  const feature = (STATUS: string, i: number) => ({
    rings: square(174.5 + i / 5, -37.7),
    attributes: { STATUS },
  });
  const features = ['Proposed', 'x'].map(feature);
  const { bytes } = await zippedShapefile({ fields: [{ name: 'STATUS', type: 'C', length: 10 }], features });
  await choose(page, uploadFile('status.zip', bytes));
  await page.getByLabel('Technology').selectOption('fibre');
  await page.getByLabel('Maximum download speed, in Mbps').fill('50');
  await page.getByLabel('Maximum upload speed, in Mbps').fill('10');
  await handIn(page);
  const notice = page.getByText(/^Warning: The attribute STATUS of .* says "Proposed" for 1 feature/);
  await notice.first().waitFor();
  expect(await page.getByText('No issues found.').count()).toBe(0);
  await page.getByRole('button', { name: 'Edit description' }).click();
  await inspected(page);
});

test('a file that cannot be read: what is wrong, and what to do', async () => {
  const page = await scene.signedIn('Broken Networks');
  await page.getByLabel('Choose a file').setInputFiles(uploadFile('../../broken.zip', randomBytes(2000)));
  await page.getByRole('heading', { name: 'This file cannot be used' }).waitFor();
  await page.getByText(/Otherwise it is removed by itself: tomorrow, /).waitFor();
  expect(await page.getByRole('button', { name: 'Submit' }).count()).toBe(0);
  expect(await page.getByLabel('Technology').count()).toBe(0);
  // The guides that a sentence names are links.
  const alert = page.getByRole('alert');
  const guide = alert.getByRole('link', { name: '/docs#/coverage-files' });
  expect(await guide.getAttribute('href')).toBe('/docs#/coverage-files');
  await expectInAllLooks(page, 'operator-unreadable');
  // The list does not say that this file needs details.
  await page.goto('/operator#/');
  const draft = page.getByRole('listitem').filter({ hasText: 'broken.zip' });
  await draft.getByText('Cannot be used', { exact: true }).waitFor();
  await draft.getByText('broken.zip is no zip archive, or its beginning is damaged.').waitFor();
  expect(await draft.textContent()).not.toContain('needs details');
  await expectAccessible(page, 'a draft that cannot be used');
  await draft.getByRole('link', { name: 'broken.zip' }).click();
  // A newly chosen file replaces the first.
  const list = Buffer.from('name,lat,lng\nHill,-36.9,174.7\n');
  await page.getByLabel('Choose a file').setInputFiles(uploadFile('towers.csv', list));
  await alert.getByText(/^Error: The columns height_m, power_dbm, frequency_mhz are missing/).waitFor();
  await alert.getByRole('link', { name: '/tower-template.csv' }).waitFor();
  await page.getByLabel('Choose a file').setInputFiles(await squares('corrected.zip', [174.6, -37]));
  await page.getByRole('heading', { name: 'corrected.zip' }).waitFor();
  await page.getByLabel('Technology').waitFor();
  await inspected(page);
  await page.getByRole('button', { name: 'Discard' }).click();
  await answer(page, 'Discard draft');
  await page.getByRole('heading', { name: 'Your coverage' }).waitFor();
  expect(await page.getByText('broken.zip').count()).toBe(0);
});

test('a part of a shapefile, and an empty file, are refused before they are sent', async () => {
  const page = await scene.signedIn('Hasty Networks');
  const chooser = page.getByLabel('Choose a file');
  await chooser.setInputFiles(uploadFile('north.shp', randomBytes(10)));
  await page.getByText('north.shp is only a part of the coverage.').waitFor();
  await chooser.setInputFiles(uploadFile('empty.zip', Buffer.alloc(0)));
  await page.getByText('empty.zip is empty.').waitFor();
});
