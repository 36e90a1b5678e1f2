import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { ApiServer } from '../../api/server.ts';
import { findOrInstallChromium } from './chromium.ts';
import { sampled } from './rounds.ts';

/** How long a page may take for what a person would wait for; the work on a file goes on behind it. */
const timeoutMs = 60_000;
const arePicturesTaken = process.env.SCREENSHOTS === 'docs';
/** How many times as slow pages are made: `CPU_THROTTLING=6 npm test` shows that no test depends on their speed. */
const throttling = Number(process.env.CPU_THROTTLING ?? 1);
/** `npm test` sees each view in light, on a desk. */
const inAllLooks = sampled(arePicturesTaken, true);
const viewport = { width: 1280, height: 900 };

/** The looks that every page has to work in. */
export const looks = {
  light: { viewport, colorScheme: 'light' },
  dark: { viewport, colorScheme: 'dark' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>;

let launched: Promise<Browser> | undefined;

/** The browser of this worker: it stays for the next file, and ends with the worker. */
async function workersBrowser(): Promise<Browser> {
  const running = await launched?.catch(() => undefined);
  if (running?.isConnected()) return running;
  const found = findOrInstallChromium();
  if (typeof found === 'string') throw new Error(found);
  launched = chromium.launch({
    executablePath: found.program,
    // As on people's machines: without it, the browser cannot write names of files in any script.
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
    args: [
      // Maps are drawn without a GPU: containers have none. Root has no sandbox.
      ...['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
      // Only maps need WebGL: without it the rest of a page is drawn in half of the time.
      '--disable-gpu-compositing',
    ],
  });
  return launched;
}

const withoutWebGl = `HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, {
  apply: (get, canvas, [kind, ...others]) => kind.startsWith('webgl') ? null : Reflect.apply(get, canvas, [kind, ...others]),
})`;

/** Lists in `data-drawn` what overlays and layers a map shows. */
const listsDrawn = `addEventListener('drawn', ({ target, detail: { map, layers } }) => {
  const isDrawn = (id) => map.getLayer(id) && map.queryRenderedFeatures({ layers: [id] }).length > 0;
  const drawn = layers.map(([name, ids]) => [name, ids.filter(isDrawn)]).filter(([, ids]) => ids.length > 0);
  target.dataset.drawn = drawn.flat(2).join(' ');
})`;

/** A page of its own, as in a browser of its own. @param origins its own, and others that it may ask @param faults what it must never do */
async function openPage(
  browser: Browser,
  origins: [string, ...string[]],
  faults: string[],
  drawsMaps: boolean,
): Promise<Page> {
  const context = await browser.newContext({
    ...looks.light,
    baseURL: origins[0],
    locale: 'en-NZ',
    timezoneId: 'Pacific/Auckland',
    reducedMotion: 'reduce',
    // A quarter of the pixels to draw; pictures are taken with all.
    deviceScaleFactor: arePicturesTaken ? 1 : 0.5,
    acceptDownloads: true,
  });
  context.setDefaultTimeout(timeoutMs);
  await context.addInitScript(drawsMaps ? listsDrawn : withoutWebGl);
  const page = await context.newPage();
  if (throttling > 1) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttling });
  }
  page.on('request', (request) => {
    const url = new URL(request.url());
    const isForeign = /^(https?|wss?):$/.test(url.protocol) && !origins.includes(url.origin);
    if (isForeign) faults.push(`asked for ${request.url()}`);
  });
  page.on('response', (response) => {
    const isSimulated = response.status() === 507;
    if (response.status() >= 500 && !isSimulated) faults.push(`${response.status()} for ${response.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`failed: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy|Content-Security-Policy/.test(message.text())) faults.push(message.text());
  });
  return page;
}

/**
 * One service for all tests of a file, and pages that are closed after the test or the file that opened them; none may have asked elsewhere,
 * or failed. @param drawsMaps false: pages have no WebGL, and are used without their maps
 */
