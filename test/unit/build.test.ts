import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { digestOf, isMadeOf, parts, putInPlace } from '../../tools/build.mjs';
import { chapterNames } from '../../web/build/contents.ts';
import { filesIn, readText, root } from '../setup/project.ts';

const programs = filesIn('dist/programs');
const threads = programs.filter((name) => /\/threads\/.*\.js$/.test(name));
const folder = scratchFolder();

test('every source that a program is made of counts for whether it is old', () => {
  const maps = programs.filter((one) => one.endsWith('.map'));
  const sources = maps.flatMap((name) => {
    const map: { sources: string[] } = JSON.parse(readText(name));
    return map.sources.map((one) => path.join(path.dirname(name), one));
  });
  const own = sources.filter((one) => fs.existsSync(path.join(root, one)) && !one.startsWith('node_modules'));
  expect(own.length).toBeGreaterThan(200);
  const counted = (one: string) =>
    parts.programs.sources.some((name) => one === name || one.startsWith(`${name}/`));
  expect(own.filter((one) => !counted(one))).toEqual([]);
});

test('so does every source of the pages: what they import, and the chapters of the documentation', () => {
  const needed = new Set<string>();
  const follow = (file: string) => {
    if (needed.has(file)) return;
    needed.add(file);
    // Configuration reads many files, of which a page needs the default service area alone.
    if (file === 'platform/config.ts') return;
    for (const [, target = ''] of readText(file).matchAll(
      /^(?:import|export) (?!type)[^;]*from '(\.[^']+\.tsx?)';$/gm,
    ))
      follow(path.join(path.dirname(file), target));
  };
  for (const file of filesIn('web'))
    if (/\.tsx?$/.test(file) && !/^web\/(?:generated|build\/world)\//.test(file)) follow(file);
  for (const file of chapterNames.keys()) needed.add(file);
  const counted = (one: string) =>
    parts.pages.sources.some((name) => one === name || one.startsWith(`${name}/`));
  expect([...needed].filter((one) => !counted(one))).toEqual([]);
  expect([...needed]).toEqual(
    expect.arrayContaining(['client/client.ts', 'platform/nz-time.ts', 'client/README.md']),
  );
});

test('no program names the folder that it was built in, which may be moved', () => {
  const code = programs.filter((one) => one.endsWith('.js'));
  expect(code.filter((one) => readText(one).includes(root))).toEqual([]);
  expect(threads.length).toBeGreaterThan(2);
});

describe('what was built is old', () => {
  const sources = path.join(folder, 'sources');
  const digest = () => digestOf(folder, ['sources'], ['COVERMAP_TEST_AREA']);
  beforeEach(() => {
    fs.rmSync(sources, { recursive: true, force: true });
    fs.mkdirSync(path.join(sources, 'inner'), { recursive: true });
    fs.writeFileSync(path.join(sources, 'inner/a.ts'), 'one');
    fs.writeFileSync(path.join(sources, 'b.ts'), 'two');
  });

  test.each([
    ['a source is another', () => fs.writeFileSync(path.join(sources, 'inner/a.ts'), 'One')],
    ['a source is there', () => fs.writeFileSync(path.join(sources, 'c.ts'), '')],
    ['a source is gone', () => fs.rmSync(path.join(sources, 'b.ts'))],
    [
      'a source has another name',
      () => fs.renameSync(path.join(sources, 'b.ts'), path.join(sources, 'd.ts')),
    ],
    ['a variable is another', () => vi.stubEnv('COVERMAP_TEST_AREA', '1,2,3,4')],
  ])('once %s', (_, change) => {
    const before = digest();
    change();
    expect(digest()).not.toBe(before);
    vi.unstubAllEnvs();
  });

  test('not by the time of a source, nor by what nothing is made of', () => {
    const before = digest();
    fs.utimesSync(path.join(sources, 'b.ts'), new Date(), new Date());
    for (const name of ['node_modules', 'generated']) {
      fs.mkdirSync(path.join(sources, name));
      fs.writeFileSync(path.join(sources, name, 'x.ts'), 'x');
    }
    expect(digest()).toBe(before);
  });
});

describe('a folder', () => {
  const place = () => path.join(fs.mkdtempSync(path.join(folder, 'dist-')), 'programs');
  const put = (where: string, digest: string, ended = true) =>
    putInPlace(where, digest, (fresh) => {
      fs.writeFileSync(path.join(fresh, 'a.js'), digest);
      if (!ended) throw new Error('no');
    });

  test('is put in place whole, in place of an older one, and leaves nothing beside it', async () => {
    const where = place();
    for (const digest of ['one', 'two']) {
      await put(where, digest);
      expect(isMadeOf(where, digest)).toBe(true);
      expect(fs.readFileSync(path.join(where, 'a.js'), 'utf8')).toBe(digest);
    }
    expect(isMadeOf(where, 'one')).toBe(false);
    expect(fs.readdirSync(path.dirname(where))).toEqual(['programs']);
  });

  test('that cannot be made leaves the older one where it is', async () => {
    const where = place();
    await put(where, 'one');
    await expect(put(where, 'two', false)).rejects.toThrow('no');
    expect(isMadeOf(where, 'one')).toBe(true);
    expect(fs.readdirSync(path.dirname(where))).toEqual(['programs']);
  });

  test('of a build that was killed goes with a later one', async () => {
    const where = place();
    const [old, underWay] = ['.programs-old', '.programs-new'].map((name) => path.join(where, '..', name));
    for (const left of [old, underWay]) fs.mkdirSync(left as string, { recursive: true });
    fs.utimesSync(old as string, 0, 0);
    await put(where, 'one');
    expect(fs.readdirSync(path.dirname(where)).sort()).toEqual(['.programs-new', 'programs']);
  });

  test('is whole whenever it is there, however many processes make it at once', async () => {
    const where = place();
    const script = `
      import { writeFileSync } from 'node:fs';
      import { putInPlace } from ${JSON.stringify(path.join(root, 'tools/build.mjs'))};
      for (let i = 0; i < 40; i++)
        await putInPlace(${JSON.stringify(where)}, String(i), (fresh) => writeFileSync(fresh + '/a.js', String(i)));`;
    const processes = Array.from({ length: 3 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' }),
    );
    const ended = processes.map((one) => once(one, 'exit').then(([code]) => code));
    let running = true;
    const seen = new Set<string>();
    const looking = (async () => {
      // Between two of them it is away for a moment.
      const names = () => fs.promises.readdir(where).catch(() => []);
      for (; running; await setImmediate()) for (const name of await names()) seen.add(name);
    })();
    expect(await Promise.all(ended)).toEqual([0, 0, 0]);
    running = false;
    await looking;
    expect([...seen].sort()).toEqual(['a.js', 'made-of']);
    expect(fs.readdirSync(path.dirname(where))).toEqual(['programs']);
    expect(fs.readFileSync(path.join(where, 'a.js'), 'utf8')).toBe(
      fs.readFileSync(path.join(where, 'made-of'), 'utf8'),
    );
  });
});

test.each(threads)('%s starts without zod', (name) => {
  const files = new Set([name]);
  for (const file of files) {
    const text = readText(file);
    expect(text.includes('ZodObject'), file).toBe(false);
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"(\.[^"]+)"/g))
      files.add(path.join(path.dirname(file), imported));
  }
});
