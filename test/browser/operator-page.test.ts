import { randomBytes } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandActor } from '../../core/access/actor.ts';
import { createToken } from '../../core/access/tokens.ts';
import { named, type Point, writeShapefile, zip } from '../../samples/write-shapefile.ts';
import {
  drawnOnMap,
  expectInAllLooks,
  launchBrowser,
  openPage,
  signIn,
  tabTo,
  type UploadFile,
  uploadFile,
  type Watched,
} from '../setup/browser.ts';
import { type FlakyProxy, startFlakyProxy } from '../setup/flaky-proxy.ts';
import { whileComparing } from '../setup/operator.ts';
import { type Service, startService } from '../setup/service.ts';
import { rectangle, wgs84Prj, zippedShapefile } from '../setup/shapes.ts';
import {
  choose,
  expectState,
  handIn,
  inspected,
  operatorToken,
  publish,
  submissionId,
  technologiesAt,
} from './operator.ts';

/* The operators' page, as somebody with a file and no manual uses it, and what it says when something goes wrong. */

let service: Service;
let browser: Browser;
let proxy: FlakyProxy;
const opened: Watched[] = [];

beforeAll(async () => {
  const publishBlocks = { lostPercent: 60, warnings: [] };
  [service, browser] = await Promise.all([startService({ publishBlocks }), launchBrowser()]);
  proxy = await startFlakyProxy(service.api.url);
});
afterAll(async () => {
  await browser?.close();
  await proxy?.close();
  await service?.stop();
});

/** A page on which somebody of that operator has signed in. */
async function signedIn(provider: string, origin = service.api.url): Promise<Page> {
  const watched = await openPage(browser, origin);
  opened.push(watched);
  await signIn(watched.page, await operatorToken(service, provider));
  return watched.page;
}

interface Area {
  rings: Point[][];
  name?: string;
  down?: number;
}
const square = (lng: number, lat: number, size = 0.05): Point[][] => [
  rectangle(lng, lat, lng + size, lat + size),
];
const bowTie: Point[][] = [
  [
    [174.9, -36.9],
    [174.95, -36.85],
    [174.95, -36.9],
    [174.9, -36.85],
    [174.9, -36.9],
  ],
];

/** Coverage as a planner's program would write it. */
async function shapefile(name: string, areas: readonly Area[]): Promise<UploadFile> {
  const layer = {
    fields: [
      { name: 'name', type: 'C' as const, length: 20 },
      { name: 'maxdown', type: 'N' as const, length: 6 },
      { name: 'maxup', type: 'N' as const, length: 6 },
    ],
    features: areas.map(({ rings, name: named = '', down = 100 }) => ({
      rings,
      attributes: { name: named, maxdown: down, maxup: down / 5 },
    })),
  };
  return uploadFile(name, (await zippedShapefile(layer)).bytes);
}

/** Coverage of squares with their lower left corner at these positions. */
const squares = (name: string, ...corners: [lng: number, lat: number][]) =>
  shapefile(
    name,
    corners.map(([lng, lat]) => ({ rings: square(lng, lat) })),
  );

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

async function handInSquares(page: Page, name: string, ...corners: [number, number][]): Promise<void> {
  await choose(page, await squares(name, ...corners));
  await page.getByLabel('Technology').selectOption('fibre');
  await handIn(page);
}

