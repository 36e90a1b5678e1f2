import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../../platform/error-catalogue.ts';
import { contents } from '../../web/build/contents.ts';
import { pageOf } from '../../web/build/markdown.ts';
import { maxFound, search, sectionsOf } from '../../web/docs/search.ts';
import { readText } from '../setup/project.ts';

/* The chapters of /docs, as the build makes them: their links, and the search over them. */

const entries = contents.flatMap(({ pages }) => pages);
const chapters = entries.map(({ file, name }) => ({ file, name, ...pageOf(readText(file), file) }));
const anchorsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);

test('chapters have addresses of their own', () => {
  const names = entries.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(expect.arrayContaining(['guide', 'changes', 'errors', 'client']));
  for (const { title, name } of chapters) expect(title, name).not.toBe('');
});

describe.each(chapters)('$file', ({ file, html }) => {
  test('every link leads somewhere', () => {
    const wrong = [...html.matchAll(/<a href="([^"]*)"/g)].flatMap(([, href = '']) => {
      if (/^https?:\/\/[\w-]+(\.[\w-]+)+/.test(href) || /^http:\/\/127\.0\.0\.1:3000/.test(href)) return [];
      if (/^\/(docs|operator|staff|account|openapi\.json)$/.test(href)) return [];
      const [, name, anchor] = /^#\/([\w.-]+)(?:\/([\w-]+))?$/.exec(href) ?? [];
      const chapter = chapters.find((one) => one.name === name);
      const isThere = chapter && (anchor === undefined || anchorsOf(chapter.html).includes(anchor));
      return isThere || name === 'reference' ? [] : [href];
    });
    expect(wrong).toEqual([]);
  });
  test('every link of the page is one of the chapter, but for files that are not served; so are addresses in its text', () => {
    const text = readText(file)
      .replace(/```[\s\S]*?```/g, '')
      .replace(/^ {4}.*$/gm, '');
    const links = [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
    const served = links.filter((target) => /^https?:|^#|\.md(#|$)/.test(target));
    const bare = text.replace(/`[^`\n]*`/g, '').match(/(?<![(\w"<=])(https?:\/\/|\/docs#\/)[\w.]/g) ?? [];
    const coded =
      text.match(/`\/(docs#\/[\w./-]*\w|docs|operator|staff|account|openapi\.json)`(?!\])/g) ?? [];
    expect(html.match(/<a href=/g) ?? []).toHaveLength(served.length + bare.length + coded.length);
  });
});

test('errors begin with what they are, and their hints link to the chapters that they name', () => {
  const errors = chapters.find(({ name }) => name === 'errors');
  expect(/<p>(.*?)<\/p>/s.exec(errors?.html ?? '')?.[1]).toMatch(/^Every error/);
  const named = JSON.stringify(errorCatalogue).match(/\/docs#\/[\w/-]+/g) ?? [];
  expect(named.length).toBeGreaterThan(0);
  for (const address of named) {
    expect(errors?.html).toContain(`<a href="${address.slice('/docs'.length)}">${address}</a>`);
  }
});

describe('the search', () => {
  const sections = sectionsOf(chapters);
  const found = (query: string) => search(sections, query).found;

  test('has every heading of every chapter, down to the third level', () => {
    const headings = chapters.flatMap(({ html }) => html.match(/<h[1-3] /g) ?? []);
    expect(sections).toHaveLength(headings.length);
    for (const { text } of sections)
      expect(text).not.toMatch(/<!--|<\/?(p|a|code|li|t[dr]|h\d|div|pre)\b|&(lt|gt|amp|quot);/);
  });
  test('finds every section by its heading among the first', () => {
    for (const { title, chapter, href } of sections) {
      const hrefs = search(sections, `${title} ${chapter}`).found.map((one) => one.href);
      expect(hrefs, `${title}, ${chapter}`).toContain(href);
    }
  });
  test('finds all words, in any case, with or without macrons, by their beginnings', () => {
    expect(found('file_too_large')[0]).toMatchObject({ href: '#/errors/file_too_large', chapter: 'Errors' });
    expect(found('SHAPEFILE')).toEqual(found('shapefile'));
    expect(found('māori')).toEqual(found('MAORI'));
    expect(found('rate limit')[0]?.title).toMatch(/rate.* limit/i);
    for (const { excerpt } of found('geopack')) expect(excerpt.some(({ hit }) => hit)).toBe(true);
    expect(found('nosuchword rate')).toEqual([]);
  });
  test.each([
    ['how do I get an api key', 'get-a-key'],
    ['How do I get an API key?', 'get-a-key'],
    ['get a key', 'get-a-key'],
    ['sign up', 'get-a-key'],
    ['what does it cost', 'get-a-key'],
    ['what is the price of a plan?', 'get-a-key'],
  ])('answers a question: %s', (question, chapter) => {
    expect(found(question)[0]?.href).toMatch(new RegExp(`^#/${chapter}(?:/|$)`));
  });
  test('shows where the words stand', () => {
    for (const query of ['retry-after', 'ā', 'x-api-key lat', '&', '<id>']) {
      for (const { excerpt, href } of found(query)) {
        const text = excerpt.map((part) => part.text).join('');
        expect(text.length, href).toBeLessThan(200);
        for (const { text, hit } of excerpt) if (hit) expect(text.length).toBeLessThan(20);
      }
    }
  });
  test('is bounded, and finds nothing for nothing', () => {
    for (const query of ['', '  ', '\n']) expect(found(query)).toEqual([]);
    expect(found('a')).toHaveLength(maxFound);
    for (const query of ['a'.repeat(100_000), 'a b c d e f g h i j '.repeat(1000), '\\\\(((', '%'])
      found(query);
  });
});
