import type { Bounds } from '../core/config.ts';
import type { Database, Queryable } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import type { Box } from './geometry/polygon.ts';
import { findNode, parseWkt } from './wkt.ts';

/** A reference system as PostGIS can transform from it. */
export interface ReferenceSystem {
  /** What `ST_Transform` takes to transform from it: WKT, or `EPSG:<code>`. */
  definition: string;
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
  try {
    // A definition that PROJ cannot use shows itself here, on a point that every useful one reaches.
    await database.query(
      `select st_transform(st_transform(st_setsrid(st_makepoint($2, $3), 4326), $1::text), $1::text, 4326)`,
      [
        system.definition,
        (serviceArea.west + serviceArea.east) / 2,
        (serviceArea.south + serviceArea.north) / 2,
      ],
    );
  } catch (error) {
    if (isDataError(error)) throw unknown(definition);
    throw error;
  }
  return system;
}

/**
 * Looks at a definition before PROJ does. PROJ takes other texts too, file names among them; and what it throws at text
 * that is no definition, the embedded database bears badly.
 */
function describeWkt(definition: string): ReferenceSystem | undefined {
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

async function describeEpsg(db: Queryable, code: number): Promise<ReferenceSystem | undefined> {
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

/**
 * Whether what PostgreSQL said is about the data and not about the connection or the server: PostGIS reports what PROJ
 * and GEOS say as internal errors (XX000), a bad geometry as 22023; 57014 is work on the data that took too long.
 */
export function isDataError(error: unknown): boolean {
  return /^(XX000|22|57014)/.test((error as { code?: string }).code ?? '');
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
         st_transform(st_makepoint($1, $2), $3::text, 4326),
         st_makeenvelope($4, $5, $6, $7, 4326)) as inside`,
      [x, y, system.definition, area.west, area.south, area.east, area.north],
    );
    return rows[0]?.inside ?? false;
  } catch (error) {
    if (isDataError(error)) return false; // PROJ: no such place in this reference system
    throw error;
  }
}