export async function useScene<Service extends { api: ApiServer; stop(): Promise<void> }>(
  start: () => Promise<Service>,
  drawsMaps = true,
) {
  const browser = await workersBrowser();
  const service = await start();
  const { origin: own } = new URL(service.api.url);
  const pages: Page[] = [];
  /** Requests of its pages to anywhere but the service, refusals of the Content-Security-Policy, and errors of scripts. */
  const faults: string[] = [];
  /** @param origin the service's own by default */
  const open = async (origin = own) => {
    const page = await openPage(browser, [origin, own], faults, drawsMaps);
    pages.push(page);
    return page;
  };
  let ofFile = 0;
  beforeEach(() => {
    ofFile = pages.length;
  });
  // Maps and events of pages that nobody looks at any more would cost the next test its time.
  const close = (first: number) => Promise.all(pages.splice(first).map((page) => page.context().close()));
  afterEach(() => close(ofFile));
  afterAll(async () => {
    const found = [...faults];
    await close(0);
    await service.stop();
    expect(found).toEqual([]);
  });
  return { service, faults, open };
}

/** Signs in on the operators' page, or on another one with the heading that its first view has. */
export async function signIn(page: Page, token: string, path = '/operator', heading = 'Your coverage') {
  await page.goto(path);
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
}

export async function shows(where: Page | Locator, text: string | RegExp, how?: { exact: boolean }) {
  await where.getByText(text, how).first().waitFor();
}

export async function answer(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

export const uploadFile = (name: string, buffer: Buffer) => ({
  ...{ name, mimeType: 'application/octet-stream', buffer },
});

export type UploadFile = ReturnType<typeof uploadFile>;

/** Waits until the map has drawn features of an overlay, such as `coverage` or `change`, or of one of its layers. */
export async function drawnOnMap(page: Page, overlay: string): Promise<void> {
  await page.locator(`.map[data-drawn~="${overlay}"]`).waitFor({ state: 'attached' });
}

/** The colours of pixels of the page, as #rrggbb. @param places in CSS pixels */
export async function coloursAt(page: Page, places: readonly { x: number; y: number }[]): Promise<string[]> {
  const picture = sharp(await page.screenshot({ scale: 'css' }));
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true });
  return places.map(({ x, y }) => {
    const at = 3 * (Math.round(y) * info.width + Math.round(x));
    return `#${data.toString('hex', at, at + 3)}`;
  });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const allRules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const colourRules = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };
/* Code that runs in the page is written as text: the types of the tests are those of Node. */
const runAxe = (rules: object, within: string) => `axe.run('${within}', {
    runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'], preload: false,
  })
  .then(({ violations }) => violations.map(({ id, impact, nodes }) =>
    impact + ' ' + id + ': ' + nodes.map((node) => node.html.slice(0, 150)).join(' | ')))`;

/** A desk, the same at 200 % where tables are at their narrowest, and at 400 % or a small phone. */
const widths = [1280, 641, 320];

/** Makes every word of four letters or more longer, as in other languages: where these fit, the page's own words do. */
const lengthen = `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node; (node = walker.nextNode()); ) {
    if (!node.parentElement.closest('script, style, textarea, svg, .map')) texts.push([node, node.data]);
  }
  const longer = (word) => word + word.slice(0, Math.ceil(word.length * 0.6)).toLowerCase();
  for (const [node, text] of texts) node.data = text.replace(/\\p{L}{4,}/gu, longer);
  window.shorten = () => texts.forEach(([node, text]) => { node.data = text; });
})()`;

