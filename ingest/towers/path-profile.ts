import { openClutter } from '@covermap/propagation/clutter.ts';
import { profileTo } from '@covermap/propagation/path-profile.ts';
import { rasterFolder } from '@covermap/propagation/raster-folder.ts';
import { terrainOf } from '@covermap/propagation/terrain.ts';
import type { PathProfile } from '../../coverage/submissions/path-profile.ts';
import { IngestError } from '../errors.ts';
import type { ProfileWork } from '../messages.ts';
import { changedTowers } from './changed-towers.ts';
import { reportedOptions } from './parameters.ts';
import { openTowerBundle } from './tower-bundle.ts';
import { parseTowers } from './tower-file.ts';

/** The profile and the loss from a tower to a place, as in the prediction. @throws IngestError `profile_unavailable` */
export async function pathProfile(work: ProfileWork & { scratch: string }): Promise<PathProfile> {
  const options = reportedOptions(work.parameters);
  const { list, patterns } = await openTowerBundle(work.file, work.scratch);
  const listed = await parseTowers(list, {}, work.serviceArea);
  const tower = changedTowers(listed, work.changes)[work.tower - 1];
  if (!tower) throw new IngestError('profile_unavailable', `The list has no tower ${work.tower}.`);
  const profile = await profileTo(tower, work, options, {
    terrain: terrainOf(rasterFolder(work.terrain.folder), work.terrain.models),
    // Not for a place out of range.
    openClutter: async () =>
      work.clutter === undefined ? undefined : openClutter(rasterFolder(work.clutter)),
    ...{ patterns, scratch: work.scratch },
  });
  if (!profile) {
    const of = tower.name ?? `tower ${work.tower}`;
    const message = `${of} was modelled from ${options.step} m to ${options.range / 1000} km around it.`;
    throw new IngestError('profile_unavailable', message);
  }
  const { clutter, lossDb, receivedDbm } = profile;
  return {
    tower: work.tower,
    name: tower.name ?? null,
    distance_m: rounded(profile.distanceM),
    ground_m: profile.groundM.map(rounded),
    antenna_m: tower.height_m,
    receiver_m: options.receiverHeight,
    curvature_per_m: profile.curvaturePerM,
    wavelength_m: profile.wavelengthM,
    in_sight: profile.isInSight,
    loss_db: lossDb === undefined ? null : rounded(lossDb),
    free_space_db: rounded(profile.freeSpaceDb),
    clutter: clutter ? { name: clutter.name, loss_db: rounded(clutter.lossDb) } : null,
    received_dbm: receivedDbm === undefined ? null : rounded(receivedDbm),
  };
}

const rounded = (value: number) => Number(value.toFixed(1));
