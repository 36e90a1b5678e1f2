import type { Bounds } from '../core/config.ts';
import { isDataError } from '../core/database/data-error.ts';
import type { Database, Queryable } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import { findNode, parseWkt } from './wkt.ts';

/** A reference system as PostGIS can transform from it. */
export interface ReferenceSystem {
  /** What `ST_Transform` takes to transform from it: WKT, or `EPSG:<code>`. */
  definition: string;
  /** Whether its coordinates are lengths and not degrees. */
  projected: boolean;
  /** Whether its coordinates are longitude and latitude in WGS 84 as they stand: there is nothing to transform. */
  wgs84: boolean;
  /** What people call it. */
  name: string;
}

const geographicKeywords = [
  'GEOGCS',
  'GEOGCRS',
  'GEODCRS',
  'GEODETICCRS',
  'GEOGRAPHICCRS',
  'BASEGEOGCRS',
  'BASEGEODCRS',
];
const projectedKeywords = ['PROJCS', 'PROJCRS', 'PROJECTEDCRS'];
/** Systems that hold one of the others. */
const outerKeywords = ['COMPD_CS', 'COMPOUNDCRS', 'BOUNDCRS'];
const longestDefinition = 65_536;
/** A tenth of a thousandth of a millimetre, in degrees. */
const sameDegrees = 1e-12;

/**
 * Finds out what a definition means, and that PostGIS can use it.
 * @param definition WKT of any dialect that PROJ reads, the one in Esri's `.prj` files included, or `EPSG:<code>`
 * @throws IngestError `reference_system_unknown`
 */
export async function resolveReferenceSystem(
  database: Database,
  definition: string,
  serviceArea: Bounds,
): Promise<ReferenceSystem> {
  const code = /^EPSG:(\d{4,6})$/i.exec(definition)?.[1];
  const system = code === undefined ? describeWkt(definition) : await describeEpsg(database, Number(code));
  if (!system) throw unknown(definition);
  const { west, south, east, north } = serviceArea;
  try {
    // A definition that PROJ cannot use shows itself here, on points that every useful one reaches.
    const { rows } = await database.query<{ same: boolean }>(
      `select bool_and(abs(st_x(there.geom) - x) < ${sameDegrees} and abs(st_y(there.geom) - y) < ${sameDegrees}) as same
       from (values ($2::float8, $3::float8), ($4, $5), (($2 + $4) / 2, ($3 + $5) / 2)) as position (x, y)
       cross join lateral (
         select st_transform(st_setsrid(st_makepoint(x, y), 4326), $1::text) as geom
       ) as there
       where st_transform(there.geom, $1::text, 4326) is not null`,
      [system.definition, west, south, east, north],
    );
    return { ...system, wgs84: !system.projected && rows[0]?.same === true };
  } catch (error) {
    if (isDataError(error)) throw unknown(definition);
    throw error;
  }
}

/**
 * Looks at a definition before PROJ does. PROJ takes other texts too, file names among them; and what it throws at text
 * that is no definition, the embedded database bears badly.
 */
function describeWkt(definition: string): Omit<ReferenceSystem, 'wgs84'> | undefined {
  if (definition.length > longestDefinition || definition.includes('\0')) return undefined;
  const root = parseWkt(definition);
  if (!root || ![...geographicKeywords, ...projectedKeywords, ...outerKeywords].includes(root.keyword))
    return undefined;
  const ellipsoid = findNode(root, 'SPHEROID', 'ELLIPSOID');
  const [, axis, flattening] = ellipsoid?.items ?? [];
  // An inverse flattening of 0 is a sphere; between 0 and 1 it would be no ellipsoid at all.
  if (
    typeof axis !== 'number' ||
    typeof flattening !== 'number' ||
    !(axis > 0) ||
    !(flattening === 0 || flattening > 1)
  ) {
    return undefined;
  }
  const projected = findNode(root, ...projectedKeywords);
  if (projected && !findNode(projected, 'PROJECTION', 'CONVERSION')) return undefined;
  if (!findNode(root, ...geographicKeywords)) return undefined;
  const [name] = root.items;
  return {
    definition,
    name: typeof name === 'string' && name !== '' ? name : 'unnamed',
    projected: projected !== undefined,
  };
}

async function describeEpsg(
  db: Queryable,
  code: number,
): Promise<Omit<ReferenceSystem, 'wgs84'> | undefined> {
  const { rows } = await db.query<{ projected: boolean; name: string | null }>(
    `select srtext like 'PROJCS%' as projected, substring(srtext from '"([^"]*)"') as name
     from spatial_ref_sys where auth_name = 'EPSG' and auth_srid = $1`,
    [code],
  );
  const row = rows[0];
  return row && { definition: `EPSG:${code}`, projected: row.projected, name: row.name ?? `EPSG:${code}` };
}

function unknown(definition: string): IngestError {
  const shown = definition.length > 80 ? `${definition.slice(0, 80)}...` : definition;
  return new IngestError(
    'reference_system_unknown',
    `The reference system is not one that can be used: ${shown}`,
    'Export the layer in NZTM2000 (EPSG:2193) or WGS 84 (EPSG:4326), and include the .prj file that comes with it.',
  );
}

export type Placement = 'inside' | 'swapped' | 'outside';

/** x and y */
export type Position = [x: number, y: number];

/**
 * Where positions of a layer lie: some in the service area, or none of them but half once x and y change places, or
 * elsewhere.
 */
