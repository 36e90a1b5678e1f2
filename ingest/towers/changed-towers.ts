import type { TowerChanges } from '../../coverage/submissions/modelling-parameters.ts';
import type { Tower } from '../../coverage/submissions/towers.ts';
import { IngestError } from '../errors.ts';

/** The towers of a list with changes to some. @throws IngestError `tower_unchangeable` */
export function changedTowers(towers: readonly Tower[], changes: TowerChanges = []): readonly Tower[] {
  if (changes.length === 0) return towers;
  const changed = [...towers];
  for (const { number, ...change } of changes) {
    const tower = changed[number - 1];
    if (!tower) throw new IngestError('tower_unchangeable', `The list has no tower ${number}.`);
    if (change.azimuth_deg !== undefined && tower.azimuth_deg === undefined)
      throw new IngestError('tower_unchangeable', `Tower ${number} radiates all round: it has no azimuth.`);
    const {
      azimuth_deg = tower.azimuth_deg,
      height_m = tower.height_m,
      power_dbm = tower.power_dbm,
    } = change;
    changed[number - 1] = {
      ...tower,
      azimuth_deg: azimuth_deg === 360 ? 0 : azimuth_deg,
      height_m,
      power_dbm,
    };
  }
  return changed;
}
