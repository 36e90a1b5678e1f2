import type { Position } from '../shared/position.ts';
import type { FoundPlace } from '../shared/schemas.ts';
import type { Choice } from '../shared/suggestions.ts';
import { plain } from '../shared/words.ts';
import type { Towns } from './towns.ts';

/** What was found for the map: a point, or a place to move to. */
export interface FoundOnMap {
  position: Position;
  /** Of a street, a suburb or a town, which is no point. */
  zoom?: number | undefined;
  address?: KnownAddress | undefined;
}

/** The title of a position. */
export interface KnownAddress {
  /** Undefined for what a link calls it. */
  id?: string | undefined;
  text: string;
}

export type MapChoice = Choice & FoundOnMap & { isExact: boolean };

/** Max suggestions, and towns of the map among addresses. */
const maxChoices = 8;
const maxTowns = 3;
const zooms = { street: 15, suburb: 13, town: 11 };

/** The zoom for a town. */
export const townZoom = zooms.town;

/** The suggestions for a text: what was found, and the towns of the map that have a word which begins so. */
export function choicesOf(
  text: string,
  found: readonly FoundPlace[],
  towns: Towns<Position & { name: string }>,
  hasAddresses: boolean,
): MapChoice[] {
  const places = found.map(choiceOf);
  const known = new Set(places.map((choice) => plain(choice.text)));
  const begun = plain(text.trim());
  const ofMap = [...towns]
    .filter(([key]) => begun !== '' && ` ${key}`.includes(` ${begun}`) && !known.has(key))
    .slice(0, hasAddresses ? maxTowns : maxChoices)
    .map(
      ([key, { name, lat, lng }]): MapChoice => ({
        ...{ key: `map ${key}`, text: name, note: hasAddresses ? 'town' : undefined, isExact: false },
        ...{ position: { lat, lng }, zoom: zooms.town },
      }),
    );
  return [...ofMap, ...places].slice(0, maxChoices);
}

function choiceOf({ kind, id, text, location, match }: FoundPlace): MapChoice {
  const position = { lat: Number(location.lat), lng: Number(location.lng) };
  return {
    ...{ key: id ?? `${kind} ${text} ${location.lat}`, text, position, isExact: match === 'exact' },
    ...(kind === 'address' ? { address: { id: id as string, text } } : { note: kind, zoom: zooms[kind] }),
  };
}
