import type { Warning } from '@covermap/coverage-files/format.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { type Polygon, signedArea } from '@covermap/geometry/polygon.ts';
import { maxProposed } from '../../coverage/area-limits.ts';
import { covers } from '../../coverage/boxes.ts';
import type { Plausibility } from '../../platform/config.ts';
import type { Queryable } from '../../platform/database/database.ts';
import { raw, sql } from '../../platform/database/sql.ts';
import type { DropReason } from '../drop-reasons.ts';
import type { CoverageRead, Loss } from '../messages.ts';
import { addLoss, noLoss } from './problems.ts';
import { dropText } from './report.ts';

/* Holds loaded coverage for review if its extent, or what was clipped or dropped, is implausible (coverage/datasets/blocking.ts). */

export type LoadedFigures = Pick<
  CoverageRead,
  'tiers' | 'outsideM2' | 'crossing' | 'droppedAreas' | 'droppedUnmeasured' | 'lostByRepair' | 'uncovered'
> & {
  features: Pick<CoverageRead['features'], 'read' | 'dropped'>;
  /** Of those of no coverage, which are those over coverage: the ones that cannot become exclusions. */
  notProposed: number;
};

/** Reasons for drops that may lose coverage. */
const coverageLost: readonly DropReason[] = [
  'geometry_not_readable',
  'cut_by_spreadsheet',
  'coordinates_not_finite',
  'too_many_vertices',
  'value_not_listed',
  'technology_unknown',
  'availability_unknown',
  'speed_not_a_number',
  'speed_out_of_range',
  'not_on_earth',
  'not_repairable',
  'not_in_time',
  'crosses_itself_too_often',
];

/** Reasons for which the area of a feature is unknown. */
const unmeasured: readonly DropReason[] = ['not_on_earth', 'crosses_itself_too_often'];

export const areaIsUnknown = (reason: DropReason) => unmeasured.includes(reason);

export const mayBeCoverage = (reason: DropReason) => coverageLost.includes(reason);

/** The area of polygons in the square of their coordinates' unit. */
export function planarArea(polygons: readonly Polygon[]): number {
  let sum = 0;
  for (const [outer, ...holes] of polygons) {
    if (outer) sum += Math.abs(signedArea(outer));
    for (const hole of holes) sum -= Math.abs(signedArea(hole));
  }
  return Math.max(0, sum);
}

export async function oddities(
  db: Queryable,
  figures: LoadedFigures,
  datasets: readonly number[],
  area: Bounds,
  limits: Plausibility,
): Promise<Warning[]> {
  const areaM2 = loadedM2(figures);
  return [
    ...(await coversMuch(db, datasets, areaM2, area, limits)),
    ...outside(figures, areaM2, limits),
    ...leftOut(figures, limits),
    ...ofUnknownArea(figures),
    ...lostByRepair(figures),
    ...takesNothingAway(figures),
    ...crosses(figures, area),
  ];
}

/** Overlaps count twice. */
export const loadedM2 = ({ tiers }: Pick<CoverageRead, 'tiers'>) =>
  tiers.reduce((sum, { areaM2 }) => sum + areaM2, 0);

/** Points along each side of the sampled grid. SQL, for a division. */
const gridSize = raw('40');

/** Sampled by a grid of points, as areas may overlap. */
async function coversMuch(
  db: Queryable,
  datasets: readonly number[],
  areaM2: number,
  { west, south, east, north }: Bounds,
  { coveredPercent }: Plausibility,
): Promise<Warning[]> {
  const { rows: whole } = await db.query<{ m2: number }>(
    sql`select coverage_area_m2(st_makeenvelope(${west}, ${south}, ${east}, ${north}, 4326)) as m2`,
  );
  const wholeM2 = whole[0]?.m2 ?? Number.POSITIVE_INFINITY;
  if (100 * areaM2 <= coveredPercent * wholeM2) return [];
  const { rows } = await db.query<{ share: number }>(sql`
    select sum(cos(radians(lat)) * hit::integer) / sum(cos(radians(lat))) as share
    from generate_series(0, ${gridSize} - 1) as i
    cross join generate_series(0, ${gridSize} - 1) as j
    cross join lateral (
      select ${west}::float8 + (${east}::float8 - ${west}) * (i + 0.5) / ${gridSize} as lng,
        ${south}::float8 + (${north}::float8 - ${south}) * (j + 0.5) / ${gridSize} as lat
    ) as place
    cross join lateral (
      select exists (
        select from coverage c
        join tier t on t.id = c.tier_id
        where t.dataset_id = any (${datasets}) and ${covers(sql`c.geom`, sql`lng`, sql`lat`)}
      ) as hit
    ) as there`);
  const percent = 100 * (rows[0]?.share ?? 0);
  if (percent <= coveredPercent) return [];
  const message = `The coverage fills ${percentText(percent)} of the service area, land and sea (${km2((percent / 100) * wholeM2)} of ${km2(wholeM2)} km2): more than the ${coveredPercent}% that is plausible. Check that its reference system is the right one.`;
  return [{ code: 'covers_most_of_area', message }];
}

