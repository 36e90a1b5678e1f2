import { definitionOf } from '@covermap/coverage-files/gdal/reference-system.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IngestError } from '../../ingest/errors.ts';
import { type Projections, projections } from '../../ingest/systems/projections.ts';
import { type Position, resolveReferenceSystem, toLngLat } from '../../ingest/systems/reference-system.ts';
import { readConfig } from '../../platform/config.ts';
import { findOrInstallGdal } from '../setup/gdal.ts';
import { listSystems, type OracleSystem } from '../setup/gdal-oracle.ts';
import { sampled } from '../setup/rounds.ts';

/*
 * Every reference system of New Zealand in PROJ's table, in every dialect that files use, against positions by Debian's PROJ.
 */

const missing = findOrInstallGdal();
if (missing) console.error(`\n!!! THE COMPARISON WITH PROJ IS SKIPPED: ${missing}. !!!\n`);

/** Metres. */
const tolerance = 0.01;
const { serviceArea } = readConfig({});
const systems = missing ? [] : listSystems();

// PROJ takes up to a tenth of a second to find a transformation, and most dialects lead to the same call.
let proj: Projections;
let between: Projections['between'];
beforeAll(async () => {
  const ways = new Map<string, ReturnType<typeof between>>();
  proj = await projections();
  between = proj.between;
  proj.between = (from, to) => {
    const way = `${from}\0${to}`;
    if (!ways.has(way)) ways.set(way, between(from, to));
    return ways.get(way);
  };
});
afterAll(() => {
  proj.between = between;
});

/** The outcomes for a system, in the order of the table. */
type Outcome = 'right' | 'asked' | 'refused' | 'wrong';

/** By dialect, the definition of a system as the service gets it. */
const dialects: Record<string, (system: OracleSystem) => string | undefined> = {
  ...Object.fromEntries(
    ['WKT1 GDAL', 'WKT1 ESRI', 'WKT2:2015', 'WKT2:2019'].map((name) => [
      name,
      (one) => one.definitions[name],
    ]),
  ),
  // As GDAL describes a layer.
  PROJJSON: ({ definitions }) =>
    definitionOf({
      wkt: definitions['WKT2:2019'] as string,
      projjson: JSON.parse(definitions.PROJJSON as string),
    }),
  'EPSG code': ({ code }) => (code.startsWith('EPSG:') ? code : undefined),
};

/** Deprecated, and unusable for PROJ itself: a Mercator with a latitude of origin. */
const unusable = ['EPSG:3752'];

test.skipIf(missing)(
  'PROJ has the circuits of 1949, and all its systems of New Zealand but one are usable',
  () => {
    const codes = systems.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(Array.from({ length: 28 }, (_, i) => `EPSG:${27205 + i}`)));
    const withoutPositions = systems.filter(({ positions }) => positions.length === 0);
    expect(withoutPositions.map(({ code }) => code)).toEqual(unusable);
    expect(systems.length).toBeGreaterThan(90);
  },
);

/** Each system in one of the dialects, or in all. */
const share = sampled(6, 1);

test.skipIf(missing).each(Object.keys(dialects))('%s: every system lies where PROJ says', async (dialect) => {
  const counts: Record<Outcome, number> = { right: 0, asked: 0, refused: 0, wrong: 0 };
  const notRight: string[] = [];
  let worst = 0;
  const first = Object.keys(dialects).indexOf(dialect) % share;
  for (const system of systems.filter((_, i) => i % share === first)) {
    const definition = dialects[dialect]?.(system);
    if (definition === undefined || system.positions.length === 0) continue;
    const { outcome, metres } = await compare(definition, system);
    counts[outcome]++;
    if (outcome === 'right') worst = Math.max(worst, metres);
    else notRight.push(`${system.code} ${outcome} ${metres} m`);
  }
  console.log(`| ${dialect} | ${Object.values(counts).join(' | ')} | ${worst.toFixed(3)} m |`);
  expect(notRight).toEqual([]);
  expect(counts.right).toBeGreaterThan(75 / share);
});

test.skipIf(missing)('a PROJ string is refused, whatever it says', async () => {
  const strings = systems.flatMap(({ definitions }) => definitions['PROJ string'] ?? []);
  expect(strings.length).toBeGreaterThan(80);
  const refused = { code: 'reference_system_unknown' };
  for (const text of strings)
    await expect(resolveReferenceSystem(text, serviceArea)).rejects.toMatchObject(refused);
});

async function compare(
  definition: string,
  { positions }: OracleSystem,
): Promise<{ outcome: Outcome; metres: number }> {
  try {
    const system = await resolveReferenceSystem(definition, serviceArea);
    const given = positions.map(([x, y]): Position => [x, y]);
    const places = toLngLat(system, given).map((place): Position => [place?.lng ?? 0, place?.lat ?? 0]);
    const metres = Math.max(...positions.map(([, , ...is], i) => metresBetween(places[i] as Position, is)));
    if (system.possibleErrorM !== undefined) return { outcome: 'asked', metres };
    return { outcome: metres <= tolerance ? 'right' : 'wrong', metres };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    return { outcome: 'refused', metres: 0 };
  }
}

function metresBetween([lng, lat]: Position, [otherLng, otherLat]: Position): number {
  const east = ((lng - otherLng + 540) % 360) - 180;
  return Math.hypot(east * Math.cos((lat * Math.PI) / 180), lat - otherLat) * 111_195;
}
