import type { Bounds } from '../core/config.ts';
import type { ReferenceSystemChoice } from '../core/coverage/submissions/inspection.ts';
import { isDataError, onDataError } from '../core/database/data-error.ts';
import type { Queryable } from '../core/database/database.ts';
import { type Sql, sql } from '../core/database/sql.ts';
import type { ErrorReport } from '../core/errors.ts';
import { IngestError } from './errors.ts';
import type { Box } from './geometry/polygon.ts';
import {
  commonCode,
  comparedDatum,
  type Described,
  degreesWithoutDatum,
  hasTransformation,
  international1924,
  isModern,
  isSameProjection,
  readDefinition,
  withoutName,
} from './known-systems.ts';

/** A reference system as PostGIS can transform from it. */
export interface ReferenceSystem {
  /** What `ST_Transform` takes to transform from it: WKT, or `EPSG:<code>`. */
  definition: string;
  /** The number that the database has for the same; where it has one, it is what is transformed by. */
  srid?: number | undefined;
  /** Whether its coordinates are lengths and not degrees. */
  projected: boolean;
  /** Whether its coordinates are longitude and latitude in WGS 84 as they stand: there is nothing to transform. */
  wgs84: boolean;
  /** What people call it. */
  name: string;
  /** The name of the vertical system that came with it: heights are ignored. */
  heights?: string | undefined;
  /** Metres that coordinates may be off, as nobody knows the datum. */
  possibleErrorM?: number;
}

const maxDefinitionLength = 65_536;
/** A tenth of a thousandth of a millimetre, in degrees. */
const sameDegrees = 1e-12;
/** A decimetre, in degrees: projections do not lead back exactly, and no shift of a datum is as small. */
const unshiftedDegrees = 1e-6;

/**
 * Resolves a definition, and checks that the database can use it: up to a second on the embedded database, so use
 * {@link referenceSystems} for several.
 * @param definition WKT of any dialect that PROJ reads, the one in Esri's `.prj` files included, or `EPSG:<code>`
 * @throws IngestError `reference_system_unknown`
 */
export async function resolveReferenceSystem(
  database: Queryable,
  definition: string,
  serviceArea: Bounds,
): Promise<ReferenceSystem> {
  const code = /^EPSG:(\d{4,6})$/i.exec(definition)?.[1];
  const found =
    code === undefined
      ? await describeWkt(database, definition)
      : await describeEpsg(database, Number(code), serviceArea);
  if (!found) throw unknown(definition);
  const { system, described } = found;
  if (system.srid !== undefined && degreesOfWgs84.includes(system.srid)) return { ...system, wgs84: true };
  try {
    const { isIdentity, isShifted } = await shiftOf(database, found, serviceArea);
    const resolved = { ...system, wgs84: !system.projected && isIdentity };
    if (isShifted || !described) return resolved;
    return { ...resolved, possibleErrorM: await possibleError(database, described, serviceArea) };
  } catch (error) {
    if (isDataError(error)) throw unknown(definition);
    throw error;
  }
}

/** {@link resolveReferenceSystem} with a cache. */
export function referenceSystems(
  database: Queryable,
  serviceArea: Bounds,
): (definition: string) => Promise<ReferenceSystem> {
  const known = new Map<string, Promise<ReferenceSystem>>();
  return (definition) => {
    const found = known.get(definition) ?? resolveReferenceSystem(database, definition, serviceArea);
    known.set(definition, found);
    return found;
  };
}

/** WGS 84, and NZGD2000, which every database takes for the same. */
const degreesOfWgs84 = [4326, 4167];

/** A system, and what it says of itself; undefined where only PROJ knows. */
interface Found {
  system: ReferenceSystem;
  described: Described | undefined;
}

/**
 * Tries a system on points that every useful definition reaches, where one that PROJ cannot use shows itself.
 * - isIdentity: WGS 84 stays as it is
 * - isShifted: PROJ knows how its datum lies to that of WGS 84. By a name that it does not know, it silently shifts nothing: then
 *   degrees are the same as in a datum that nobody knows.
 */
async function shiftOf(db: Queryable, { system, described }: Found, area: Bounds) {
  const places: Position[] = [[area.west, area.south], [area.east, area.north], middleOf(area)];
  const there = await transformed(db, system, places, 'from WGS 84');
  await transformed(db, system, there, 'to WGS 84');
  const isIdentity = areSame(there, places, sameDegrees);
  const isKnown =
    !described ||
    isModern(described) ||
    described.datum === 'wgs84' ||
    described.datum === 'nzgd2000' ||
    (system.srid === undefined && hasTransformation(described));
  if (isKnown) return { isIdentity, isShifted: true };
  const unshifted = await transformed(db, system, there, degreesWithoutDatum(described));
  return { isIdentity, isShifted: !areSame(unshifted, places, unshiftedDegrees) };
}

