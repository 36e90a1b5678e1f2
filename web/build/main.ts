import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { readConfig } from '../../platform/config.ts';
import { writeBasemap } from './basemap.ts';

// Part of npm run build: the pages, as the API serves them. node --import tsx web/build/main.ts <folder>

const web = path.join(import.meta.dirname, '..');
const generated = path.join(web, 'generated');
const { serviceArea } = readConfig();

mkdirSync(generated, { recursive: true });
// Reading the world's coastline takes seconds, so it is done once for an area.
const area = JSON.stringify(serviceArea);
const areaFile = path.join(generated, `area-${Buffer.from(area).toString('base64url')}`);
if (!existsSync(areaFile)) {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated);
  writeBasemap(generated, serviceArea);
  writeFileSync(areaFile, '');
}
for (const mode of ['production', 'embed']) {
  await build({
    mode,
    configFile: path.join(web, 'vite.config.ts'),
    build: { outDir: process.argv[2] as string, emptyOutDir: false },
  });
}
