/* Where a file would lose what is live, by the names of towns. No page in here: the review shows them. */

import type { LostArea } from '../shared/schemas.ts';

export type Box = [west: number, south: number, east: number, north: number];
interface Town {
  name: string;
  lat: number;
  lng: number;
}

/** Ground that would be lost around a town. */
export interface LostPlace {
  /** Where no town is known, the position. */
  name: string;
  km2: number;
  /** With its surroundings. */
  box: Box;
}

/** Lost areas by the town that each is nearest to, the largest first. */
export function byNearestTown(areas: readonly LostArea[], towns: readonly Town[]): LostPlace[] {
  const places = new Map<string | Town, LostPlace>();
  for (const area of areas) {
    const town = nearestTown(area, towns);
    const name = town?.name ?? positionWords(area);
    const before = places.get(town ?? name);
    places.set(town ?? name, {
      name,
      km2: area.km2 + (before?.km2 ?? 0),
      box: boxAround(before ? [before.box, boxOf(area)] : [boxOf(area)]),
    });
  }
  return [...places.values()]
    .sort((a, b) => b.km2 - a.km2)
    .map((place) => ({ ...place, box: withSurroundings(place.box) }));
}

/** What a map has to show of lost areas: the largest, which are this part of all. */
const mostOf = 0.95;
/** How much is shown around them on each side, as a part of the width and height: what stays beside what is lost. */
const surroundings = 0.4;

/** What a map has to show of all that is lost, without the small remains far from it; undefined where nothing is. */
export function boxOfLost(areas: readonly LostArea[]): Box | undefined {
  let left = mostOf * areas.reduce((sum, { km2 }) => sum + km2, 0);
  const shown: Box[] = [];
  for (const area of [...areas].sort((a, b) => b.km2 - a.km2)) {
    if (left <= 0) break;
    left -= area.km2;
    shown.push(boxOf(area));
  }
  return shown.length > 0 ? withSurroundings(boxAround(shown)) : undefined;
}

function nearestTown(area: LostArea, towns: readonly Town[]): Town | undefined {
  const { lat, lng } = middleOf(area);
  const narrower = Math.cos((lat * Math.PI) / 180);
  let nearest: Town | undefined;
  let minDistance = Number.POSITIVE_INFINITY;
  for (const town of towns) {
    const distance = Math.hypot(town.lat - lat, (town.lng - lng) * narrower);
    if (distance >= minDistance) continue;
    minDistance = distance;
    nearest = town;
  }
  return nearest;
}

function positionWords(area: LostArea): string {
  const { lat, lng } = middleOf(area);
  return `${lat.toFixed(2)}, ${lng.toFixed(2)}`;
}

const middleOf = ({ west, south, east, north }: LostArea) => ({
  lat: (south + north) / 2,
  lng: (west + east) / 2,
});

const boxOf = ({ west, south, east, north }: LostArea): Box => [west, south, east, north];

function boxAround(boxes: readonly Box[]): Box {
  const side = (at: 0 | 1 | 2 | 3) => boxes.map((box) => box[at]);
  return [Math.min(...side(0)), Math.min(...side(1)), Math.max(...side(2)), Math.max(...side(3))];
}

function withSurroundings([west, south, east, north]: Box): Box {
  const [x, y] = [surroundings * (east - west), surroundings * (north - south)];
  return [west - x, south - y, east + x, north + y];
}