/** How far the page exceeds the window's width, controls that are not wholly visible without scrolling sideways, buttons with a broken word, and texts in its margin. */
const outOfSight = `(() => {
  const wider = document.documentElement.scrollWidth - window.innerWidth;
  const main = document.querySelector('main');
  const edge = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight);
  const texts = [...main.querySelectorAll('h1, h2, h3, p, dt, dd, th, td')].filter((text) =>
    !text.closest('.visually-hidden, .map, thead, .table-scroll, .prose, .swagger, dialog') &&
    text.getBoundingClientRect().right > edge + 1);
  const controls = [...document.querySelectorAll('a, button, input, select, textarea, summary')].filter((control) => {
    const box = control.getBoundingClientRect();
    // Hidden, for screen readers alone, on a map, or in an element with its own scrolling.
    if (box.width < 2 || control.closest('.visually-hidden, .skip-link, .map, thead, .table-scroll, .prose, .swagger')) {
      return false;
    }
    let [left, right] = [0, window.innerWidth];
    for (let around = control.parentElement; around; around = around.parentElement) {
      if (getComputedStyle(around).overflowX === 'visible') continue;
      const edges = around.getBoundingClientRect();
      [left, right] = [Math.max(left, edges.left), Math.min(right, edges.right)];
    }
    return box.left < left - 1 || box.right > right + 1;
  });
  const range = document.createRange();
  const broken = [...document.querySelectorAll('button')].filter(({ lastChild: text }) =>
    [...(text?.data ?? '').matchAll(/\\p{L}+/gu)].some(({ 0: word, index }) => {
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      return word.length < 25 && range.getClientRects().length > 1;
    }));
  return [...(wider > 0 ? [wider + ' px'] : []), ...[...controls, ...texts, ...broken].map((element) => element.outerHTML.slice(0, 150))];
})()`;

/**
 * Expects that axe finds no barrier, and, in `npm run test:all`, that nothing has to be scrolled sideways.
 * @param within the part that axe looks at
 */
export async function expectAccessible(page: Page, what: string, { at = widths, within = 'html' } = {}) {
  await expectNoBarriers(page, what, allRules, within);
  if (inAllLooks) await expectToFit(page, what, at);
}

async function expectNoBarriers(page: Page, what: string, rules = allRules, within = 'html'): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axeSource);
  expect(await page.evaluate(runAxe(rules, within)), `axe on ${what}`).toEqual([]);
}

/** Expects a view to fit all widths, also with longer words: nothing has to be scrolled sideways, and no control is cut off. */
async function expectToFit(page: Page, what: string, at = widths): Promise<void> {
  const before = page.viewportSize() ?? viewport;
  await page.evaluate(lengthen);
  for (const width of at) {
    await page.setViewportSize({ width, height: before.height });
    const where = `out of sight on ${what}, ${width} pixels wide, with longer words`;
    // Charts and maps follow the width a frame later.
    await expect.poll(() => page.evaluate(outOfSight), { message: where, timeout: timeoutMs }).toEqual([]);
  }
  await page.evaluate('window.shorten()');
  await page.setViewportSize(before);
}

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url));

/**
 * Takes a picture for the documentation, where SCREENSHOTS=docs asks for that: a test run leaves no changes behind.
 * @param of a part of the page; undefined: its top
 */
export async function screenshot(page: Page, name: string, of?: Locator): Promise<void> {
  if (!arePicturesTaken) return;
  mkdirSync(images, { recursive: true });
  await page.evaluate('window.scrollTo(0, 0)');
  writeFileSync(`${images}${name}.png`, await (of ?? page).screenshot({ animations: 'disabled' }));
}

/**
 * Expects a view to be accessible, in `npm run test:all` in light and dark and in all widths, and takes a picture of each look. One page goes
 * through all looks, so that it has to follow each change.
 * @param of the part of the page that the picture is of
 */
export async function expectInAllLooks(page: Page, name: string, of?: Locator): Promise<void> {
  // Checks during loading would see half of the view.
  await page.getByText('Loading …', { exact: true }).first().waitFor({ state: 'detached' });
  if (!inAllLooks) return expectNoBarriers(page, name);
  for (const [look, { viewport, colorScheme }] of Object.entries(looks)) {
    // A phone has the elements and the colours of `light`, and `dark` has its elements.
    if (look === 'phone' && !arePicturesTaken) continue;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    if (look !== 'phone')
      await expectNoBarriers(page, `${name}, ${look}`, look === 'dark' ? colourRules : allRules);
    await screenshot(page, `${name}-${look}`, of);
  }
  await page.setViewportSize(looks.light.viewport);
  await page.emulateMedia({ colorScheme: 'light' });
  await expectToFit(page, name);
}

/** Presses Tab until something has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  const most = 60;
  await target.waitFor({ state: 'attached' });
  for (let presses = 0; presses < most; presses++) {
    if ((await target.and(page.locator(':focus')).count()) > 0) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${target} is not reached with ${most} presses of Tab`);
}
