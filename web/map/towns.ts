import { type Area, isWithin, type Position } from '../shared/position.ts';
import { plain } from '../shared/words.ts';

/** Towns by name, without case and accents. */
export type Towns<T extends Position = Position> = ReadonlyMap<string, T>;

/** The towns of an area. Of several with one name, the first counts: it is the largest. */
export function townsIn<T extends Position & { name: string }>(area: Area, all: readonly T[]): Towns<T> {
  const towns = new Map<string, T>();
  for (const town of all) {
    const key = plain(town.name);
    if (isWithin(town, area) && !towns.has(key)) towns.set(key, town);
  }
  return towns;
}

/** The town of a name; else, unless the whole name is asked for, the first whose name begins so. */
export function townNamed<T extends Position>(towns: Towns<T>, name: string, isWhole = false): T | undefined {
  const key = plain(name);
  return towns.get(key) ?? (isWhole ? undefined : [...towns].find(([name]) => name.startsWith(key))?.[1]);
}
