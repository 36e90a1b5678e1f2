import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { windowSize } from '@covermap/coverage-files/raster/features.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { eachCovered, pointGrid } from '@covermap/geometry/point-grid.ts';
import { boxOf, type Polygon } from '@covermap/geometry/polygon.ts';
import { type ClassRows, classRows } from '@covermap/propagation/class-rows.ts';
import { classesAt } from '@covermap/propagation/classes-at.ts';
import type { Grid, SignalRows } from '@covermap/propagation/grid-file.ts';
import { gridAround } from '@covermap/propagation/prediction.ts';
import { defaultSmallest } from '@covermap/propagation/prediction-options.ts';
import { readSignal } from '@covermap/propagation/signal-raster.ts';
import { unitsPerDegree } from '../../addresses/address.ts';
import { comparePremises } from '../../coverage/premises/change.ts';
import type { StoredTier } from '../../coverage/premises/counted.ts';
import { bandHeight, readPremisesFile } from '../../coverage/premises/premises-list.ts';
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
  const { length, numbers, places } = premisesWithin(offer, overlap(serviceArea, boundsOf(signal.grid)));
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

const boundsOf = ({ west, north, dLng, dLat, width, height }: Grid): Bounds => ({
  ...{ west, north, east: west + width * dLng, south: north - height * dLat },
});

const overlap = (a: Bounds, b: Bounds): Bounds => ({
  ...{ west: Math.max(a.west, b.west), east: Math.min(a.east, b.east) },
  ...{ south: Math.max(a.south, b.south), north: Math.min(a.north, b.north) },
});

/** The premises within an area, its border included, that no exclusion has within it. `length`: of a set of them. */
function premisesWithin({ premises, excluded }: TriedOffer, { west, south, east, north }: Bounds) {
  const { length, numbers, lngs, lats } = readPremisesFile(premises);
  const isExcluded = new Uint8Array(numbers.length);
  const grid = pointGrid(lngs, lats, unitsPerDegree, bandHeight);
  for (const polygon of excluded)
    eachCovered(grid, polygon, boxOf([polygon]), (from, to) => {
      for (let i = from; i < to; i++) {
        // What is left of an area has the border.
        if (!isOnEdge(polygon, (lngs[i] as number) / unitsPerDegree, (lats[i] as number) / unitsPerDegree))
          isExcluded[i] = 1;
      }
    });
  const within = new Int32Array(numbers.length);
  let count = 0;
  for (let i = 0; i < numbers.length; i++) {
    const lng = (lngs[i] as number) / unitsPerDegree;
    const lat = (lats[i] as number) / unitsPerDegree;
    if (lng >= west && lng <= east && lat >= south && lat <= north && !isExcluded[i]) within[count++] = i;
  }
  const found = within.subarray(0, count);
  return {
    length,
    numbers: found.map((i) => numbers[i] as number),
    places: {
      lngs: Float64Array.from(found, (i) => (lngs[i] as number) / unitsPerDegree),
      lats: Float64Array.from(found, (i) => (lats[i] as number) / unitsPerDegree),
    },
  };
}

const isOnEdge = (polygon: Polygon, x: number, y: number) =>
  polygon.some((ring) => {
    for (let i = 0; i + 3 < ring.length; i += 2) {
      const [x1, y1, x2, y2] = ring.subarray(i, i + 4) as unknown as [number, number, number, number];
      if (y < Math.min(y1, y2) || y > Math.max(y1, y2) || x < Math.min(x1, x2) || x > Math.max(x1, x2))
        continue;
      if ((x2 - x1) * (y - y1) === (x - x1) * (y2 - y1)) return true;
    }
    return false;
  });
