/* Groups losses of live coverage by towns, for the review. Contains no components. */

import { type Box, boundsOf } from '../shared/map/box.ts';
import { nearestOf, type Position } from '../shared/position.ts';
import type { LostArea } from '../shared/schemas.ts';

type Town = Position & { name: string };

/** The lost areas around each town, the largest first; a position is the name where no town is known. */
export function byNearestTown(areas: readonly LostArea[], towns: readonly Town[]) {
  const places = new Map<string | Town, LostArea[]>();
  for (const area of areas) {
    const place = nearestOf(towns, middleOf(area))?.place ?? positionWords(area);
    places.set(place, [...(places.get(place) ?? []), area]);
  }
  return [...places]
    .map(([place, lost]) => ({
      name: typeof place === 'string' ? place : place.name,
      km2: areaOf(lost),
      box: boxAround(lost),
    }))
    .sort((a, b) => b.km2 - a.km2);
}

/** A map shows the largest lost areas that make up this share. */
const mostOf = 0.95;
/** The margin around them, as a share of width and height, so that remaining coverage is visible, too. */
const surroundings = 0.4;

/** The box of the lost areas without small ones far away; undefined if there are none. */
export function boxOfLost(areas: readonly LostArea[]): Box | undefined {
  let left = mostOf * areaOf(areas);
  const shown: LostArea[] = [];
  for (const area of [...areas].sort((a, b) => b.km2 - a.km2)) {
    if (left <= 0) break;
    left -= area.km2;
    shown.push(area);
  }
  return shown.length > 0 ? boxAround(shown) : undefined;
}

function positionWords(area: LostArea): string {
  const { lat, lng } = middleOf(area);
  return `${lat.toFixed(2)}, ${lng.toFixed(2)}`;
}

const areaOf = (areas: readonly LostArea[]) => areas.reduce((sum, { km2 }) => sum + km2, 0);

const middleOf = ({ west, south, east, north }: LostArea) => ({
  lat: (south + north) / 2,
  lng: (west + east) / 2,
});

function boxAround(areas: readonly LostArea[]): Box {
  const boxes = areas.map(({ west, south, east, north }) => [west, south, east, north]);
  const [west, south, east, north] = boundsOf(boxes) as Box;
  const [x, y] = [surroundings * (east - west), surroundings * (north - south)];
  return [west - x, south - y, east + x, north + y];
}