const middleOf = ({ west, south, east, north }: Bounds): Position => [(west + east) / 2, (south + north) / 2];

/**
 * Positions from WGS 84 in a reference system, or back, or to another one.
 * @param target or the definition of the other system
 * @throws a data error ({@link isDataError}) where PROJ cannot
 */
export async function transformed(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
  target: 'from WGS 84' | 'to WGS 84' | (string & {}),
): Promise<Position[]> {
  // As one collection: a definition in text is parsed for each geometry.
  const points = sql`st_collect(st_setsrid(st_makepoint(x, y), 4326) order by number)`;
  const xs = positions.map(([x]) => x);
  const ys = positions.map(([, y]) => y);
  const { rows } = await db.query<{ x: number; y: number }>(sql`
    select st_x(part.geom) as x, st_y(part.geom) as y
    from (
      select ${target === 'from WGS 84' ? fromWgs84(system, points) : toOther(system, points, target === 'to WGS 84' ? sql`4326` : sql`${target}::text`)} as geom
      from unnest(${xs}::float8[], ${ys}::float8[]) with ordinality as position (x, y, number)
    ) as placed cross join lateral st_dump(placed.geom) as part
    order by part.path`);
  return rows.map(({ x, y }) => [x, y]);
}

/** Whether positions are as many as others, and each no further from its counterpart along an axis. */
const areSame = (positions: readonly Position[], others: readonly Position[], tolerance: number) =>
  positions.length === others.length &&
  positions.every(([x, y], i) => {
    const [otherX, otherY] = others[i] as Position;
    return Math.abs(x - otherX) < tolerance && Math.abs(y - otherY) < tolerance;
  });

/** What brings a geometry, whatever SRID it has, from the system to WGS 84. The database keeps its codes ready, but parses texts. */
export const toWgs84 = (system: ReferenceSystem, geometry: Sql) => toOther(system, geometry, sql`4326`);

/** @param target an SRID, or a definition */
const toOther = ({ srid, definition }: ReferenceSystem, geometry: Sql, target: Sql) =>
  srid === undefined
    ? sql`st_transform(${geometry}, ${definition}::text, ${target})`
    : sql`st_transform(st_setsrid(${geometry}, ${srid}::integer), ${target})`;

const fromWgs84 = ({ srid, definition }: ReferenceSystem, geometry: Sql) =>
  srid === undefined
    ? sql`st_transform(${geometry}, ${definition}::text)`
    : sql`st_transform(${geometry}, ${srid}::integer)`;

/** The system's well-known text: of one that is known by its code, the database's. */
export async function definitionOf(db: Queryable, { srid, definition }: ReferenceSystem): Promise<string> {
  if (srid === undefined) return definition;
  const { rows } = await db.query<{ srtext: string }>(
    sql`select srtext from spatial_ref_sys where srid = ${srid}`,
  );
  return rows[0]?.srtext ?? definition;
}

/**
 * Looks at a definition before PROJ does. PROJ takes other texts too, file names among them; and what it throws at text
 * that is no definition, the embedded database bears badly. It is never rewritten: PROJ recognises a datum by what stands around
 * its name, too.
 */
async function describeWkt(db: Queryable, definition: string): Promise<Found | undefined> {
  if (definition.length > maxDefinitionLength || definition.includes('\0')) return undefined;
  const read = readDefinition(definition);
  if (!read) return undefined;
  const { text, described, heights } = read;
  const srid = commonCode(described) ?? (await codeByParameters(db, described));
  const name = read.name ?? (srid === undefined ? withoutName(described) : `EPSG:${srid}`);
  const projected = described.projected !== undefined;
  return { system: { definition: text, name, projected, wgs84: false, srid, heights }, described };
}

/** The code of a system of New Zealand's datums, whatever names it goes by. */
async function codeByParameters(db: Queryable, described: Described): Promise<number | undefined> {
  const datum = comparedDatum(described);
  if (datum === undefined) return undefined;
  const { rows } = await db.query<{ srid: number; srtext: string }>(sql`
    select srid, srtext from spatial_ref_sys
    where auth_name = 'EPSG' and strpos(srtext, ${`"${datum}"`}) > 0 order by srid`);
  return rows.find(({ srtext }) => {
    const known = readDefinition(srtext)?.described;
    return known && isSameProjection(described, known);
  })?.srid;
}

