import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConstantBody } from './http/constant-body.ts';

/** The built pages by path, such as `assets/main-x1y2.js`, in memory: a few megabytes together. */
export type Pages = ReadonlyMap<string, ConstantBody>;

const pagesFolder = fileURLToPath(new URL('../dist/pages/', import.meta.url));

const sourceFolder = fileURLToPath(new URL('../web/', import.meta.url));

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads the built pages; none before a build. */
export function readPages(folder = pagesFolder): Pages {
  const pages = new Map<string, ConstantBody>();
  if (!existsSync(folder)) return pages;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(folder, name);
    const type = types[path.extname(name)];
    if (!type) continue;
    const gzip = existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : undefined;
    pages.set(name.split(path.sep).join('/'), new ConstantBody(type, readFileSync(file), gzip));
  }
  return pages;
}

/** The names of the pages: built folders with an index.html; before a build those of the sources, so that their addresses say what is missing. */
export function pageNames(pages: Pages): string[] {
  const names = [...pages.keys()].flatMap((name) => /^([a-z]+)\/index\.html$/.exec(name)?.[1] ?? []);
  if (pages.size > 0 || !existsSync(sourceFolder)) return names;
  return readdirSync(sourceFolder).filter(
    (name) => /^[a-z]+$/.test(name) && existsSync(path.join(sourceFolder, name, 'index.html')),
  );
}
