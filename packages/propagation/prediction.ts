import { closeSync } from 'node:fs';
import path from 'node:path';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { ClutterReport } from './clutter.ts';
import { closeGridFile, coveredKm2, createGridFile, type Grid, type GridFile, gridOf } from './grid-file.ts';
import { type GroundsAsked, gatherGrounds } from './grounds.ts';
import { readPatterns } from './patterns.ts';
import { boxAround } from './plane.ts';
import { predictSites } from './predict-sites.ts';
import { checkSize, checkTower } from './prediction-limits.ts';
import type { PredictionOptions } from './prediction-options.ts';
import { radialGrid } from './radials.ts';
import { type KeptSites, sitesOf } from './sites.ts';
import type { Terrain } from './terrain.ts';
import type { Tower } from './tower.ts';

/* Computes the strongest signal from towers and terrain, site by site. */

/** The strongest signal in the scratch folder, as rows of 32-bit numbers. */
export const signalFile = 'signal.raw';

export interface PredictionReport {
  /** By tower, as {@link coveredKm2} gives it. */
  covered: Float64Array;
  /** By tower: the share of its surroundings without terrain. */
  unknown: Float64Array;
  points: number;
  clutter: ClutterReport | undefined;
}

/**
 * Predicts the signal around towers, into a new grid file that the caller closes.
 * @param progress called with the share of points that are done, from 0 to 1
 * @param kept asked for each site before it is computed
 * @param asked to be told where each place serves
 * @throws PropagationError where a tower, a pattern or the terrain cannot be used; before the first site, if possible
 */
export async function predict(
  towers: readonly Tower[],
  terrain: Terrain,
  options: PredictionOptions,
  scratch: string,
  progress: (share: number) => void,
  kept?: KeptSites,
  asked?: GroundsAsked,
): Promise<{ file: GridFile; report: PredictionReport }> {
  const { range, step } = options;
  const radials = radialGrid(range, step);
  const sites = sitesOf(towers);
  checkSize(towers, sites, radials, options);
  for (const tower of towers) checkTower(tower, terrain, options);
  const patterns = await readPatterns(towers, options.patterns);
  const file = createGridFile(gridAround(towers, options), path.join(scratch, signalFile));
  let losses: number | undefined;
  try {
    if (asked && options.clutter)
      losses = await options.clutter.writeLosses(file.grid, options.receiverHeight, scratch, () =>
        progress(0),
      );
    const grounds = asked && gatherGrounds(file.grid, range, asked, losses);
    const work = {
      towers,
      sites,
      patterns,
      terrain,
      options,
      radials,
      file,
      scratch,
      progress,
      kept,
      grounds,
    };
    const unknown = await predictSites(work);
    // After all sites: kept sites do not depend on land cover, so they stay valid with another table of classes.
    const clutter = await options.clutter?.takeFrom(file, options.receiverHeight, scratch, () => progress(1));
    const covered = coveredKm2(file, towers.length);
    return { file, report: { covered, unknown, points: sites.length * radials.points, clutter } };
  } catch (error) {
    closeGridFile(file);
    throw error;
  } finally {
    if (losses !== undefined) closeSync(losses);
  }
}

/** The grid of a prediction: it depends on where the towers are, not on what they send. @throws PropagationError `prediction_too_large` */
export const gridAround = (
  towers: readonly Pick<Tower, 'lat' | 'lng'>[],
  { range, step }: Pick<PredictionOptions, 'range' | 'step'>,
): Grid => gridOf(boxOf(towers, range), step);

function boxOf(towers: readonly Pick<Tower, 'lat' | 'lng'>[], range: number): Bounds {
  return towers
    .map(({ lat, lng }) => boxAround(lat, lng, range))
    .reduce((a, b) => ({
      ...{ west: Math.min(a.west, b.west), east: Math.max(a.east, b.east) },
      ...{ south: Math.min(a.south, b.south), north: Math.max(a.north, b.north) },
    }));
}