async function describeEpsg(db: Queryable, code: number, area: Bounds): Promise<Found | undefined> {
  const definition = `EPSG:${code}`;
  const { rows } = await db.query<{ srid: number; srtext: string }>(
    sql`select srid, srtext from spatial_ref_sys where auth_name = 'EPSG' and auth_srid = ${code}`,
  );
  const [row] = rows;
  if (!row) return describeNewer(db, definition, area);
  const read = readDefinition(row.srtext);
  if (!read) return undefined;
  const { name = definition, described, heights } = read;
  const projected = described.projected !== undefined;
  return { system: { definition, srid: row.srid, name, projected, wgs84: false, heights }, described };
}

/** A system that PROJ knows by its code and the database's table does not, as it is newer. */
async function describeNewer(db: Queryable, definition: string, area: Bounds): Promise<Found | undefined> {
  const system = { definition, name: definition, projected: false, wgs84: false };
  const middle = await transformed(db, system, [middleOf(area)], 'from WGS 84').catch(onDataError(undefined));
  if (!middle) return undefined;
  return { system: { ...system, projected: middle.some(isNoPlaceInDegrees) }, described: undefined };
}

/** Metres by which WGS 84 and what a datum that nobody knows may mean are apart, where it is on this ellipsoid. */
const maxDatumShift = 1000;
/** Between a latitude on the ellipsoid and the same number as one on a sphere, at 45 degrees. */
const sphereToEllipsoid = 21_400;

/** How far off coordinates may be of a datum that PROJ does not know, so that it shifts nothing. */
async function possibleError(db: Queryable, described: Described, area: Bounds): Promise<number> {
  if (described.flattening === 0) return sphereToEllipsoid;
  const [axis, flattening] = international1924;
  if (Math.abs(described.axis - axis) > 1 || Math.abs(described.flattening - flattening) > 0.1)
    return maxDatumShift;
  const [lng, lat] = middleOf(area);
  const { rows } = await db.query<{ metres: number }>(sql`
    select st_distance(place::geography, st_transform(st_setsrid(place, 4272), 4326)::geography) as metres
    from (select st_setsrid(st_makepoint(${lng}, ${lat}), 4326) as place) as middle`);
  return Math.ceil((rows[0]?.metres ?? 0) / 10) * 10;
}

function unknown(definition: string): IngestError {
  const shown = definition.length > 80 ? `${definition.slice(0, 80)}...` : definition;
  return new IngestError(
    'reference_system_unknown',
    `The reference system is not one that can be used: ${shown}`,
  );
}

/** A question with its possible answers. */
export class ReferenceSystemMissing extends IngestError {
  readonly choices: ReferenceSystemChoice[];

  constructor(layer: string, [position]: readonly Position[], choices: ReferenceSystemChoice[]) {
    const likely = choices.filter((choice) => choice.likely);
    const such = position === undefined ? '' : ` (such as ${position[0]}, ${position[1]})`;
    const looks =
      likely.length > 0
        ? `They would lie in the service area as ${inWords(likely.map(({ name }) => name))}`
        : 'They would not lie in the service area in any that is common here';
    const [first] = likely;
    super(
      'reference_system_missing',
      `The layer ${layer} does not say which reference system its coordinates${such} are in. ${looks}.`,
      first
        ? `Choose the one that they are in, as in "crs": "${first.crs}" for ${first.name}, or include the file that says it (.prj for a shapefile).`
        : 'Include the file that says it (.prj for a shapefile), or name it, as in "crs": "EPSG:2193" for NZTM2000.',
    );
    this.choices = choices;
  }

  override toJSON(): ErrorReport {
    return { ...super.toJSON(), choices: this.choices };
  }
}

