import type { Tier } from '../lookup/catalog.ts';

/*
 * What is seen of a place from afar: a number from 1 to 15 for its availability and its class of speed. The higher
 * one shows where areas lie on one another: what is available before what is not yet, then the faster.
 */

/** Where classes of speed begin, in Mbps downstream: places of one class look alike from afar. */
const classBounds = [30, 100, 300, 1000];
const classes = classBounds.length + 1;
const availabilities = ['planned', 'underway', 'available'];

/** @param bandwidthMax Mbps */
export function seenAs({ availability, bandwidthMax }: Pick<Tier, 'availability' | 'bandwidthMax'>): number {
  const speedClass = classBounds.filter((bound) => bandwidthMax >= bound).length;
  return 1 + availabilities.indexOf(availability) * classes + speedClass;
}
