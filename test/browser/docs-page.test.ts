import { describe, expect, test } from 'vitest';
import { createKey } from '../../access/api-keys.ts';
import { expectAccessible, expectInAllLooks, tabTo, useScene } from '../setup/browser.ts';
import { sampled } from '../setup/rounds.ts';
import { startService } from '../setup/service.ts';

/* The documentation at /docs: its chapters, and the reference from which requests are sent. */

const scene = await useScene(() => startService());
const page = await scene.open();
await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

describe('the guide', () => {
  test('has each example in three languages, with this server’s address, to be copied', async () => {
    await page.goto('/docs');
    await page.getByRole('heading', { name: 'API guide', level: 1 }).waitFor();
    await expectInAllLooks(page, 'docs-guide');
    await page.getByRole('tab', { name: 'Python' }).first().click();
    const panel = page.getByRole('tabpanel').first();
    expect(await panel.textContent()).toContain(`"${scene.service.api.url}/api/2.0/availability/`);
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).first().waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(await panel.textContent());
  });

  test('every chapter is there, can be linked to, and keeps nobody out', async () => {
    const links = page.getByRole('navigation', { name: 'Chapters' }).locator(':scope > ul > li > a');
    expect(await links.allTextContents()).toEqual(expect.arrayContaining(['Terms of use', 'Changes']));
    // The first chapter checked the rest of the page, in all widths. Text that fits the narrowest width fits any.
    const narrowest = 320;
    await page.setViewportSize({ width: narrowest, height: 900 });
    const all = await links.all();
    for (const link of sampled(all.slice(-3), all)) {
      const name = (await link.textContent()) as string;
      if (name === 'Reference') continue;
      await page.goto(`/docs${await link.getAttribute('href')}`);
      await page.getByRole('button', { name, exact: true, expanded: false }).waitFor();
      await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor();
      await expectAccessible(page, name, { at: [narrowest], within: 'main' });
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto('/docs#/guide/errors');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Errors');
  });
});

test('the search finds sections with the keyboard alone, and its results can be linked to', async () => {
  await page.goto('/docs');
  const field = page.getByRole('searchbox', { name: 'Search the documentation' });
  await tabTo(page, field);
  await page.keyboard.type('retry-after rate');
  await page.keyboard.press('Enter');
  const heading = page.getByRole('heading', { level: 1, name: '“retry-after rate” in the documentation' });
  await heading.waitFor();
  await expect.poll(() => heading.evaluate((one) => one.matches(':focus'))).toBe(true);
  await expectInAllLooks(page, 'docs-search');
  const first = page.getByRole('main').getByRole('link').first();
  await page.keyboard.press('Tab');
  expect(await first.evaluate((one) => one.matches(':focus'))).toBe(true);
  const href = await first.getAttribute('href');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('location.hash')).toBe(href);
  await page.goBack();
  await heading.waitFor();
  expect(await field.inputValue()).toBe('retry-after rate');
  await page.goto('/docs#/search?q=%3Cimg%20src%3Dx%3E');
  await page.getByText('Nothing was found').waitFor();
});

test('on a phone, chapters are a menu, which closes for whoever has chosen', async () => {
  const phone = await scene.open();
  await phone.setViewportSize({ width: 390, height: 844 });
  await phone.goto('/docs#/bulk');
  const menu = phone.getByRole('button', { name: 'Many positions at once', expanded: false });
  await menu.waitFor();
  const chapter = phone.getByRole('navigation', { name: 'Chapters' }).getByRole('link', { name: 'Errors' });
  expect(await chapter.isVisible()).toBe(false);
  await tabTo(phone, menu);
  await phone.keyboard.press('Enter');
  await chapter.waitFor();
  await expectInAllLooks(phone, 'docs-menu');
  await phone.setViewportSize({ width: 390, height: 844 });
  await chapter.click();
  await phone.getByRole('heading', { level: 1, name: 'Errors' }).waitFor();
  await phone.getByRole('button', { name: 'Errors', expanded: false }).waitFor();
  expect(await chapter.isVisible()).toBe(false);
});

describe('the reference', () => {
  const operation = () =>
    page.locator('.opblock').filter({ hasText: 'Look up broadband at a position' }).first();

  test('opens the group of its address, and each other one in place of the one before', async () => {
    await page.goto('/docs#/reference/getNames');
    await page.locator('.opblock.is-open').getByText('Check domain names').waitFor();
    type Item = Record<string, { tags: string[] }>;
    const { tags, paths } = (await (await scene.service.get('/openapi.json')).json()) as {
      tags: { name: string }[];
      paths: Record<string, Item>;
    };
    const groups = await page.locator('.opblock-tag').evaluateAll((all) => all.map((one) => one.dataset.tag));
    expect(groups).toEqual(tags.map(({ name }) => name));
    const operations = Object.values(paths).flatMap((item) => Object.values(item));
    for (const group of groups) {
      const heading = page.locator(`.opblock-tag[data-tag="${group}"]`);
      if ((await heading.getAttribute('data-is-open')) === 'false') await heading.click();
      const ofGroup = operations.filter(({ tags: [tag] }) => tag === group);
      await expect.poll(() => page.locator('.opblock').count()).toBe(ofGroup.length);
    }
  });

  test('sends a request with the key that it was given, with the keyboard alone', async () => {
    await page.goto('/docs#/reference');
    await operation().waitFor();
    const control = operation().locator('.opblock-summary-control');
    await page.getByRole('button', { name: 'Authorize' }).first().click();
    await page.locator('#api_key_value').first().fill(scene.service.key);
    await page.getByRole('button', { name: 'Apply credentials' }).first().click();
    await page.locator('.modal-ux').getByRole('button', { name: 'Close', exact: true }).last().click();
    await control.focus();
    await page.keyboard.press('Enter');
    const attempt = operation().getByRole('button', { name: /Try it out/ });
    await attempt.waitFor();
    await tabTo(page, attempt);
    await page.keyboard.press('Enter');
    const execute = operation().getByRole('button', { name: 'Execute' });
    await tabTo(page, execute);
    await page.keyboard.press('Enter');
    await operation().locator('.live-responses-table .response-col_status').getByText('200').waitFor();
    const answer = operation().locator('.live-responses-table');
    expect(await answer.textContent()).toContain('"technology": "fibre"');
    expect(await operation().locator('.samples pre').textContent()).toContain(scene.service.key);
    // Scrolled up, the picture shows this operation instead of the list.
    await page.evaluate(`document.querySelectorAll('.opblock-tag-section')[0].scrollIntoView()`);
    await expectInAllLooks(page, 'docs-reference');
  });

  test('has the key of a demo filled in where that works', async () => {
    const demo = await scene.open();
    const example = demo.locator('.opblock.is-open .samples pre');
    await demo.goto('/docs#/reference/getAvailability');
    expect(await example.textContent()).toContain('YOUR_KEY');
    await createKey(scene.service.database, 'Demo', 'demo', true);
    await demo.reload();
    await expect.poll(() => example.textContent()).toContain("'x-api-key: demo'");
  });
});