const inWords = (names: string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export type Placement = 'inside' | 'swapped' | 'outside';

export type Position = [x: number, y: number];

/** Where positions lie: some in the service area; or at least half of them once x and y change places; or elsewhere. */
export async function placementOf(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
  area: Bounds,
): Promise<Placement> {
  if ((await shareInside(db, system, positions, area)) > 0) return 'inside';
  return (await shareInside(db, system, swapped(positions), area)) >= 0.5 ? 'swapped' : 'outside';
}

/** What a layer's coordinates may be in where nobody says so: SRID, name, whether it is projected. */
const plausibleSystems = (
  [
    [2193, 'NZTM2000', true],
    [27200, 'NZMG', true],
    [4326, 'WGS 84 or NZGD2000', false],
    [4272, 'NZGD49', false],
    [3857, 'Web Mercator', true],
    [32759, 'UTM zone 59S', true],
    [32760, 'UTM zone 60S', true],
  ] as const
).map(
  ([srid, name, projected]): ReferenceSystem => ({
    ...{ srid, name, projected, wgs84: srid === 4326 },
    definition: `EPSG:${srid}`,
  }),
);

/** Whether x and y cannot be longitude and latitude. */
export const isNoPlaceInDegrees = ([x, y]: Position) => Math.abs(x) > 360 || Math.abs(y) > 90;

/**
 * Which reference systems coordinates may be in that come without one, and where they would lie: those in which all of them
 * have a place on earth, the likely ones first.
 * @param positions of the layer, corners of its box among them
 */
export async function referenceSystemChoices(
  db: Queryable,
  positions: readonly Position[],
  area: Bounds,
): Promise<ReferenceSystemChoice[]> {
  const choices: ReferenceSystemChoice[] = [];
  // Degrees as metres would be a few steps from the origin of a grid, and metres are no degrees.
  const degrees = !positions.some(isNoPlaceInDegrees);
  for (const system of plausibleSystems) {
    if (positions.length === 0 || system.projected === degrees) continue;
    const bbox = await boxInDegrees(db, system, positions);
    if (!bbox) continue;
    const [west, south, east, north] = bbox;
    const likely = west <= area.east && east >= area.west && south <= area.north && north >= area.south;
    choices.push({ crs: system.definition, name: system.name, bbox, likely });
  }
  return choices.sort((a, b) => Number(b.likely) - Number(a.likely));
}

/** Undefined where some position has no place there: it cannot be transformed, or does not come back from where it got to. */
async function boxInDegrees(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
): Promise<Box | undefined> {
  const places = await transformed(db, system, positions, 'to WGS 84').catch(onDataError(undefined));
  const back = places && (await transformed(db, system, places, 'from WGS 84').catch(onDataError(undefined)));
  if (!back || !areSame(back, positions, system.projected ? 1 : 1e-5)) return undefined;
  const lngs = places.map(([lng]) => lng);
  const lats = places.map(([, lat]) => lat);
  if (!lngs.every(Number.isFinite) || lats.some((lat) => Math.abs(lat) > 90)) return undefined;
  // What crosses the 180th meridian goes on beyond it.
  const wide = Math.max(...lngs) - Math.min(...lngs) > 180;
  const along = lngs.map((lng) => (wide && lng < 0 ? lng + 360 : lng));
  const box: Box = [Math.min(...along), Math.min(...lats), Math.max(...along), Math.max(...lats)];
  return box.map((degrees) => Math.round(degrees * 1e6) / 1e6) as Box;
}

/**
 * The error for coordinates without a reference system. It is never guessed: metres that fit one grid may fit another, and
 * degrees of NZGD49 are 200 m from those of WGS 84.
 * @returns `reference_system_missing` with its choices, or `axes_swapped`
 */
export async function questionOfSystem(
  db: Queryable,
  layer: string,
  positions: readonly Position[],
  area: Bounds,
): Promise<IngestError> {
  const choices = await referenceSystemChoices(db, positions, area);
  if (!choices.some(({ likely }) => likely)) {
    for (const system of plausibleSystems) {
      if ((await shareInside(db, system, swapped(positions), area)) >= 0.5) return axesSwapped(system);
    }
  }
  return new ReferenceSystemMissing(layer, positions, choices);
}

export function axesSwapped(system: ReferenceSystem): IngestError {
  return new IngestError(
    'axes_swapped',
    `The coordinates have their axes swapped: read as ${system.name} they lie far away, with x and y exchanged in the service area.`,
  );
}

const swapped = (positions: readonly Position[]) => positions.map(([x, y]): Position => [y, x]);

/** How many of the positions, 0 to 1, lie in the service area if they are in the reference system. */
async function shareInside(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
  { west, south, east, north }: Bounds,
): Promise<number> {
  if (positions.length === 0) return 0;
  const places = await toLngLat(db, system, positions);
  const inside = places.filter(
    (place) => place && place.lng >= west && place.lng <= east && place.lat >= south && place.lat <= north,
  );
  return inside.length / positions.length;
}

/** The positions in longitude (-180 to 180) and latitude; undefined for one that has no place on earth. */
export async function toLngLat(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
): Promise<({ lng: number; lat: number } | undefined)[]> {
  if (positions.length === 0) return [];
  const places = await transformed(db, system, positions, 'to WGS 84').catch(onDataError(undefined));
  if (places) {
    return places.map(([lng, lat]) =>
      Number.isFinite(lng) && Math.abs(lng) <= 360 && Math.abs(lat) <= 90
        ? { lng: wrappedLng(lng), lat }
        : undefined,
    );
  }
  if (positions.length === 1) return [undefined];
  const found: ({ lng: number; lat: number } | undefined)[] = [];
  for (const position of positions) found.push(...(await toLngLat(db, system, [position])));
  return found;
}

/** The same longitude between -180 and 180. */
export function wrappedLng(lng: number): number {
  return Math.abs(lng) <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180;
}
