import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { readConfig } from '../../core/config.ts';
import { writeBasemap } from './basemap.ts';

// npm run build: the pages, as the API serves them, in web/dist.

const web = path.join(import.meta.dirname, '..');
const dist = path.join(web, 'dist');
const generated = path.join(web, 'generated');
const { serviceArea } = readConfig();

mkdirSync(generated, { recursive: true });
// Reading the coastline of the world takes seconds: done once for an area.
const area = JSON.stringify(serviceArea);
const areaFile = path.join(generated, `area-${Buffer.from(area).toString('base64url')}`);
if (!existsSync(areaFile)) {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  writeBasemap(generated, serviceArea);
  writeFileSync(areaFile, '');
}

// Built beside, and put in place whole: another process may be serving, or building, the same.
const fresh = `${dist}-${process.pid}`;
const old = `${fresh}-old`;
try {
  await build({ configFile: path.join(web, 'vite.config.ts'), build: { outDir: fresh, emptyOutDir: true } });
  writeFileSync(path.join(fresh, 'built-for.txt'), process.env.SERVICE_AREA ?? '');
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(fresh, dist);
} finally {
  for (const folder of [fresh, old]) rmSync(folder, { recursive: true, force: true });
}
