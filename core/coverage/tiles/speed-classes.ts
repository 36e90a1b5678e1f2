import type { Tier } from '../lookup/catalog.ts';

/*
 * What an overview shows of a place: a number from 1 to 15 for its availability and its speed class. Where areas overlap the
 * higher one shows: available before planned, then the faster.
 */

/** Where speed classes begin, in Mbps downstream. */
const classBounds = [30, 100, 300, 1000];
const classes = classBounds.length + 1;
const availabilities = ['planned', 'underway', 'available'];

/** @param bandwidthMax Mbps */
export function seenAs({ availability, bandwidthMax }: Pick<Tier, 'availability' | 'bandwidthMax'>): number {
  const speedClass = classBounds.filter((bound) => bandwidthMax >= bound).length;
  return 1 + availabilities.indexOf(availability) * classes + speedClass;
}