function outside({ outsideM2 }: LoadedFigures, areaM2: number, { clippedPercent }: Plausibility): Warning[] {
  const percent = outsideM2 > 0 ? (100 * outsideM2) / (areaM2 + outsideM2) : 0;
  if (percent <= clippedPercent) return [];
  const message = `${percentText(percent)} of the file's area (${km2(outsideM2)} of ${km2(areaM2 + outsideM2)} km2) lies outside the service area and was clipped: more than the ${clippedPercent}% that is allowed without review.`;
  return [{ code: 'much_clipped', message }];
}

function leftOut(
  { features: { read, dropped }, droppedAreas }: LoadedFigures,
  { droppedPercent }: Plausibility,
): Warning[] {
  const counts = coverageLost.flatMap((reason): [DropReason, number][] =>
    dropped[reason] ? [[reason, dropped[reason]]] : [],
  );
  const count = counts.reduce((sum, [, one]) => sum + one, 0);
  const percent = read > 0 ? (100 * count) / read : 0;
  const [largest] = [...droppedAreas].sort((a, b) => b.share - a.share);
  const areaPercent = 100 * (largest?.share ?? 0);
  if (count === 0 || Math.max(percent, areaPercent) <= droppedPercent) return [];
  const why = counts.sort((a, b) => b[1] - a[1]).map(([reason, one]) => `${one} ${dropText(reason)}`);
  const ofArea =
    areaPercent > 0 ? `, and with them ${percentText(areaPercent)} of the area of ${largest?.layer}` : '';
  const message = `${count} of ${read} features (${percentText(percent)}) were dropped${ofArea}: ${why.join(', ')}. That is more than the ${droppedPercent}% that is allowed without review.`;
  return [{ code: 'much_dropped', message }];
}

/** Any number of them: their coverage is unknown. */
function ofUnknownArea({ droppedUnmeasured, features: { read, dropped } }: LoadedFigures): Warning[] {
  const { count } = droppedUnmeasured;
  if (count === 0) return [];
  const cut = dropped.cut_by_spreadsheet;
  const why = cut
    ? ` A spreadsheet keeps 32,767 characters of a cell, and ${cut === 1 ? 'one area ends' : `${cut} areas end`} there: export the table again without opening it in one.`
    : '';
  const message = `${count} of ${read} features ${count === 1 ? 'was' : 'were'} dropped whose area is unknown: ${namesOf(droppedUnmeasured)}.${why} See what is missing before it is published.`;
  return [{ code: 'dropped_area_unknown', message }];
}

function lostByRepair({ lostByRepair: loss }: LoadedFigures): Warning[] {
  if (loss.count === 0) return [];
  const which = `${loss.count} ${loss.count === 1 ? 'feature' : 'features'} (${namesOf(loss)})`;
  const message = `Repairing ${which} left out ${km2(loss.areaM2)} km2: rings that run as holes do and lie outside the outer one, or holes within holes. If they are areas, draw them as polygons of their own, and submit the file again.`;
  return [{ code: 'repair_lost_area', message }];
}

function takesNothingAway({ uncovered, notProposed }: LoadedFigures): Warning[] {
  const loss = noLoss();
  for (const area of uncovered) addLoss(loss, area);
  if (loss.count === 0) return [];
  const which = loss.count === 1 ? '1 area' : `${loss.count} areas`;
  const excludable =
    notProposed === 0
      ? 'make exclusions of them with this submission, or '
      : notProposed < loss.count
        ? `make exclusions of them with this submission, but for ${notProposed} with too many corners, too large or beyond the first ${maxProposed}, or `
        : '';
  const message = `${which} of no coverage (${namesOf(loss)}) ${loss.count === 1 ? 'lies' : 'lie'} over others that are covered, and ${loss.count === 1 ? 'takes' : 'take'} nothing away from them: places there are answered as covered. If they should not be, ${excludable}cut them out of the areas (in QGIS: Vector, Geoprocessing Tools, Difference), and submit the file again.`;
  return [{ code: 'no_coverage_over_coverage', message }];
}

/** The first of them: `feature 7 "Main range" of areas`. */
function namesOf({ count, examples }: Loss): string {
  const named = examples.map(
    ({ layer, feature, name }) => `feature ${feature}${name ? ` "${name}"` : ''} of ${layer}`,
  );
  return named.join(', ') + (count > named.length ? ', ...' : '');
}

/** Longitude and latitude of Waitangi. */
const chathams = [-176.56, -43.95] as const;

function crosses({ crossing }: LoadedFigures, { west, south, east, north }: Bounds): Warning[] {
  if (crossing === 0) return [];
  const [lng, lat] = chathams;
  const hasChathams = lng >= west && lng <= east && lat >= south && lat <= north;
  const chathamsToo = hasChathams ? '' : ', as the Chatham Islands do,';
  const what =
    crossing === 1
      ? 'feature crosses the 180th meridian and was'
      : 'features cross the 180th meridian and were';
  const message = `${crossing} ${what} split there. What lies beyond the service area (${west} to ${east} degrees of longitude)${chathamsToo} was clipped.`;
  return [{ code: 'crosses_antimeridian', message }];
}

function percentText(percent: number): string {
  return `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}

/** With the digits that areas have on the pages. */
function km2(m2: number): string {
  const digits = m2 < 1e7 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: m2 < 1e9 ? 1 : 0 };
  return (m2 / 1e6).toLocaleString('en-NZ', digits);
}
