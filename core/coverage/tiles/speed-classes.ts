import type { Tier } from '../lookup/catalog.ts';

/* What an overview shows of a place: a number from 1 to 15, the higher where areas overlap: available before planned, then the faster. */

/** Where speed classes begin, in Mbps downstream. */
export const classStarts = [0, 30, 100, 300, 1000] as const;
const availabilities = ['planned', 'underway', 'available'];

/** How many there are, from 1. */
export const seenValues = availabilities.length * classStarts.length;

/** @param bandwidthMax Mbps */
export function seenAs({ availability, bandwidthMax }: Pick<Tier, 'availability' | 'bandwidthMax'>): number {
  const faster = classStarts.filter((start) => bandwidthMax >= start).length;
  return availabilities.indexOf(availability) * classStarts.length + Math.max(1, faster);
}

/** The speed class, counted from 1, of what is available; 0 of what is not there yet. @param seen by {@link seenAs} */
export function classAvailable(seen: number): number {
  return Math.max(0, seen - availabilities.indexOf('available') * classStarts.length);
}