describe('from a file to the map, and back', () => {
  const provider = 'Journey Networks';
  const first = { lat: -36.98, lng: 174.52 };
  const second = { lat: -36.98, lng: 174.72 };
  let page: Page;

  test('a token that nobody has is told so, and a good one signs in', async () => {
    const watched = await openPage(browser, service.api.url);
    opened.push(watched);
    page = watched.page;
    await page.goto('/operator');
    await page.getByLabel('Access token').fill('guessed');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await signIn(page, await operatorToken(service, provider));
    await page.getByText('Nothing published yet.').waitFor();
  });

  test('submitted, nobody sees it; published, lookups answer from it', async () => {
    await handInSquares(page, 'first.zip', [174.5, -37], [174.6, -37]);
    await drawnOnMap(page, 'coverage');
    expect(await technologiesAt(service, first, provider)).toEqual([]);
    await publish(page);
    expect(await technologiesAt(service, first, provider)).toEqual(['fibre']);
  });

  test('the next file shows what would be gained and lost', async () => {
    await handInSquares(page, 'second.zip', [174.6, -37], [174.7, -37]);
    // What would change comes before what the file holds, on the map too.
    await drawnOnMap(page, 'change');
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents();
    expect(headings.slice(0, 2)).toEqual(['What would change', 'Validation report']);
    for (const kind of ['Gained', 'Lost', 'Unchanged']) {
      const text = (await page.getByText(new RegExp(`^${kind}: .* km²$`)).textContent()) ?? '';
      expect(Number.parseFloat(/, ([\d.]+) km²/.exec(text)?.[1] ?? ''), text).toBeGreaterThan(20);
    }
    await publish(page);
    expect(await technologiesAt(service, first, provider)).toEqual([]);
    expect(await technologiesAt(service, second, provider)).toEqual(['fibre']);
  });

  test('taken back, lookups answer as before; and forth again', async () => {
    await page.getByRole('button', { name: /^Roll back to first.zip/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await expectState(page, 'Superseded');
    expect(await technologiesAt(service, first, provider)).toEqual(['fibre']);
    expect(await technologiesAt(service, second, provider)).toEqual([]);
    await page.getByRole('link', { name: 'Version history of Fibre' }).click();
    await page.getByRole('button', { name: 'Roll back to second.zip' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
    await page
      .getByRole('listitem')
      .filter({ hasText: 'second.zip' })
      .getByText('Live', { exact: true })
      .waitFor();
    expect(await technologiesAt(service, second, provider)).toEqual(['fibre']);
    await drawnOnMap(page, 'coverage');
  });

  test('the first view lists the files and what is published', async () => {
    await page.getByRole('link', { name: 'Your coverage' }).click();
    const published = page.getByRole('region', { name: 'Live coverage' });
    await published.getByRole('link', { name: 'second.zip' }).waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'first.zip' }).textContent()).toContain(
      'Superseded',
    );
  });

  test('another operator sees nothing of it', async () => {
    const other = await signedIn('Other Networks');
    await other.getByText('Nothing published yet.').waitFor();
    await page.goBack();
    const { rows } = await service.database.query<{ id: string }>(
      `select id from submission where file_name = 'first.zip'`,
    );
    await other.goto(`/operator#/submission/${rows[0]?.id}`);
    await other.getByRole('heading', { name: 'This file cannot be shown' }).waitFor();
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
    const { results } = await service.at(String(second.lat), String(second.lng));
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
});

describe('what is in the way', () => {
  test('two browsers with the same file: the second is shown the first', async () => {
    const [one, two] = await Promise.all([signedIn('Twin Networks'), signedIn('Twin Networks')]);
    await handInSquares(one, 'same.zip', [174.5, -37.2]);
    const id = submissionId(one);
    await choose(two, await squares('same again.zip', [174.5, -37.2]));
    await two.getByLabel('Technology').selectOption('fibre');
    await two.getByRole('button', { name: 'Submit' }).click();
    await two.getByText('This file was submitted before, with the same description.').waitFor();
    await two.getByRole('button', { name: 'View existing' }).click();
    await expectState(two, 'Ready to publish');
    expect(submissionId(two)).toBe(id);
  });

  test('published by somebody else meanwhile: nobody publishes on a difference that was not looked at', async () => {
    const [one, two] = await Promise.all([signedIn('Busy Networks'), signedIn('Busy Networks')]);
    await handInSquares(one, 'mine.zip', [174.5, -37.4]);
    await handInSquares(two, 'theirs.zip', [174.6, -37.4]);
    await publish(two);
    await one.getByRole('button', { name: 'Publish', exact: true }).click();
    const dialog = one.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    // The question comes again, with what would be lost of theirs.
    await dialog.getByRole('alert').waitFor();
    await dialog
      .getByText(/^Warning: Fibre: .* km² would be lost, 100% of the .* km² that is live\.$/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await one.getByText(/^Warning: Fibre: .* would be lost, 100% of/).waitFor();
    await publish(one);
  });

  test('while it is compared with what is published meanwhile, the page says so, and offers no publication', async () => {
    const page = await signedIn('Steady Networks');
    await handInSquares(page, 'third.zip', [174.5, -37.4]);
    const publishButton = page.getByRole('button', { name: 'Publish', exact: true });
    await whileComparing(service.database, 'Steady Networks', async () => {
      const file = await squares('fourth.zip', [174.7, -37.4]);
      const fourth = { name: file.name, bytes: file.buffer };
      await service.ingest(fourth, { provider: 'Steady Networks', technology: 'fibre', scope: '' });
      await page.reload();
      await page.getByText('Recalculating changes.').waitFor();
      expect(await publishButton.count()).toBe(0);
    });
    await publishButton.waitFor();
  });

  test('staff see versions by operator and scope, roll each back, and take one offline', async () => {
    const version = (name: string, provider: string, scope: string, lng: number) =>
      squares(name, [lng, -37.3]).then((file) =>
        service.ingest({ name, bytes: file.buffer }, { provider, scope, technology: 'cable' }),
      );
    await version('elm-1.zip', 'Elm Networks', 'North', 174.5);
    await version('elm-2.zip', 'Elm Networks', 'North', 174.52);
    await version('elm-south.zip', 'Elm Networks', 'South', 174.8);
    await version('oak.zip', 'Oak Networks', '', 174.5);
    const watched = await openPage(browser, service.api.url);
    opened.push(watched);
    const { page } = watched;
    const token = await createToken(service.database, { role: 'staff' }, 'Sam', commandActor);
    await signIn(page, token, '/operator', 'Coverage of all operators');
    await page.goto('/operator#/versions/cable');
    const headings = page.getByRole('region', { name: 'Versions' }).getByRole('heading');
    await headings.first().waitFor();
    expect(await headings.allTextContents()).toEqual([
      'Elm Networks · North',
      'Elm Networks · South',
      'Oak Networks · No scope',
    ]);
    const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name });
    await page.getByRole('button', { name: 'Roll back to elm-1.zip' }).click();
    await inDialog('Roll back').click();
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await item('elm-1.zip').getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Take offline: elm-south.zip' }).click();
    await inDialog('Take offline').click();
    await item('elm-south.zip').getByText('Previous version').waitFor();
    const at = (lng: number) => technologiesAt(service, { lat: -37.28, lng }, 'Elm Networks');
    expect([await at(174.51), await at(174.82)]).toEqual([['cable'], []]);
  });

  test('what is missing is asked for, at its place', async () => {
    const page = await signedIn('Hasty Networks');
    const { bytes } = await zippedShapefile({ features: [{ rings: square(174.5, -37.5) }] });
    await choose(page, uploadFile('plain.zip', bytes));
    await page.getByRole('button', { name: 'Submit' }).click();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /technology/ })
      .click();
    expect(await page.getByLabel('Technology').getAttribute('aria-invalid')).toBe('true');
    expect(await page.evaluate('document.activeElement.id')).toBe('technology');
    await page.getByLabel('Technology').selectOption('wireless');
    await page.getByLabel('Planned', { exact: true }).check();
    await page.getByLabel('Planned date').fill('2020-01-01');
    await page.getByLabel('Maximum download speed, in Mbps').fill('50');
    await page.getByLabel('Maximum upload speed, in Mbps').fill('10');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page
      .getByRole('alert')
      .getByRole('link', { name: /in the past/ })
      .waitFor();
    // Discarding says what is lost, and does it only then.
    await page.getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard plain.zip?' });
    await dialog.getByText(/are deleted/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByLabel('Planned date').fill('2031-01-01');
    await handIn(page);
  });

  test('a file that cannot be read: what is wrong, and what to do', async () => {
    const page = await signedIn('Broken Networks');
    await page.getByLabel('Choose a file').setInputFiles(uploadFile('../../broken.zip', randomBytes(2000)));
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('button', { name: 'Submit' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard draft' }).click();
    await page.getByRole('heading', { name: 'Your coverage' }).waitFor();
  });

  test('parts of a shapefile, and several files, are refused before they are sent', async () => {
    const page = await signedIn('Hasty Networks');
    const chooser = page.getByLabel('Choose a file');
    await chooser.setInputFiles(uploadFile('north.shp', randomBytes(10)));
    await page.getByText('north.shp is only a part of the coverage.').waitFor();
    await chooser.setInputFiles(uploadFile('empty.zip', Buffer.alloc(0)));
    await page.getByText('empty.zip is empty.').waitFor();
  });
});

describe('an upload', () => {
  /** Coverage with so much beside it that sending it takes a while. */
  async function largeFile(name: string) {
    const inside = {
      ...named('cover', writeShapefile({ prj: wgs84Prj, features: [{ rings: square(174.5, -37.6) }] })),
      'notes.bin': randomBytes(1_500_000),
    };
    return uploadFile(name, await zip(inside));
  }
  /** Of each PATCH, where it began. */
  function offsets(page: Page): number[] {
    const all: number[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') all.push(Number(request.headers()['upload-offset']));
    });
    return all;
  }
  /** Chooses a file, and waits until a good part of it has gone through the slow connection, but not all. */
  async function begin(page: Page, file: UploadFile): Promise<void> {
    proxy.limit(300_000);
    const before = proxy.passed();
    await page.getByLabel('Choose a file').setInputFiles(file);
    await expect.poll(() => proxy.passed() - before, { timeout: 60_000 }).toBeGreaterThan(500_000);
    await page.locator('[role=progressbar][aria-valuenow]').waitFor();
  }

  test('that is cut goes on where it was, by itself', async () => {
    const page = await signedIn('Rural Networks', proxy.url);
    const begun = offsets(page);
    await begin(page, await largeFile('cut.zip'));
    proxy.cut();
    await page.getByText('Connection lost.').first().waitFor();
    proxy.limit(undefined);
    proxy.mend();
    await inspected(page);
    expect(begun.at(0)).toBe(0);
    expect(begun.at(-1)).toBeGreaterThan(0);
  });

  test('that has ended goes on where it was, once the same file is chosen again, in another browser too', async () => {
    const page = await signedIn('Rural Networks', proxy.url);
    const file = await largeFile('left.zip');
    await begin(page, file);
    proxy.cut();
    await page.close();
    proxy.limit(undefined);
    proxy.mend();
    const other = await signedIn('Rural Networks');
    const begun = offsets(other);
    await other.getByRole('link', { name: 'left.zip' }).click();
    await other.getByText('The upload was interrupted.').waitFor();
    await other.getByLabel('Choose a file').setInputFiles(file);
    await inspected(other);
    expect(begun.at(0)).toBeGreaterThan(0);
    await other.getByLabel('Technology').selectOption('fibre');
    await other.getByLabel('Maximum download speed, in Mbps').fill('50');
    await other.getByLabel('Maximum upload speed, in Mbps').fill('10');
    await handIn(other);
  });

  test('for which there is no room says so, and can be gone on with', async () => {
    const page = await signedIn('Full Networks');
    const full = { code: 'storage_full', message: 'There is no room left.', hint: 'Try again later.' };
    await page.route('**/api/operator/uploads**', (route) =>
      route.fulfill({ status: 507, contentType: 'application/json', body: JSON.stringify(full) }),
    );
    await page.getByLabel('Choose a file').setInputFiles(await squares('full.zip', [174.5, -37.7]));
    await page.getByRole('alert').getByText('There is no room left.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Resume upload' }).click();
    await inspected(page);
  });
});

describe('watching', () => {
  test('works by asking again where events do not come through', async () => {
    const page = await signedIn('Proxied Networks');
    await page.route('**/events', (route) => route.abort());
    await handInSquares(page, 'polled.zip', [174.5, -37.8]);
    await page.getByRole('heading', { name: 'Validation report' }).waitFor();
  });

  test('towers go to the service, and the page sees the coverage come back', async () => {
    const page = await signedIn('Tower Networks', proxy.url);
    const towers =
      'name,lat,lng,height_m,power_dbm,frequency_mhz\nHill,-37.9,174.6,20,43,3500\nBay,-37.95,174.7,15,40,3500\n';
    await page.getByLabel('Choose a file').setInputFiles(uploadFile('towers.csv', Buffer.from(towers)));
    await page.getByText('This is a list of 2 towers.').waitFor();
    await page.getByLabel('Technology').selectOption('wireless');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Tower data received.').waitFor();
    // The connection comes and goes meanwhile.
    proxy.cut();
    await page.getByText('The server cannot be reached at the moment.').waitFor();
    proxy.mend();
    await page.getByText('The server cannot be reached at the moment.').waitFor({ state: 'detached' });

    const watched = await openPage(browser, service.api.url);
    opened.push(watched);
    const staff = watched.page;
    await staff.goto('/operator');
    await staff
      .getByLabel('Access token')
      .fill(await createToken(service.database, { role: 'staff' }, 'Sam', commandActor));
    await staff.getByRole('button', { name: 'Sign in' }).click();
    // Staff are told that towers wait, whose, and see them on the map.
    await staff.getByRole('link', { name: 'Towers 1 tower file waiting' }).click();
    const waiting = staff.getByRole('listitem', { name: 'Tower Networks, towers.csv' });
    await waiting.getByText('2 towers').waitFor();
    await drawnOnMap(staff, 'towers');
    await waiting.getByText('Upload prediction or reject').click();
    await expectInAllLooks(staff, 'staff-towers');
    await waiting
      .getByLabel('Coverage modelled from these towers')
      .setInputFiles(await squares('made.zip', [174.6, -38]));
    await waiting.getByRole('button', { name: 'Upload prediction' }).click();
    await staff.getByText('No towers are waiting.').waitFor();
    await staff.getByRole('link', { name: 'Towers', exact: true }).waitFor();
    await expectState(page, 'Ready to publish');
    await drawnOnMap(page, 'coverage');
    await publish(page);
    await page.getByRole('link', { name: 'Processing fees' }).click();
    await page.getByRole('row').filter({ hasText: 'towers.csv' }).getByText('Accrued').waitFor();
    expect(await page.getByRole('row').filter({ hasText: 'towers.csv' }).textContent()).toContain(
      '$1,000.00',
    );
    await expectInAllLooks(page, 'operator-fees');
  });
});

test('everything can be done with the keyboard alone', async () => {
  const watched = await openPage(browser, service.api.url);
  opened.push(watched);
  const { page } = watched;
  await page.goto('/operator');
  await page.getByLabel('Access token').waitFor();
  await page.keyboard.type(await operatorToken(service, 'Keyboard Networks'));
  await page.keyboard.press('Enter');
  const chooser = page.getByLabel('Choose a file');
  await chooser.waitFor({ state: 'attached' });
  await tabTo(page, chooser);
  const [dialog] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Space')]);
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
  expect(await technologiesAt(service, { lat: -38.08, lng: 174.52 }, 'Keyboard Networks')).toEqual(['cable']);
});

describe('for everybody', () => {
  test('signing in', async () => {
    const watched = await openPage(browser, service.api.url);
    opened.push(watched);
    await watched.page.goto('/operator');
    await watched.page.getByLabel('Access token').waitFor();
    await expectInAllLooks(watched.page, 'operator-sign-in');
  });

  test('the first view, the form, the report with places on the map, the question, the versions', async () => {
    const page = await signedIn('Kauri Fibre');
    await handInSquares(page, 'north-2026-10.zip', [174.7, -36.95], [174.78, -36.95], [174.82, -36.88]);
    await publish(page);
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
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
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
});

test('no page asked for anything from anywhere else, and none failed', () => {
  expect(opened.length).toBeGreaterThan(10);
  expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
});