export async function placementOf(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
  area: Bounds,
): Promise<Placement> {
  if ((await shareInside(db, system.definition, positions, area)) > 0) return 'inside';
  return (await shareInside(db, system.definition, swapped(positions), area)) >= 0.5 ? 'swapped' : 'outside';
}

/** What a layer's coordinates may be in where nobody says so. */
const plausibleSystems = [
  { definition: 'EPSG:2193', name: 'NZTM2000' },
  { definition: 'EPSG:27200', name: 'NZMG' },
];

/**
 * Judges coordinates that come without a reference system. Only degrees are taken for what they look like: metres that
 * fit one grid may fit another, and a wrong guess is a wrong answer somewhere.
 * @returns longitude and latitude, where at least half of the positions lie in the service area then
 * @throws IngestError `axes_swapped`, `reference_system_missing`
 */
export async function assumeReferenceSystem(
  db: Queryable,
  layer: string,
  positions: readonly Position[],
  area: Bounds,
): Promise<ReferenceSystem> {
  const degrees: ReferenceSystem = {
    definition: 'EPSG:4326',
    projected: false,
    wgs84: true,
    name: 'WGS 84',
  };
  if ((await shareInside(db, degrees.definition, positions, area)) >= 0.5) return degrees;
  if ((await shareInside(db, degrees.definition, swapped(positions), area)) >= 0.5)
    throw axesSwapped(degrees);
  const says = `The layer ${layer} does not say which reference system its coordinates are in`;
  for (const { definition, name } of plausibleSystems) {
    if ((await shareInside(db, definition, positions, area)) >= 0.5) {
      throw new IngestError(
        'reference_system_missing',
        `${says}. They look like ${name}.`,
        `If they are, say so with "crs": "${definition}" in the manifest, or include the file that says it (.prj for a shapefile).`,
      );
    }
    if ((await shareInside(db, definition, swapped(positions), area)) >= 0.5) {
      throw new IngestError(
        'axes_swapped',
        `${says}. They look like ${name} with northing and easting exchanged.`,
        `Export the layer again with x (easting) first and y (northing) second, and with its reference system, "crs": "${definition}" if it is ${name}.`,
      );
    }
  }
  const [x, y] = positions[0] ?? [];
  throw new IngestError(
    'reference_system_missing',
    `${says}, and ${x === undefined ? 'they fit' : `such as ${x}, ${y} they fit`} none that is likely.`,
    'Include the file that says it (.prj for a shapefile), or name the reference system in the manifest, as in "crs": "EPSG:2193" for NZTM2000.',
  );
}

export function axesSwapped(system: ReferenceSystem): IngestError {
  return new IngestError(
    'axes_swapped',
    `The coordinates have their axes swapped: read as ${system.name} they lie far away, with x and y exchanged in the service area.`,
    'Export the layer again with x (longitude or easting) first and y (latitude or northing) second.',
  );
}

const swapped = (positions: readonly Position[]) => positions.map(([x, y]): Position => [y, x]);

/** How many of the positions, 0 to 1, lie in the service area if they are in the reference system. */
async function shareInside(
  db: Queryable,
  definition: string,
  positions: readonly Position[],
  area: Bounds,
): Promise<number> {
  if (positions.length === 0) return 0;
  try {
    const { rows } = await db.query<{ inside: number }>(
      // One collection, as the definition is parsed for each geometry.
      `select count(*) filter (where st_intersects(part.geom, st_makeenvelope($4, $5, $6, $7, 4326)))::integer as inside
       from (
         select st_transform(st_collect(st_makepoint(x, y)), $3::text, 4326) as geom
         from unnest($1::float8[], $2::float8[]) as position (x, y)
       ) as placed cross join lateral st_dump(placed.geom) as part`,
      [
        positions.map(([x]) => x),
        positions.map(([, y]) => y),
        definition,
        area.west,
        area.south,
        area.east,
        area.north,
      ],
    );
    return (rows[0]?.inside ?? 0) / positions.length;
  } catch (error) {
    if (!isDataError(error)) throw error;
    // PROJ: there is no such place in this reference system. The others may be somewhere.
    if (positions.length === 1) return 0;
    let sum = 0;
    for (const position of positions) sum += await shareInside(db, definition, [position], area);
    return sum / positions.length;
  }
}

/** The positions in longitude and latitude; undefined for one that has no place on earth. */
export async function toLngLat(
  db: Queryable,
  system: ReferenceSystem,
  positions: readonly Position[],
): Promise<({ lng: number; lat: number } | undefined)[]> {
  if (positions.length === 0) return [];
  try {
    const { rows } = await db.query<{ lng: number; lat: number }>(
      `select st_x(part.geom) as lng, st_y(part.geom) as lat
       from (
         select st_transform(st_collect(st_makepoint(x, y) order by number), $3::text, 4326) as geom
         from unnest($1::float8[], $2::float8[]) with ordinality as position (x, y, number)
       ) as placed cross join lateral st_dump(placed.geom) as part
       order by part.path`,
      [positions.map(([x]) => x), positions.map(([, y]) => y), system.definition],
    );
    return rows.map(({ lng, lat }) =>
      Number.isFinite(lng) && Number.isFinite(lat) ? { lng, lat } : undefined,
    );
  } catch (error) {
    if (!isDataError(error)) throw error;
    if (positions.length === 1) return [undefined];
    const found: ({ lng: number; lat: number } | undefined)[] = [];
    for (const position of positions) found.push(...(await toLngLat(db, system, [position])));
    return found;
  }
}
