import type { Tier } from '../lookup/catalog.ts';

/* The value of a place in an overview: a number from 1 to 15. Where areas overlap, the highest counts: available before planned, then the faster. */

/** The lower bounds of speed classes, in Mbps downstream. */
export const classStarts = [0, 30, 100, 300, 1000] as const;
const availabilities = ['planned', 'underway', 'available'];

/** The number of values of {@link speedClassOf}, which begin at 1. */
export const speedClassCount = availabilities.length * classStarts.length;

/** @param bandwidthMax Mbps */
export function speedClassOf({
  availability,
  bandwidthMax,
}: Pick<Tier, 'availability' | 'bandwidthMax'>): number {
  const faster = classStarts.filter((start) => bandwidthMax >= start).length;
  return availabilities.indexOf(availability) * classStarts.length + Math.max(1, faster);
}

/** The speed class of available coverage, counted from 1; 0 for coverage that is not available yet. @param value by {@link speedClassOf} */
export function classAvailable(value: number): number {
  return Math.max(0, value - availabilities.indexOf('available') * classStarts.length);
}
