import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { looseEntry } from '@covermap/coverage-files/file-set.ts';
import type { SourceFeature } from '@covermap/coverage-files/format.ts';
import { openRasters } from '@covermap/coverage-files/raster/raster.ts';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { turfOn } from '@covermap/testing/shapes.ts';
import { afterAll, describe, expect, inject, test } from 'vitest';
import type { ManifestInput } from '../../../coverage/submissions/manifest.ts';
import { findOrInstallGdal } from '../../setup/gdal.ts';
import { makeOracleCases, type OracleCase } from '../../setup/gdal-oracle.ts';
import { loadAlone } from '../../setup/load-alone.ts';
import { readText } from '../../setup/project.ts';
import { sampled } from '../../setup/rounds.ts';
import { parsedLines, useDatabaseIf } from '../../setup/service.ts';

/*
 * Files of GDAL's own writers in many reference systems go through the real reader into the database, and hundreds of random
 * points in each are asked. What they have to answer was made by Debian's PROJ and GEOS from the geometry as it was drawn
 * (test/oracle): in `npm test` some of them, in `npm run test:all` all. On one of the databases, as it is the same SQL: PostgreSQL, the faster one, unless ORACLE_HALF says embedded.
 * ORACLE_CASES names some of the cases, with commas between; ORACLE_TABLE the file to write the table to.
 */

const isHere = inject('backend').kind === (process.env.ORACLE_HALF ?? 'server');
const missing = isHere ? findOrInstallGdal() : 'the other half compares';
if (missing && isHere) console.error(`\n!!! THE COMPARISON WITH GDAL IS SKIPPED: ${missing}. !!!\n`);

const folder = scratchFolder();
/** The first case of each of GDAL's writers and of each reference system. */
function firstOfEach(): string[] {
  const seen = new Set<string>();
  const known = parsedLines<OracleCase>(readText('test/oracle/cases.jsonl'));
  return known.flatMap(({ name, driver, system }) => {
    const isNew = !seen.has(driver) || !seen.has(system);
    seen.add(driver).add(system);
    return isNew ? [name] : [];
  });
}
const names = process.env.ORACLE_CASES?.split(',') ?? sampled(firstOfEach(), []);
const cases = missing ? [] : makeOracleCases(folder, names);
const rows: { file: string; system: string; points: number; wrong: number }[] = [];
const { place, database } = await useDatabaseIf(!missing);
afterAll(writeTable);

const classes: ManifestInput['classes'] = [
  { value: 1, speeds: { bandwidth_max_mbps: 100, bandwidth_up_max_mbps: 20 } },
  { value: 0, coverage: false },
];

// A half that does not compare still has a test to skip: a file without one is a failure.
test.skipIf(missing)('there are files to compare', () => expect(cases).not.toEqual([]));

test.skipIf(missing).for(cases)('$name covers the points that GDAL and PROJ say', async (one) => {
  const wrong = await wrongPoints(one);
  const { name, system, points } = one;
  rows.push({ file: name, system, points: points.length, wrong: wrong.length });
  // Enough points on both sides for the comparison to mean something.
  expect(points.filter(([, , covered]) => covered).length).toBeGreaterThan(20);
  expect(points.filter(([, , covered]) => !covered).length).toBeGreaterThan(20);
  expect({ wrong: wrong.length, such: wrong.slice(0, 3) }).toEqual({ wrong: 0, such: [] });
});

/** Headers of 12 pixels, and a number of bytes before the first. */
const rawHeaders: [name: string, lines: string[]][] = [
  ['8 bits, as by default', ['nbits 8']],
  ['16 bits with a sign', ['nbits 16', 'pixeltype SIGNEDINT', 'byteorder I']],
  ['16 bits, the other order', ['nbits 16', 'pixeltype UNSIGNEDINT', 'byteorder M']],
  ['32 bits', ['nbits 32', 'pixeltype FLOAT', 'byteorder I']],
  ['32 bits, whole', ['nbits 32', 'pixeltype SIGNEDINT', 'byteorder I']],
  ['bytes before it', ['nbits 16', 'pixeltype SIGNEDINT', 'byteorder I', 'skipbytes 5']],
  [
    'lengths of rows',
    ['nbits 16', 'pixeltype SIGNEDINT', 'byteorder I', 'bandrowbytes 8', 'totalrowbytes 8'],
  ],
  ['a value for nothing', ['nbits 8', 'nodata 3']],
];

