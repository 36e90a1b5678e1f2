import type { ColumnRole, ImportOptions } from '../../addresses/import-options.ts';
import { csvFields, isWide, separators } from '../../platform/csv-line.ts';
import { IngestError } from '../errors.ts';

/* What the columns of a list of addresses hold, by their names. */

/** LINZ's "NZ Addresses" before March 2026 and since; texts with macrons before those without. */
const linz = {
  change: ['__change__'],
  id: ['address_id'],
  label: ['full_address_number'],
  road: ['full_road_name', 'full_road_name_ascii'],
  suburb: ['suburb_locality', 'suburb_locality_ascii'],
  town: ['town_city', 'town_city_ascii'],
  authority: ['territorial_authority', 'territorial_authority_ascii'],
  lifecycle: ['address_lifecycle'],
  land: ['is_land'],
  water: ['water_name'],
  waterBody: ['water_body_name'],
  postcode: ['postcode'],
  alias: ['alias', 'id'],
} as const;
type Field = keyof typeof linz;

/** Columns of a position, of which either may be the longitude. */
const pairs = [
  ['shape_X', 'shape_Y'],
  ['gd2000_xcoord', 'gd2000_ycoord'],
] as const;

/** Points as text (WKT), also as WFS and converters name them. */
const pointColumns = ['WKT', 'shape', 'geom', 'geometry'];

/** Shapefiles cut names at ten letters. Of several that are equal then, the first in the order of the file keeps it; the others get _1, _2. */
const cutAt = 10;

/** Where the values of a row are. */
export interface ListColumns {
  names: string[];
  separator: string;
  /** By field; -1 for one that the file lacks. */
  at: Record<Field, number>;
  /** Positions: one column of points as text, or two of numbers. */
  positions: { name: string; at: readonly [number] | readonly [number, number] }[];
}

/** The columns that a form of file needs. */
const needs: Record<Form, readonly Field[]> = {
  list: ['id', 'road'],
  aliases: ['alias', 'id'],
  postcodes: ['id', 'postcode'],
};
export type Form = 'list' | 'aliases' | 'postcodes';

const hints: Record<Form, string> = {
  list: 'Give LINZ’s "NZ Addresses" as CSV, shapefile or GeoPackage, or name the columns: id, label, road, suburb, town, authority, postcode, and lat and lng or wkt.',
  aliases:
    'The first line names the columns alias (or the name of the system) and address_id; or name them: alias, id.',
  postcodes: 'The first line names the columns address_id and postcode; or name them: id, postcode.',
};

/** @throws IngestError `addresses_unreadable` */
export const unreadable = (why: string, hint?: string) =>
  new IngestError('addresses_unreadable', `The file is no list of addresses. ${why}`, hint);

/**
 * Reads the first line. @param declared the separator that the file says; else the one that finds most of the columns @param pointColumn the name of points as
 * text
 * @throws IngestError `addresses_unreadable` with the columns that are missing
 */
export function readHeader(
  text: string,
  declared: string | undefined,
  form: Form,
  { columns = {}, system }: Pick<ImportOptions, 'columns' | 'system'>,
  pointColumn = 'WKT',
): ListColumns {
  if (isWide(text)) throw unreadable('It is not text in UTF-8. In a spreadsheet, save it as "CSV UTF-8".');
  const read = (separator: string) => {
    const names = csvFields(text, separator) ?? [];
    return { names, separator, ...findColumns(names, { form, named: columns, system, pointColumn }) };
  };
  const all = (declared === undefined ? separators : [declared]).map(read);
  const found = all.toSorted(
    (a, b) => a.missing.length - b.missing.length || b.names.length - a.names.length,
  )[0];
  if (!found) throw unreadable('It has no header.');
  const { missing, twice, ...rest } = found;
  if (missing.length > 0) {
    const names = rest.names.slice(0, 12).map((name) => name.slice(0, 40));
    const has = `${names.join(', ')}${rest.names.length > names.length ? ', ...' : ''}`;
    throw unreadable(`Its first line does not name ${missing.join(' and ')}. It names: ${has}.`, hints[form]);
  }
  if (twice) throw unreadable(`Its first line names ${twice} twice.`, hints[form]);
  return rest;
}

type Named = Partial<Record<ColumnRole, string>>;

interface Wanted {
  form: Form;
  named: Named;
  system: string | undefined;
  pointColumn: string;
}

function findColumns(names: readonly string[], { form, named, system, pointColumn }: Wanted) {
  const plain = names.map((name) => name.trim().toLowerCase());
  const placesOf = (name: string) => plain.flatMap((one, i) => (one === name.toLowerCase() ? [i] : []));
  let twice: string | undefined;
  const place = (name: string): number => {
    const [first = -1, second] = placesOf(name);
    if (second !== undefined) twice = name;
    return first;
  };
  const missing: string[] = [];
  const givenPlace = (name: string): number => {
    const at = place(name);
    if (at < 0) missing.push(name);
    return at;
  };
  const at = {} as Record<Field, number>;
  for (const field of Object.keys(linz) as Field[]) {
    const given = field in named ? named[field as keyof Named] : undefined;
    const known = field === 'alias' && system ? [system, ...linz.alias] : linz[field];
    at[field] = given === undefined ? firstOf(known, place) : givenPlace(given);
    const wasNamed = given !== undefined;
    if (at[field] < 0 && !wasNamed && needs[form].includes(field)) missing.push(known[0] as string);
  }
  // Of a file that was converted, the attribute beside the geometry, too.
  const points = new Set([pointColumn, ...pointColumns].flatMap(placesOf));
  const texts = [...points].map((at) => ({ name: names[at] as string, at: [at] as const }));
  const positions = form === 'list' ? positionsIn(named, texts, place, givenPlace) : [];
  if (form === 'list' && positions.length === 0) missing.push('WKT');
  return { at, positions, missing, twice };
}

/** The first of some names that is there: whole, else cut. */
function firstOf(names: readonly string[], place: (name: string) => number): number {
  for (const name of names) {
    const at = place(name);
    if (at >= 0) return at;
    const cut = name.length > cutAt ? place(name.slice(0, cutAt)) : -1;
    if (cut >= 0) return cut;
  }
  return -1;
}

function positionsIn(
  named: Named,
  points: ListColumns['positions'],
  place: (name: string) => number,
  givenPlace: (name: string) => number,
): ListColumns['positions'] {
  const { lat, lng, wkt } = named;
  if (wkt !== undefined) return [{ name: wkt, at: [givenPlace(wkt)] as const }];
  if (lat !== undefined || lng !== undefined) {
    const [x = 'lng', y = 'lat'] = [lng, lat];
    return [{ name: `${x}, ${y}`, at: [givenPlace(x), givenPlace(y)] as const }];
  }
  const numbers = pairs.map(([x, y]) => ({
    name: `${x}, ${y}`,
    at: [firstOf([x], place), firstOf([y], place)] as const,
  }));
  return [...points, ...numbers].filter((one) => one.at.every((column) => column >= 0));
}
