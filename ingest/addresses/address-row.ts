import type { Bounds } from '@covermap/geometry/bounds.ts';
import { idForm, type StreetName, unitsPerDegree } from '../../addresses/address.ts';
import type { DropReason } from '../../addresses/import-report.ts';
import { notTaken, operations, type StagedAddress } from '../../addresses/staged-rows.ts';
import { type ListColumns, unreadable } from './list-columns.ts';
import { positionReader } from './positions.ts';

/* A row of a list of addresses. */

export const postcodeForm = /^[0-9]{4}$/;
const maxLabel = 60;
const maxText = 120;
/** Several times those of New Zealand, which are held in memory. */
const maxStreets = 500_000;

/** The last number before the road, of a range the first: 14 of "2/14A" and of "Flat 2 14", 979 of "979-993". */
const lastNumber = /(?:^|\D)(\d{1,7})[A-Za-z]{0,3}(?: ?- ?\d{1,7}[A-Za-z]{0,3})?$/;
/** No street has such a number. */
const longNumber = /\d{8}/;
const isFalse = /^(?:f|false|n|no|0)$/i;
/** Letters other than ASCII's, and blanks that are not single ones between others. */
const isOdd = /[^ -~]| {2}|^ | $/;

/** In composed letters, with single blanks; undefined where it is too long, or has control characters. */
function textOf(given: string | undefined, max: number): string | undefined {
  if (!given) return '';
  if (given.length <= max && !isOdd.test(given)) return given;
  const text = given.normalize('NFC').replace(/\s+/g, ' ').trim();
  return text.length <= max && !/\p{Cc}/u.test(text) ? text : undefined;
}

/** The number on the street; 0 where there is none, undefined where it is none that a street has. */
export function numberIn(label: string): number | undefined {
  if (longNumber.test(label)) return undefined;
  return Number(lastNumber.exec(label)?.[1] ?? 0);
}

/** Tells if a label is the whole address. A road of few letters may be those of a number. */
const isWhole = (label: string, road: string) => road.length > 3 && label.includes(road);

type ReadRow = StagedAddress | DropReason;

/** Reads rows, and gives each street a number of its own. */
export function rowReader(columns: ListColumns, area: Bounds) {
  const { at } = columns;
  const positions = positionReader(columns, area);
  const numbers = new Map<string, number>();
  let newStreets: StreetName[] = [];
  let unusablePostcodes = 0;

  const streetNumber = (street: StreetName): number => {
    const key = `${street.road}\n${street.suburb}\n${street.town}\n${street.authority}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = numbers.size;
    if (number >= maxStreets) throw unreadable(`It has more than ${maxStreets} different streets.`);
    // Copied: else it would keep the piece of the file alive that it was cut from.
    numbers.set(Buffer.from(key).toString(), number);
    newStreets.push(street);
    return number;
  };

  /** Why a row is no place to live or work. */
  const noPlace = (fields: readonly string[]): DropReason | undefined => {
    if (at.lifecycle >= 0 && fields[at.lifecycle]?.toLowerCase() !== 'current') return 'not_current';
    const isWater = isFalse.test(fields[at.land] ?? '') || fields[at.water] || fields[at.waterBody];
    return isWater ? 'on_water' : undefined;
  };

  const postcodeOf = (given: string | undefined): string | null => {
    if (!given) return null;
    if (postcodeForm.test(given)) return given;
    unusablePostcodes++;
    return null;
  };

  const placeOf = (fields: readonly string[]): NonNullable<StagedAddress['place']> | DropReason => {
    const label = textOf(fields[at.label], Number.POSITIVE_INFINITY);
    const road = textOf(fields[at.road], maxText);
    const suburb = textOf(fields[at.suburb], maxText);
    const town = textOf(fields[at.town], maxText);
    const authority = textOf(fields[at.authority], maxText);
    if ([label, road, suburb, town, authority].includes(undefined)) return 'too_long';
    const street = { road, suburb, town, authority } as StreetName;
    if (street.road === '') return 'no_road';
    // Programs that write no macrons write question marks.
    if (`${street.road}${suburb}${town}`.includes('?')) return 'letters_lost';
    const number = numberIn(label as string);
    // A column that was cut may be that of whole addresses.
    if (number === undefined || (label as string).length > maxLabel || isWhole(label as string, street.road))
      return 'label_unusable';
    const position = positions.read(fields);
    if (typeof position === 'string') return position;
    return {
      ...{ street: streetNumber(street), number, label: label as string },
      lng: Math.round(position.lng * unitsPerDegree),
      lat: Math.round(position.lat * unitsPerDegree),
      postcode: postcodeOf(fields[at.postcode]),
    };
  };

  return {
    read(fields: readonly string[], line: number): ReadRow | { removed: StagedAddress; because: DropReason } {
      const word = at.change < 0 ? 'list' : (fields[at.change] ?? '').toUpperCase();
      if (!Object.hasOwn(operations, word)) return 'change_unknown';
      const operation = operations[word as keyof typeof operations];
      const id = fields[at.id];
      if (!id) return 'id_missing';
      if (!idForm.test(id)) return 'id_unusable';
      const because = noPlace(fields);
      if (because && operation === operations.list) return because;
      // An address that becomes one on water was none before the change, or is none any more.
      if (because) return { removed: { line, operation: operation + notTaken, id }, because };
      if (operation === operations.DELETE) return { line, operation, id };
      const place = placeOf(fields);
      return typeof place === 'string' ? place : { line, operation, id, place };
    },

    /** The streets since the last call. */
    takeStreets(): StreetName[] {
      const taken = newStreets;
      newStreets = [];
      return taken;
    },

    found(): string[] {
      const few = unusablePostcodes === 1 ? '1 postcode is' : `${unusablePostcodes} postcodes are`;
      return [
        ...positions.found(),
        ...(unusablePostcodes > 0 ? [`${few} not four digits: their addresses have none.`] : []),
      ];
    },
  };
}