describe.skipIf(missing)('the pixels of a raw raster are where GDAL has them, and what', () => {
  const places = [
    ['by the middle of the first', ['ulxmap 1500010', 'ulymap 5400030', 'xdim 20', 'ydim 30']],
    ['by the lower left corner', ['xllcorner 1500000', 'yllcorner 5400000', 'cellsize 20']],
    ['by the middle of the last row', ['xllcenter 1500010', 'yllcenter 5400010', 'cellsize 20']],
  ] as const;
  test.for(
    places.flatMap(([at, place]) => rawHeaders.map(([of, lines]) => [at, of, [...place, ...lines]] as const)),
  )('%s: %s', async ([, , lines]) => {
    const bits = Number(/nbits (\d+)/.exec(lines.join())?.[1]);
    const size = Math.ceil((4 * bits) / 8) * 3 + (lines.includes('skipbytes 5') ? 5 : 0);
    const bytes = Buffer.from(Array.from({ length: size }, (_, i) => (i * 7 + 3) % 64));
    const own = mkdtempSync(path.join(folder, 'raw-'));
    writeFileSync(path.join(own, 'a.bil'), bytes);
    writeFileSync(
      path.join(own, 'a.hdr'),
      ['nrows 3', 'ncols 4', 'nbands 1', 'layout bil', ...lines].join('\n'),
    );
    const said = spawnSync('gdal_translate', ['-q', '-of', 'XYZ', path.join(own, 'a.bil'), '/vsistdout/'], {
      encoding: 'utf8',
    });
    const nodata = lines.includes('nodata 3') ? 3 : undefined;
    const expected = said.stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number) as [number, number, number]);
    expect(expected).toHaveLength(12);
    const entries = ['a.bil', 'a.hdr'].map((name) => looseEntry(path.join(own, name), name));
    const levels = [...new Set(expected.map(([, , value]) => value))].filter((value) => value !== nodata);
    // GDAL writes ten digits.
    const near = (value: number) => 1e-8 * Math.abs(value);
    const classes = levels.map((value) => ({
      min: value - near(value),
      max: value + near(value),
      uncovered: false,
    }));
    const source = await openRasters(
      { entries, scratch: own, close: () => undefined },
      { layers: undefined, classes, smoothing: false },
    );
    const [layer] = source.layers;
    const found: SourceFeature[] = [];
    for await (const feature of layer?.features() ?? []) found.push(feature);
    source.close();
    expect(layer?.warnings).toEqual([]);
    const answers = expected.map(([x, y]) => {
      const [here] = found.filter(({ polygons: [rings = []] }) => turfOn(rings)([x, y]));
      return here && levels[here.pixelClass as number];
    });
    expect(answers).toEqual(expected.map(([, , value]) => (value === nodata ? undefined : value)));
  });
});

async function wrongPoints({ file, manifest: own, raster, points }: OracleCase) {
  const manifest = { ...(raster ? { speeds: {}, classes } : {}), ...own };
  const { id } = await loadAlone(place, database, file, manifest);
  const { rows: found } = await database.query<{ lng: number; lat: number; expected: boolean }>(
    `select lng, lat, expected
     from unnest($2::float8[], $3::float8[], $4::boolean[]) as point (lng, lat, expected)
     where expected is distinct from exists (
       select from coverage c
       join tier t on t.id = c.tier_id
       join dataset d on d.id = t.dataset_id
       where d.submission_id = $1 and st_intersects(c.geom, st_setsrid(st_makepoint(lng, lat), 4326))
     )`,
    [id, points.map(([lng]) => lng), points.map(([, lat]) => lat), points.map(([, , covered]) => covered)],
  );
  return found;
}

/** The table of docs/developer/gdal-comparison.md. */
function writeTable(): void {
  const target = process.env.ORACLE_TABLE;
  if (!target) return;
  const lines = rows.map((row) => `| ${Object.values(row).join(' | ')} |`);
  const table = ['| file | system | points | wrong |', '| --- | --- | --- | --- |', ...lines].join('\n');
  mkdirSync(path.dirname(path.resolve(target)), { recursive: true });
  writeFileSync(target, `${table}\n`);
  console.log(table);
}
