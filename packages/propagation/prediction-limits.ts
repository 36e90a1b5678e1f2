import { PropagationError } from './errors.ts';
import { checkParameters } from './itm/itm.ts';
import type { PredictionOptions } from './prediction-options.ts';
import type { RadialGrid } from './radials.ts';
import { modelParameters, nameOfTower, type Site } from './sites.ts';
import type { Terrain } from './terrain.ts';
import type { Tower } from './tower.ts';

/* Limits that are checked before the first site is computed. */

/** A site's ground, and two numbers for each point, stay in memory. */
const maxSitePoints = 16_000_000;
/** The points of all sites: some hours on two processors. */
const maxPoints = 10_000_000_000;
/** Reading a site's ground and drawing its pixels take as long as this many points. */
const overheadPoints = 200_000;
const maxSiteAntennas = 1000;

/** @param range and `step`: in metres @throws PropagationError `prediction_too_large` */
export function checkSize(
  towers: readonly Tower[],
  sites: readonly Site[],
  radials: RadialGrid,
  { range, step }: { range: number; step: number },
): void {
  if (radials.points > maxSitePoints) {
    const message = `A range of ${range / 1000} km in steps of ${step} m has more than ${maxSitePoints} points for each tower.`;
    throw new PropagationError('prediction_too_large', message);
  }
  const maxTowers = Math.floor(maxPoints / (radials.points + overheadPoints));
  if (towers.length > maxTowers) {
    throw new PropagationError(
      'prediction_too_large',
      `${towers.length} towers are too many for one prediction; the limit is ${maxTowers} with this range and resolution.`,
      'Split the list, or take a shorter range or a coarser resolution.',
    );
  }
  const crowd = sites.find((site) => site.length > maxSiteAntennas);
  if (crowd) {
    const { lat, lng } = towers[crowd[0] as number] as Tower;
    const message = `${crowd.length} towers are at one place (${lat}, ${lng}) with one height, frequency and polarisation; the limit is ${maxSiteAntennas}.`;
    throw new PropagationError('prediction_too_large', message);
  }
}

/** @throws PropagationError `propagation_parameters_invalid`, `terrain_missing` */
export function checkTower(tower: Tower, terrain: Terrain, options: PredictionOptions): void {
  const name = nameOfTower(tower);
  checkParameters(modelParameters(tower, options), `The tower ${name}: the`);
  if (terrain.resolutionAround(tower.lat, tower.lng, options.range) === undefined)
    throw new PropagationError('terrain_missing', `No elevation model covers the tower ${name}.`);
}
