import { antennaOf } from './antenna.ts';
import type { Clutter } from './clutter.ts';
import { PointToPoint } from './itm/itm.ts';
import { readPatterns } from './patterns.ts';
import { Plane } from './plane.ts';
import type { PredictionOptions } from './prediction-options.ts';
import { elevationTo, sampleProfile } from './radials.ts';
import { modelParameters } from './sites.ts';
import type { Terrain } from './terrain.ts';
import type { Tower } from './tower.ts';

/** The most steps of the drawn profile. */
const maxShown = 500;
const speedOfLight = 299_792_458;

/** The ground from a tower to a place, and the loss along it. */
export interface TerrainProfile {
  distanceM: number;
  /** In even steps from the tower to the place, both included. */
  groundM: number[];
  /** Of the earth, as radio waves bend: the height of the bulge between points is half of it, times the distances to both. */
  curvaturePerM: number;
  wavelengthM: number;
  isInSight: boolean;
  /** Undefined where the ground is not known. */
  lossDb: number | undefined;
  freeSpaceDb: number;
  /** The land cover around the place. */
  clutter: { name: string | null; lossDb: number } | undefined;
  receivedDbm: number | undefined;
}

/**
 * The profile from a tower to a place, as a prediction of these options computes it.
 * @param place `patterns`: a folder with those that towers name; `scratch`: a folder for intermediate files
 * @returns undefined for a place that the prediction leaves out: nearer than a step, or out of range
 */
export async function profileTo(
  tower: Tower,
  { lat, lng }: { lat: number; lng: number },
  options: Omit<PredictionOptions, 'threads' | 'threadFile' | 'patterns' | 'clutter'>,
  ground: {
    terrain: Terrain;
    openClutter: () => Promise<Clutter | undefined>;
    patterns: string;
    scratch: string;
  },
): Promise<TerrainProfile | undefined> {
  const { range, step } = options;
  const plane = new Plane(tower.lat, tower.lng, Float64Array.of(lng));
  plane.beginRow(lat);
  if (!plane.measure(0, range) || plane.distance < step) return undefined;
  const points = Math.max(2, Math.round(plane.distance / step));
  const stepM = plane.distance / points;
  const around = await ground.terrain.ground(tower.lat, tower.lng, plane.distance, stepM, ground.scratch);
  const heights = new Float64Array(points + 1);
  sampleProfile(around.heights, around.side, plane.azimuth, points, heights);
  const model = new PointToPoint(modelParameters(tower, options));
  const loss = model.loss(heights, points, stepM);
  const patterns = await readPatterns([tower], ground.patterns);
  const antenna = antennaOf(tower, patterns.get(tower.antenna?.pattern ?? ''));
  const radiated =
    antenna.eirp -
    antenna.towards((plane.azimuth * 180) / Math.PI)(elevationTo(model, heights, points, stepM));
  const clutter = await (await ground.openClutter())?.at(
    lat,
    lng,
    step,
    options.receiverHeight,
    ground.scratch,
  );
  const shown = Math.min(points, maxShown);
  const isKnown = !Number.isNaN(loss);
  return {
    distanceM: plane.distance,
    groundM: Array.from({ length: shown + 1 }, (_, i) => heights[Math.round((i * points) / shown)] as number),
    curvaturePerM: model.path.curvature,
    wavelengthM: speedOfLight / (tower.frequency_mhz * 1e6),
    isInSight: isInSight(model, heights, points, stepM),
    lossDb: isKnown ? loss : undefined,
    freeSpaceDb: model.freeSpaceLoss,
    clutter,
    receivedDbm: isKnown ? radiated - loss + options.receiverGain - (clutter?.lossDb ?? 0) : undefined,
  };
}

function isInSight({ link, path }: PointToPoint, heights: Float64Array, last: number, step: number): boolean {
  const from = (heights[0] as number) + link.heights[0];
  const to = (heights[last] as number) + link.heights[1];
  const distance = last * step;
  for (let i = 1; i < last; i++) {
    const bulge = (path.curvature / 2) * (i * step) * (distance - i * step);
    if ((heights[i] as number) + bulge > from + (to - from) * (i / last)) return false;
  }
  return true;
}
