import { cornersOf } from '../shared/map/corners.ts';
import type { OrderStop } from '../shared/schemas.ts';
import { calendarDay, speed } from '../shared/words.ts';
import { labelOf, technologyLabel } from './context.ts';

/* Stops in words. */

type Named = Pick<OrderStop, 'tower' | 'tier' | 'area' | 'technology' | 'scope'>;

/** What a stop closes: "Fibre up to 300 Mbps". */
export function targetWords({ tower, tier, area, technology, scope }: Named): string {
  const coverage = technology === null ? 'Everything' : labelOf({ technology, scope: scope ?? '' });
  if (tower) return `${tower.name ?? `Tower at ${place(tower)}`}, ${coverage}`;
  if (tier)
    return `${coverage} up to ${speed(tier.bandwidth_max_mbps)}, ${speed(tier.bandwidth_up_max_mbps)} up`;
  if (!area) return coverage;
  const what = technology === null ? coverage : technologyLabel(technology);
  return 'circle' in area
    ? `${what} within ${metres(area.circle.radius_m)} of ${place(area.circle)}`
    : `${what} in an area of ${cornersOf(area.polygon[0])} corners`;
}

/** "from 1 March 2027 until 12 March 2027" */
export function daysWords({ from, until }: Pick<OrderStop, 'from' | 'until'>): string {
  return `from ${calendarDay(from)} ${until === null ? 'until further notice' : `until ${calendarDay(until)}`}`;
}

const place = ({ lat, lng }: { lat: number; lng: number }) => `${lat.toFixed(4)}, ${lng.toFixed(4)}`;
const metres = (given: number) => (given < 1_000 ? `${given} m` : `${given / 1_000} km`);
