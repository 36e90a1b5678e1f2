import { randomBytes } from 'node:crypto';
import { nztmPrj, rectangle, zippedShapefile } from '@covermap/testing/shapes.ts';
import { expect, test } from 'vitest';
import { sql } from '../../../platform/database/sql.ts';
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
} from '../../browser/operator.ts';
import { answer, expectAccessible, expectInAllLooks, shows, uploadFile } from '../../setup/browser.ts';
import { whileComparing } from '../../setup/operator.ts';

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

test('fields that nothing uses: what each says is asked where it would be an answer, and the texts of a status are given meanings', async () => {
  const page = await scene.signedIn('Doubtful Networks');
  const row = (STATUS: string, RFS_DATE: string, i: number) => ({
    rings: square(174.5 + i / 5, -37.7),
    attributes: { STATUS, RFS_DATE, SPEED: '100/20' },
  });
  const features = [
    row('Build', '2031-03-31', 0),
    row('Proposed', '2032-06-30', 1),
    row('Cancelled?', '', 2),
  ];
  const fields = ['STATUS', 'RFS_DATE', 'SPEED'].map((name) => ({ name, type: 'C' as const, length: 10 }));
  const { bytes } = await zippedShapefile({ fields, features });
  await choose(page, uploadFile('status.zip', bytes));
  await page.getByLabel('Technology').selectOption('fibre');

  // A speed of both directions is shown as what it is.
  const upload = page.getByLabel('Maximum upload speed');
  expect(await upload.locator('option:checked').textContent()).toBe('With the download, in SPEED');
  expect(await page.getByLabel('Maximum upload speed, in Mbps').count()).toBe(0);

  await page.getByText(/^Warning: The field STATUS says “Proposed”/).waitFor();
  await expectInAllLooks(page, 'operator-asked', page.locator('form'));
  // Submitted all the same, it waits, and leads back to the questions.
  await handIn(page);
  await page
    .getByText(/^Warning: The attribute STATUS of .* says "Proposed"/)
    .first()
    .waitFor();
  expect(await page.getByText('No issues found.').count()).toBe(0);
  await page.getByRole('button', { name: 'Edit description' }).click();
  await inspected(page);

  await page.getByRole('button', { name: 'Yes, use STATUS' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('availability-from-file');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('alert').getByText('Choose what “Build” means.').waitFor();
  await page.getByLabel('Build', { exact: true }).selectOption('underway');
  await page.getByLabel('Cancelled?', { exact: true }).selectOption('none');
  expect(await page.getByLabel('Proposed', { exact: true }).inputValue()).toBe('planned');
  expect(await page.getByLabel('When it is ready').inputValue()).toBe('RFS_DATE');
  await expectInAllLooks(page, 'operator-texts', page.locator('form'));
  await handIn(page);
  expect(await page.getByText(/^Warning: The attribute/).count()).toBe(0);
  const { rows } = await scene.service.database.query(
    sql`select manifest -> 'attributes' as attributes, report -> 'tiers' as tiers from submission where id = ${submissionId(page)}`,
  );
  expect(rows).toMatchObject([
    {
      attributes: {
        availability: {
          field: 'STATUS',
          values: { Build: 'underway', 'Cancelled?': null, Proposed: 'planned' },
        },
        planned_date: { field: 'RFS_DATE' },
      },
      tiers: expect.arrayContaining([
        expect.objectContaining({
          availability: 'underway',
          planned_date: '2031-03-31',
          bandwidth_up_max_mbps: 20,
        }),
        expect.objectContaining({ availability: 'planned', planned_date: '2032-06-30' }),
      ]),
    },
  ]);
});

test('fields whose values say what their names do not: each is asked about, and an answer holds for the next file', async () => {
  const page = await scene.signedIn('Coded Networks');
  const fields = ['MEDIUM', 'LEVEL'].map((name) => ({ name, type: 'C' as const, length: 10 }));
  const speeds = ['DOWN', 'UP'].map((name) => ({ name, type: 'N' as const, length: 4 }));
  const file = async (south: number) => {
    const features = ['Basic', 'Plus'].map((LEVEL, i) => ({
      rings: square(175.5 + i / 5, south),
      attributes: { MEDIUM: 'Copper', LEVEL, DOWN: i + 1, UP: 1 },
    }));
    return (await zippedShapefile({ fields: [...fields, ...speeds], features })).bytes;
  };
  await choose(page, uploadFile('coded.zip', await file(-37.5)));
  await page.getByLabel('Technology').selectOption('fibre');
  await page.getByText(/^Warning: The field MEDIUM says “Copper”/).waitFor();
  await page.getByText('The field DOWN may hold codes: 1 for “Basic”, 2 for “Plus” in LEVEL.').waitFor();
  await expectInAllLooks(page, 'operator-codes', page.locator('form'));

  const ignoresMedium = page.getByText('The field MEDIUM is not used.');
  await page.getByRole('button', { name: 'No: MEDIUM' }).click();
  await ignoresMedium.waitFor();
  await page.getByRole('button', { name: 'Ask about MEDIUM' }).click();
  await page.getByRole('button', { name: 'No: MEDIUM' }).click();
  await ignoresMedium.waitFor();
  await page.getByRole('button', { name: 'Yes, LEVEL says the speeds' }).click();
  for (const [text, down, up] of [
    ['Basic', '50', '10'],
    ['Plus', '100', '20'],
  ] as const) {
    const row = page.getByRole('group', { name: text, exact: true });
    await row.getByLabel('Download, Mbps', { exact: true }).fill(down);
    await row.getByLabel('Upload, Mbps', { exact: true }).fill(up);
  }
  await handIn(page);
  expect(await page.getByText(/^Warning: The attribute/).count()).toBe(0);
  const { rows } = await scene.service.database.query(
    sql`select manifest -> 'ignore' as ignore, report -> 'tiers' as tiers from submission where id = ${submissionId(page)}`,
  );
  expect(rows).toMatchObject([
    { ignore: ['MEDIUM'], tiers: [{ bandwidth_max_mbps: 50 }, { bandwidth_max_mbps: 100 }] },
  ]);

  await page.getByRole('link', { name: 'Your coverage' }).click();
  await choose(page, uploadFile('coded again.zip', await file(-37.6)));
  await ignoresMedium.waitFor();
  await page.getByText('The field DOWN may hold codes').waitFor();
});

test('a file whose own system puts it elsewhere: the page offers those in which it lies here, before it is submitted and after', async () => {
  const page = await scene.signedIn('Elsewhere Networks');
  // Of another zone, as in a file that was copied from a project elsewhere.
  const elsewhere = nztmPrj.replace('173.0', '187.0');
  const features = [
    { rings: [rectangle(1_750_000, 5_430_000, 1_760_000, 5_440_000)], attributes: { SPEED: '100/20' } },
  ];
  const fields = [{ name: 'SPEED', type: 'C' as const, length: 10 }];
  const { bytes } = await zippedShapefile({ prj: elsewhere, fields, features });
  await choose(page, uploadFile('elsewhere.zip', bytes));
  await page.getByLabel('Technology').selectOption('fibre');
  const systems = page.getByRole('group', { name: 'Coordinate system (CRS)' });
  await systems.getByText('In the one that the file states, nothing of it lies').waitFor();
  expect(await systems.getByLabel('As the file states').isChecked()).toBe(true);
  await expectAccessible(page, 'a system that puts a file elsewhere');
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText(/It would lie there as NZTM2000/).waitFor();
  await page.getByRole('button', { name: 'Edit description' }).click();
  await inspected(page);
  await systems.getByLabel('NZTM2000').check();
  await handIn(page);
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
