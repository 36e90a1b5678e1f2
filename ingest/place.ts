import type { Bounds } from '../core/config.ts';
import { CopyWriter } from '../core/database/copy.ts';
import { onDataError } from '../core/database/data-error.ts';
import type { Connection, Database } from '../core/database/database.ts';
import { byPatches } from './geometry/patches.ts';
import type { Box } from './geometry/polygon.ts';
import { fromTransverseMercator, type TransverseMercator } from './geometry/transverse-mercator.ts';
import { describe } from './known-systems.ts';
import { BatchOutcome, type RawBatch } from './normalise.ts';
import type { Placing } from './placing.ts';
import { definitionOf, type Position, type ReferenceSystem, transformed } from './reference-system.ts';
import { parseWkt } from './wkt.ts';

/** Far more than half a megabyte takes. */
const copyTimeoutMs = 120_000;

/** Features that the reader has placed, each with the tier that it gets. */
export interface PlacedBatch extends Omit<RawBatch, 'repaired'> {
  /** By feature. */
  areasM2: Float64Array;
  box: Box;
}

/** Copies the features of a batch into `coverage` as they are. */
export async function copyPlaced(
  connection: Connection,
  { wkb, offsets, tierIds, areasM2, box }: PlacedBatch,
  signal: AbortSignal,
): Promise<BatchOutcome> {
  const copy = new CopyWriter(tierIds.length, 2, tierIds.length * 4 + wkb.length);
  const outcome = new BatchOutcome();
  const shapes = new Map<number, Uint8Array[]>();
  for (const [i, tier] of tierIds.entries()) {
    const shape = wkb.subarray(offsets[i], offsets[i + 1]);
    copy.row();
    copy.integer(tier);
    copy.bytes(shape);
    const ofTier = shapes.get(tier) ?? [];
    ofTier.push(shape);
    shapes.set(tier, ofTier);
    const sum = outcome.tiers.get(tier) ?? { rows: 0, areaM2: 0 };
    outcome.tiers.set(tier, { rows: sum.rows + 1, areaM2: sum.areaM2 + (areasM2[i] as number) });
  }
  await connection.copyFrom('coverage (tier_id, geom)', [copy.finish()], {
    timeoutMs: copyTimeoutMs,
    signal,
  });
  outcome.loaded = outcome.rows = tierIds.length;
  outcome.box = box;
  outcome.shapes = [...shapes].map(([tier, wkb]) => ({ tier, wkb }));
  return outcome;
}

/** Places by row and column on which PostGIS and the formulas here have to agree. */
const gridSide = 16;
/** A tenth of a millimetre, in degrees. */
const sameDegrees = 1e-9;

/**
 * How the reader may bring a layer's coordinates to degrees.
 * @returns undefined where only PostGIS can: for other projections than transverse Mercator, and where a datum's shift or
 *   anything else makes a difference of more than {@link sameDegrees} in the service area
 */
export async function placingOf(
  database: Database,
  system: ReferenceSystem,
  serviceArea: Bounds,
): Promise<Placing | undefined> {
  if (system.wgs84) return { projection: undefined, serviceArea };
  const projection = transverseMercator(await definitionOf(database, system));
  if (!projection) return undefined;
  const { west, south, east, north } = serviceArea;
  const steps = Array.from({ length: gridSide }, (_, i) => i / (gridSide - 1));
  const places = steps.flatMap((x) =>
    steps.map((y): Position => [west + x * (east - west), south + y * (north - south)]),
  );
  const there = await transformed(database, system, places, 'from WGS 84').catch(onDataError(undefined));
  if (!there) return undefined;
  const positions = Float64Array.from(there.flat());
  byPatches(fromTransverseMercator(projection))(positions);
  const agrees = places.flat().every((value, i) => Math.abs(value - (positions[i] as number)) < sameDegrees);
  return agrees ? { projection, serviceArea } : undefined;
}

function transverseMercator(definition: string): TransverseMercator | undefined {
  const root = parseWkt(definition);
  const described = root && describe(root);
  if (described?.method !== 'transversemercator' || described.unit !== 1) return undefined;
  const { axis, flattening, parameters } = described;
  return {
    axis,
    inverseFlattening: flattening,
    lat0: parameters.get('lat0') ?? 0,
    lng0: parameters.get('lng0') ?? 0,
    scale: parameters.get('scale') ?? 1,
    easting: parameters.get('easting') ?? 0,
    northing: parameters.get('northing') ?? 0,
  };
}
