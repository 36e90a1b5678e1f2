import type { PathProfile } from '../../core/coverage/submissions/path-profile.ts';
import { antennaOf } from '../../propagation/antenna.ts';
import { openClutter } from '../../propagation/clutter.ts';
import { PointToPoint } from '../../propagation/itm/itm.ts';
import { readPatterns } from '../../propagation/patterns.ts';
import { Plane } from '../../propagation/plane.ts';
import { elevationTo, sampleProfile } from '../../propagation/radials.ts';
import { modelParameters } from '../../propagation/sites.ts';
import { terrainOf } from '../../propagation/terrain.ts';
import { IngestError } from '../errors.ts';
import type { ProfileWork } from '../messages.ts';
import { parseTowers } from '../tower-file.ts';
import { reportedOptions } from './parameters.ts';
import { rasterFolder } from './raster-folder.ts';
import { openTowerBundle } from './tower-bundle.ts';

/** The most steps of the drawn profile. */
const maxShown = 500;
const speedOfLight = 299_792_458;

/** The profile and the loss from a tower to a place, as in the prediction. @throws IngestError `profile_unavailable` */
export async function pathProfile(work: ProfileWork & { scratch: string }): Promise<PathProfile> {
  const options = reportedOptions(work.parameters);
  const { range, step } = options;
  const { list, patterns: folder } = await openTowerBundle(work.file, work.scratch);
  const tower = (await parseTowers(list, {}, work.serviceArea))[work.tower - 1];
  if (!tower) throw new IngestError('profile_unavailable', `The list has no tower ${work.tower}.`);
  const of = tower.name ?? `tower ${work.tower}`;
  const plane = new Plane(tower.lat, tower.lng, Float64Array.of(work.lng));
  plane.beginRow(work.lat);
  if (!plane.measure(0, range) || plane.distance < step) {
    const message = `${of} was modelled from ${step} m to ${range / 1000} km around it.`;
    throw new IngestError('profile_unavailable', message);
  }
  const points = Math.max(2, Math.round(plane.distance / step));
  const own = plane.distance / points;
  const ground = await terrainOf(rasterFolder(work.terrain.folder), work.terrain.models).ground(
    tower.lat,
    tower.lng,
    plane.distance,
    own,
    work.scratch,
  );
  const heights = new Float64Array(points + 1);
  sampleProfile(ground.heights, ground.side, plane.azimuth, points, heights);
  const model = new PointToPoint(modelParameters(tower, options));
  const loss = model.loss(heights, points, own);
  const patterns = await readPatterns([tower], folder);
  const antenna = antennaOf(tower, patterns.get(tower.antenna?.pattern ?? ''));
  const radiated =
    antenna.eirp - antenna.towards((plane.azimuth * 180) / Math.PI)(elevationTo(model, heights, points, own));
  const clutter = work.clutter === undefined ? undefined : await openClutter(rasterFolder(work.clutter));
  const around = await clutter?.at(work.lat, work.lng, step, options.receiverHeight, work.scratch);
  const shown = Math.min(points, maxShown);
  return {
    tower: work.tower,
    name: tower.name ?? null,
    distance_m: rounded(plane.distance, 1),
    ground_m: Array.from({ length: shown + 1 }, (_, i) =>
      rounded(heights[Math.round((i * points) / shown)] as number, 1),
    ),
    antenna_m: tower.height_m,
    receiver_m: options.receiverHeight,
    curvature_per_m: model.path.curvature,
    wavelength_m: speedOfLight / (tower.frequency_mhz * 1e6),
    in_sight: isInSight(model, heights, points, own),
    loss_db: Number.isNaN(loss) ? null : rounded(loss, 1),
    free_space_db: rounded(model.freeSpaceLoss, 1),
    clutter: around ? { name: around.name, loss_db: rounded(around.lossDb, 1) } : null,
    received_dbm: Number.isNaN(loss)
      ? null
      : rounded(radiated - loss + options.receiverGain - (around?.lossDb ?? 0), 1),
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

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
