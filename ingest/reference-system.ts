import type { Bounds } from '../core/config.ts';
import type { Database, Queryable } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import type { Box } from './geometry/polygon.ts';
import { findNode, parseWkt } from './wkt.ts';

/** A reference system as PostGIS can transform from it. */
export interface ReferenceSystem {
  /** The entry of spatial_ref_sys. */
  srid: number;
  /** Whether its coordinates are lengths and not degrees. */
  projected: boolean;
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

/**
 * Finds or registers the reference system of a definition.
 * @param definition WKT of any dialect that PROJ reads, the one in Esri's `.prj` files included, or `EPSG:<code>`
 * @throws IngestError `reference_system_unknown`
 */
export async function resolveReferenceSystem(
  database: Database,
  definition: string,
  serviceArea: Bounds,
): Promise<ReferenceSystem> {
  const code = /^EPSG:(\d{4,6})$/i.exec(definition)?.[1];
  if (code !== undefined) return epsg(database, Number(code));
  const wkt = describeWkt(definition);
  if (!wkt) throw unknown(definition);
  const { name, projected } = wkt;
  const registered = await findRegistered(database, definition);
  if (registered) return { ...registered, name };
  return database.transaction(async (connection) => {
    // Two files of the same reference system may come at once.
    await connection.query(`select pg_advisory_xact_lock(hashtextextended('reference system', 0))`);
    const existing = await findRegistered(connection, definition);
    if (existing) return { ...existing, name };
    const { rows } = await connection.query<{ srid: number; projected: boolean }>(
      'insert into reference_system (definition, projected) values ($1, $2) returning srid, projected',
      [definition, projected],
    );
    const row = rows[0] as { srid: number; projected: boolean };
    await connection.query('insert into spatial_ref_sys (srid, srtext) values ($1, $2)', [
      row.srid,
      definition,
    ]);
    try {
      // A definition that PROJ cannot use shows itself here, on a point that every useful one reaches.
      await connection.query('select st_transform(st_setsrid(st_makepoint($2, $3), 4326), $1::integer)', [
        row.srid,
        (serviceArea.west + serviceArea.east) / 2,
        (serviceArea.south + serviceArea.north) / 2,
      ]);
    } catch (error) {
      if (isDataError(error)) throw unknown(definition);
      throw error;
    }
    return { ...row, name };
  });
}

/**
 * Looks at a definition before PROJ does. PROJ takes other texts too, file names among them; and what it throws at text
 * that is no definition, the embedded database bears badly.
 */
function describeWkt(definition: string): { name: string; projected: boolean } | undefined {
  if (definition.length > longestDefinition) return undefined;
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
    name: typeof name === 'string' && name !== '' ? name : 'unnamed',
    projected: projected !== undefined,
  };
}

async function findRegistered(
  db: Queryable,
  definition: string,
): Promise<{ srid: number; projected: boolean } | undefined> {
  const { rows } = await db.query<{ srid: number; projected: boolean }>(
    'select srid, projected from reference_system where md5(definition) = md5($1) and definition = $1',
    [definition],
  );
  return rows[0];
}

async function epsg(db: Queryable, code: number): Promise<ReferenceSystem> {
  const { rows } = await db.query<{ srid: number; projected: boolean; name: string | null }>(
    `select srid, srtext like 'PROJCS%' as projected, substring(srtext from '"([^"]*)"') as name
     from spatial_ref_sys where auth_name = 'EPSG' and auth_srid = $1`,
    [code],
  );
  const row = rows[0];
  if (!row) throw unknown(`EPSG:${code}`);
  return { ...row, name: row.name ?? `EPSG:${code}` };
}

function unknown(definition: string): IngestError {
  const shown = definition.length > 80 ? `${definition.slice(0, 80)}...` : definition;
  return new IngestError(
    'reference_system_unknown',
    `The reference system is not one that can be used: ${shown}`,
    'Export the layer in NZTM2000 (EPSG:2193) or WGS 84 (EPSG:4326), and include the .prj file that comes with it.',
  );
}

/**
 * Whether what PostgreSQL said is about the data and not about the connection or the server: PostGIS reports what PROJ
 * and GEOS say as internal errors (XX000), a bad geometry as 22023.
 */
export function isDataError(error: unknown): boolean {
  return /^(XX000|22)/.test((error as { code?: string }).code ?? '');
}

export type Placement = 'inside' | 'swapped' | 'outside';

/**
 * Where coordinates of a layer lie, tried at nine points of their box: in the service area, in it once x and y change
 * places, or elsewhere.
 */
export async function placementOf(
  db: Queryable,
  system: ReferenceSystem,
  [xmin, ymin, xmax, ymax]: Box,
  area: Bounds,
): Promise<Placement> {
  const steps = [0.5, 0, 1];
  const points = steps.flatMap((i) =>
    steps.map((j): [number, number] => [xmin + (xmax - xmin) * i, ymin + (ymax - ymin) * j]),
  );
  for (const [x, y] of points) if (await isInside(db, system, x, y, area)) return 'inside';
  for (const [x, y] of points) if (await isInside(db, system, y, x, area)) return 'swapped';
  return 'outside';
}

async function isInside(
  db: Queryable,
  system: ReferenceSystem,
  x: number,
  y: number,
  area: Bounds,
): Promise<boolean> {
  try {
    const { rows } = await db.query<{ inside: boolean }>(
      `select st_intersects(
         st_transform(st_setsrid(st_makepoint($1, $2), $3::integer), 4326),
         st_makeenvelope($4, $5, $6, $7, 4326)) as inside`,
      [x, y, system.srid, area.west, area.south, area.east, area.north],
    );
    return rows[0]?.inside ?? false;
  } catch (error) {
    if (isDataError(error)) return false; // PROJ: no such place in this reference system
    throw error;
  }
}
