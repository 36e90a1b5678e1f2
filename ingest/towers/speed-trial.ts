import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { windowSize } from '@covermap/coverage-files/raster/features.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { type ClassRows, classRows } from '@covermap/propagation/class-rows.ts';
import { classesAt, type Places } from '@covermap/propagation/classes-at.ts';
import type { SignalRows } from '@covermap/propagation/grid-file.ts';
import { gridAround } from '@covermap/propagation/prediction.ts';
import { defaultSmallest } from '@covermap/propagation/prediction-options.ts';
import { readSignal } from '@covermap/propagation/signal-raster.ts';
import { unitsPerDegree } from '../../addresses/address.ts';
import { comparePremises } from '../../coverage/premises/change.ts';
import type { StoredTier } from '../../coverage/premises/counted.ts';
import { readPremisesFile } from '../../coverage/premises/premises-list.ts';
import {
  addTo,
  count,
  type PremisesSet,
  setFor,
  union,
  unpacked,
} from '../../coverage/premises/premises-set.ts';
import type { TriedOffer, TriedPremises } from '../../coverage/submissions/trials.ts';
import { IngestError } from '../errors.ts';
import type { SpeedTrialWork } from '../messages.ts';
import { reportedOptions } from './parameters.ts';
import { openTowerBundle } from './tower-bundle.ts';
import { parseTowers } from './tower-file.ts';

/* What premises would have of modelled coverage with other speeds, before its areas are made anew. */

/** A trial is meant to take a second: more pixels take longer, and as much memory as 4 bytes each. */
const maxPixels = 64_000_000;

/** @throws IngestError `trial_too_large` */
export async function trySpeeds(work: SpeedTrialWork & { scratch: string }): Promise<TriedPremises> {
  const { list } = await openTowerBundle(work.file, work.scratch);
  const towers = await parseTowers(list, {}, work.serviceArea);
  const grid = gridAround(towers, reportedOptions(work.parameters));
  if (grid.width * grid.height > maxPixels) throw new IngestError('trial_too_large');
  return triedOn(await readSignal(work.signal, grid), work, work.serviceArea);
}

/**
 * The premises and the ground of each speed, exactly as loading the areas would find them: pixels are sieved as for areas, the edges of pixels belong to
 * both sides, and areas end with the service area.
 */
export function triedOn(signal: SignalRows, offer: TriedOffer, serviceArea: Bounds): TriedPremises {
  const { speeds, availability } = offer;
  const { length, numbers, places } = premisesWithin(offer.premises, serviceArea);
  const { classes, km2 } = classesAt(signal.grid, strips(signal, speeds), speeds.length, places);
  const sets = speeds.map(() => setFor(length));
  for (const [i, one] of classes.entries())
    if (one > 0) addTo(sets[one - 1] as PremisesSet, numbers[i] as number);
  const after = speeds.map(({ bandwidth_max_mbps: bandwidthMax }, i) => {
    return { availability, bandwidthMax, set: sets[i] as PremisesSet };
  });
  const [live, beside] = [setsOf(offer.live), setsOf(offer.beside)];
  const { changed } = comparePremises([...live, ...beside], [...after, ...beside]);
  return {
    speeds: speeds.map((speed, i) => ({
      ...speed,
      area_km2: Number((km2[i] as number).toFixed(3)),
      premises: count(sets[i] as PremisesSet),
    })),
    premises: count(union(...sets)),
    change: {
      gained: count(changed.gained),
      lost: count(changed.lost),
      faster: count(changed.faster),
      slower: count(changed.slower),
    },
  };
}

const setsOf = (tiers: readonly StoredTier[]) =>
  tiers.map(({ premises, ...tier }) => ({ ...tier, set: unpacked(premises) }));

function* strips(signal: SignalRows, speeds: TriedOffer['speeds']): Generator<ClassRows> {
  for (const strip of classRows(signal, speeds, defaultSmallest, windowSize)) {
    pulse();
    yield strip;
  }
}

/** The premises within an area, its border included. `length`: of a set of them. */
function premisesWithin(file: string, { west, south, east, north }: Bounds) {
  const { length, numbers, lngs, lats } = readPremisesFile(file);
  const found = { numbers: new Int32Array(numbers.length), count: 0 };
  const places: Places = { lngs: new Float64Array(numbers.length), lats: new Float64Array(numbers.length) };
  for (let i = 0; i < numbers.length; i++) {
    const lng = (lngs[i] as number) / unitsPerDegree;
    const lat = (lats[i] as number) / unitsPerDegree;
    if (lng < west || lng > east || lat < south || lat > north) continue;
    places.lngs[found.count] = lng;
    places.lats[found.count] = lat;
    found.numbers[found.count++] = numbers[i] as number;
  }
  return {
    length,
    numbers: found.numbers.subarray(0, found.count),
    places: { lngs: places.lngs.subarray(0, found.count), lats: places.lats.subarray(0, found.count) },
  };
}
