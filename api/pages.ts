import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConstantBody } from './http/constant-body.ts';

/** The built pages by path, such as `assets/main-x1y2.js`, in memory: a few megabytes together. */
export type Pages = ReadonlyMap<string, ConstantBody>;

const pagesFolder = fileURLToPath(new URL('../dist/pages/', import.meta.url));

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
