import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import type { TowerAntenna } from '@covermap/propagation/tower.ts';
import { parse } from 'csv-parse';
import { type SpeedField, speedFields } from '../../coverage/speeds.ts';
import type { TowerColumn } from '../../coverage/submissions/tower-columns.ts';
import type { Tower } from '../../coverage/submissions/towers.ts';
import { wideOf } from '../../platform/text-chunks.ts';
import { plain, recogniseFields } from '../attributes/known-fields.ts';
import { parseSpeed } from '../attributes/speed-text.ts';
import { IngestError } from '../errors.ts';

/* Lists of towers from which the service models coverage: CSV with a header, or GeoJSON points. */

const maxBytes = 32 * 1024 * 1024;
const maxTowers = 100_000;
const maxNamed = 10;
const rowsThatTell = 1000;
const maxColumns = 1000;
/** In characters. */
const maxRowLength = 65_536;
const pieceLength = 65_536;

/** Units that the name of a column may end in: its own, and others, which are refused. */
type Units = readonly [ownUnit: string, otherUnits?: string];
const degrees: Units = ['deg degs degree degrees degt decimaldegrees', 'rad radians'];
const metres: Units = ['m metres meters magl', 'ft feet km'];
const dbm: Units = ['dbm', 'w watt watts mw kw dbw'];
const mhz: Units = ['mhz', 'hz khz ghz'];
const dbi: Units = ['dbi', 'dbd db'];
const db: Units = ['db'];

/** @param aliases names without case and marks: of two in a file, the first counts */
function column(aliases: string, [ownUnit, otherUnits]: Units = [''], range = [-Infinity, Infinity]) {
  const [min, max] = range as [number, number];
  const names = aliases.split(' ');
  const ending = (units: string) => names.flatMap((name) => units.split(' ').map((unit) => name + unit));
  return { names: ending(` ${ownUnit}`), namesOfOthers: otherUnits ? ending(otherUnits) : [], min, max };
}

const columns: Readonly<Record<TowerColumn, ReturnType<typeof column>>> = {
  name: column('name site sitename siteid id sector cell'),
  lat: column('lat latitude y', degrees),
  lng: column('lng longitude lon long x', degrees),
  height_m: column('heightm height agl antennaheight antennaheightm heightagl', metres, [0, 2000]),
  // Planners also count to the left. Beyond a full turn it is a mistake.
  azimuth_deg: column('azimuthdeg azimuth bearing direction', degrees, [-180, 360]),
  beam_width_deg: column('beamwidthdeg beamwidth hbw horizontalbeamwidth', degrees, [0.001, 360]),
  power_dbm: column('eirpdbm eirp powerdbm power txpower', dbm, [-50, 150]),
  // Smaller numbers are gigahertz.
  frequency_mhz: column('frequencymhz frequency freq freqmhz', mhz, [100, 300_000]),
  gain_dbi: column('gaindbi gain antennagain antennagaindbi', dbi, [-20, 60]),
  electrical_tilt_deg: column('electricaltiltdeg electricaltilt etilt', degrees, [-30, 30]),
  mechanical_tilt_deg: column('mechanicaltiltdeg mechanicaltilt mtilt tilt downtilt', degrees, [-45, 45]),
  vertical_beam_width_deg: column('verticalbeamwidthdeg verticalbeamwidth vbw', degrees, [0.1, 180]),
  front_to_back_db: column('fronttobackdb fronttoback frontbackratio', db, [0, 60]),
  feeder_loss_db: column('feederlossdb feederloss cableloss', db, [0, 50]),
  polarisation: column('polarisation polarization pol'),
  pattern: column('pattern antennapattern patternfile antenna'),
};
/** The names of all columns. */
const known = new Set(Object.values(columns).flatMap(({ names }) => names));
const columnNames = Object.keys(columns) as TowerColumn[];
const texts: readonly TowerColumn[] = ['name', 'polarisation', 'pattern'];
/** Crossed polarisations have many names: cross, xpol, dual, slant, H/V, ±45. */
const polarisations = /^(?:[vhxc±]|dual|slant|\+\/?-)/i;

const needed = ['lat', 'lng', 'height_m', 'power_dbm', 'frequency_mhz'] as const;
type Numbers = Record<(typeof needed)[number], number> &
  Partial<Record<Exclude<TowerColumn, 'name' | 'polarisation' | 'pattern'>, number>>;

export class TowerColumnsMissing extends IngestError {
  /** True where the file has some of the columns, so that it is meant as tower data. */
  readonly hasSome: boolean;

  constructor(message: string, hasSome: boolean) {
    super('tower_columns_missing', message);
    this.hasSome = hasSome;
  }
}

/** A row of texts by column, and its name for people. */
interface Row {
  place: string;
  values: Record<string, unknown>;
}

/** Parses a list of towers, all or none: coverage without a tower would be wrong. @param speeds for towers without them @throws IngestError */
export async function parseTowers(
  file: string,
  speeds: Partial<Record<SpeedField, number | undefined>>,
  serviceArea: Bounds,
  /** Called with the columns that mean nothing, if there are any. */
  reportUnused: (columns: string[]) => void = () => undefined,
): Promise<Tower[]> {
  const text = await textOf(file);
  const towers: Tower[] = [];
  const problems: string[] = [];
  let wrong = 0;
  let found: ReturnType<typeof findColumns> | undefined;
  // Points may have different attributes, and whole degrees have no decimal mark: the first ones tell.
  let waiting: Row[] = [];
  const takeWaiting = () => {
    found ??= findColumns(waiting, isGeoJson(text));
    for (const { place, values } of waiting) {
      const tower = towerOf(values, found, speeds, serviceArea);
      if (typeof tower !== 'string') towers.push(tower);
      else if (++wrong <= maxNamed) problems.push(`${place}: ${tower}`);
    }
    waiting = [];
  };
  let count = 0;
  for await (const row of rowsOf(text)) {
    pulse();
    if (++count > maxTowers) {
      const message = `The file holds more than ${maxTowers} towers.`;
      throw new IngestError('towers_too_many', message, 'Split it.');
    }
    if (waiting.push(row) === rowsThatTell || found) takeWaiting();
  }
  if (count === 0) throw new IngestError('towers_unreadable');
  takeWaiting();
  if (found && found.unused.length > 0) reportUnused(found.unused.slice(0, maxNamed));
  if (wrong > 0) {
    const more = wrong > problems.length ? `; and ${wrong - problems.length} more` : '';
    throw new IngestError(
      'towers_invalid',
      `${wrong} of ${count} towers cannot be used. ${problems.join('; ')}${more}.`,
    );
  }
  return towers;
}

async function textOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    if (size > maxBytes) {
      throw new IngestError(
        'towers_too_many',
        `The file is larger than the ${maxBytes / 1024 / 1024} MB that tower data may be.`,
      );
    }
    const bytes = await handle.readFile();
    // Excel's "Unicode Text".
    const wide = wideOf(bytes);
    if (wide) return new TextDecoder(wide).decode(bytes);
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      if (bytes.includes(0)) throw notTowers('it is not text');
      return new TextDecoder('windows-1252').decode(bytes);
    }
  } finally {
    await handle.close();
  }
}

const isGeoJson = (text: string) => /^\s*[{[]/.test(text);
const rowsOf = (text: string) => (isGeoJson(text) ? geojsonRows(text) : csvRows(text));

async function* csvRows(whole: string): AsyncGenerator<Row> {
  // A line for Excel only; later ones keep their numbers.
  const text = whole.replace(/^sep=.(?=[\r\n])/i, '');
  const head = firstLine(text);
  const delimiter = [',', ';', '\t'].sort((a, b) => head.split(b).length - head.split(a).length)[0] as string;
  const count = head.split(delimiter).length;
  if (count > maxColumns) throw notTowers(`it has ${count} columns`);
  const records = parse({
    columns: (names: string[]) => withoutTwins(names.map((name) => name.trim())),
    delimiter,
    info: true,
    skip_empty_lines: true,
    // Excel writes rows of delimiters below a list.
    skip_records_with_empty_values: true,
    trim: true,
    max_record_size: maxRowLength,
    record_delimiter: ['\r\n', '\n', '\r'],
    // Excel ends rows early whose last cells are empty.
    relax_column_count_less: true,
  });
  // In pieces, so that parsing stops soon after too many rows.
  Readable.from(pieces(text)).pipe(records);
  try {
    for await (const { info, record } of records) yield { place: `line ${info.lines}`, values: record };
  } catch (error) {
    if (error instanceof IngestError) throw error;
    const { lines, record, columns } = error as { lines?: number; record?: unknown[]; columns?: unknown[] };
    const reason = record ? `has ${record.length} values for ${columns?.length} columns` : 'cannot be read';
    throw notTowers(
      lines === undefined ? 'its rows cannot be told apart' : `line ${lines} ${reason}`,
    ).causedBy(error);
  }
}

/** @throws IngestError `towers_unreadable` if it is too long for a row */
function firstLine(text: string): string {
  const start = Math.max(0, text.search(/[^\r\n]/));
  const beginning = text.slice(start, start + maxRowLength + 1);
  const piece = /"[^"]*"?|[^"\r\n]+/y;
  let end = 0;
  while (piece.test(beginning)) end = piece.lastIndex;
  const line = beginning.slice(0, end);
  if (line.length > maxRowLength) throw notTowers(`its first line has more than ${maxRowLength} characters`);
  return line;
}

/** @throws IngestError `towers_unreadable` if a known name occurs twice: either could be meant */
function withoutTwins(names: string[]): string[] {
  const twice = names.find((name, i) => known.has(plain(name)) && names.indexOf(name) !== i);
  if (twice !== undefined) throw notTowers(`it has the column ${twice.slice(0, 40)} twice`);
  return names;
}

function* pieces(text: string): Generator<string> {
  for (let i = 0; i < text.length; i += pieceLength) yield text.slice(i, i + pieceLength);
}

function* geojsonRows(text: string): Generator<Row> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw notTowers('its JSON is damaged').causedBy(error);
  }
  const { type, features } = Object(content) as { type?: unknown; features?: unknown };
  if (type !== 'FeatureCollection' || !Array.isArray(features)) throw notTowers('it is no FeatureCollection');
  for (const [i, feature] of features.entries()) {
    const { geometry, properties } = Object(feature);
    const { type, coordinates } = Object(geometry) as { type?: unknown; coordinates?: unknown };
    // Layers of QGIS and PostGIS often have single points as lists of them.
    const isOnlyOne = type === 'MultiPoint' && Array.isArray(coordinates) && coordinates.length === 1;
    const point = isOnlyOne ? coordinates[0] : type === 'Point' ? coordinates : undefined;
    const [lng, lat] = Array.isArray(point) ? point : [];
    // A tower's own columns of that name would be taken for its position.
    const rest = Object.entries(Object(properties)).filter(([name]) => !isPlace(name));
    yield { place: `feature ${i + 1}`, values: { ...Object.fromEntries(rest), lat, lng } };
  }
}

const isPlace = (name: string) => [...columns.lat.names, ...columns.lng.names].includes(plain(name));

/** @param arePoints true where every row has a position without columns */
function findColumns(rows: readonly Row[], arePoints: boolean) {
  const names = [...new Set(rows.flatMap(({ values }) => Object.keys(values)))];
  const named: Partial<Record<TowerColumn, string>> = {};
  const byPlain = new Map(names.map((name) => [plain(name), name] as const).reverse());
  for (const column of columnNames) {
    const find = (names: readonly string[]) =>
      names.map((name) => byPlain.get(name)).find((name) => name !== undefined);
    const found = find(columns[column].names);
    const other = found === undefined ? find(columns[column].namesOfOthers) : undefined;
    if (found !== undefined) named[column] = found;
    if (other === undefined) continue;
    const message = `The column ${other.slice(0, 40)} has another unit than ${column}.`;
    throw new TowerColumnsMissing(message, true);
  }
  const missing = needed.filter((column) => named[column] === undefined);
  if (missing.length > 0) {
    const which = missing.length === 1 ? `column ${missing[0]} is` : `columns ${missing.join(', ')} are`;
    const message = `The ${which} missing from the tower data. The file has: ${names.slice(0, 40).join(', ') || 'none'}.`;
    throw new TowerColumnsMissing(message, missing.length < needed.length - (arePoints ? 2 : 0));
  }
  const taken = new Set(Object.values(named));
  const free = names.filter((name) => !taken.has(name) && name !== '');
  const speeds = recogniseFields(free).map((one) => ({ ...one, name: free[one.field] as string }));
  const isUsed = (name: string) => speeds.some((one) => one.name === name);
  const unused = free.filter((name) => !isUsed(name)).map((name) => name.slice(0, 40));
  // Latitudes and longitudes have no thousands: 41,29 is 41.29.
  const hasCommas = rows.some(({ values }) =>
    [named.lat, named.lng].some((name) => /^[-+]?\d{1,3},\d+$/.test(String(values[name as string]).trim())),
  );
  return { named, speeds, unused, hasCommas };
}

function towerOf(
  values: Record<string, unknown>,
  found: ReturnType<typeof findColumns>,
  defaults: Partial<Record<SpeedField, number | undefined>>,
  area: Bounds,
): Tower | string {
  const given = (column: TowerColumn) => {
    const name = found.named[column];
    return name === undefined ? undefined : values[name];
  };
  const numbers: Partial<Record<TowerColumn, number>> = {};
  const plainNumber = (text: string) => (found.hasCommas ? commaAsPoint(text) : text);
  for (const column of columnNames) {
    if (texts.includes(column)) continue;
    const value = given(column);
    if (isAbsent(value)) {
      if ((needed as readonly string[]).includes(column)) return `${column} is missing`;
      continue;
    }
    const number = typeof value === 'number' ? value : Number(plainNumber(String(value).trim()));
    if (!Number.isFinite(number)) return `${column} is not a number: ${String(value).slice(0, 40)}`;
    const { min, max } = columns[column];
    if (number < min || number > max) return `${column} is ${number}, and can be ${min} to ${max}`;
    numbers[column] = number;
  }
  const { lat, lng, height_m, power_dbm, frequency_mhz, ...others } = numbers as Numbers;
  const text = (column: TowerColumn) => (isAbsent(given(column)) ? undefined : textFor(given(column)));
  const [polarisation, pattern] = [text('polarisation'), text('pattern')];
  // An azimuth of 0 may only fill the column of an omnidirectional antenna.
  if (others.azimuth_deg && others.beam_width_deg === undefined && pattern === undefined)
    return `beam_width_deg is missing, and azimuth_deg is ${others.azimuth_deg}; an antenna of all sides has 360`;
  const { azimuth_deg, beam_width_deg = 360, ...planned } = others;
  if (lat < area.south || lat > area.north || lng < area.west || lng > area.east) {
    return `${lat}, ${lng} is outside the service area`;
  }
  if (azimuth_deg === undefined && beam_width_deg < 360)
    return `azimuth_deg is missing, and beam_width_deg is ${beam_width_deg}`;
  // The antenna leans to an unknown side.
  if (azimuth_deg === undefined && planned.mechanical_tilt_deg)
    return `azimuth_deg is missing, and mechanical_tilt_deg is ${planned.mechanical_tilt_deg}; a beam that is lowered all around has electrical_tilt_deg`;
  // EIRP includes the gain and the feeder loss.
  if (/^eirp/.test(plain(found.named.power_dbm ?? ''))) {
    delete planned.gain_dbi;
    delete planned.feeder_loss_db;
  }
  const speeds: Partial<Record<SpeedField, number>> = {};
  for (const { speed, name, unit } of found.speeds) {
    const value = values[name];
    if (isAbsent(value)) continue;
    // A plain number first: parseSpeed would read 50,000 as 50 thousand, and 12,5 as two numbers.
    const written = String(value).trim();
    const text = plainNumber(written);
    const isNumber = typeof value === 'number' || text !== written;
    const read = parseSpeed(text, unit, isNumber ? 'number' : undefined);
    if (!read || !(read.max >= 0)) return `${name} is not a speed: ${String(value).slice(0, 40)}`;
    speeds[speed] = read.max;
  }
  for (const field of speedFields) {
    const value = defaults[field];
    if (value !== undefined) speeds[field] ??= value;
  }
  if (polarisation !== undefined && !polarisations.test(polarisation)) {
    return `polarisation is neither vertical, horizontal nor cross: ${polarisation.slice(0, 40)}`;
  }
  return {
    name: text('name'),
    ...{ lat, lng, height_m, beam_width_deg, power_dbm, frequency_mhz, speeds },
    azimuth_deg: azimuth_deg === undefined ? undefined : fromNorth(azimuth_deg),
    antenna: antennaOf(planned, polarisation, pattern),
  };
}

const fromNorth = (degrees: number) => (degrees < 0 ? degrees + 360 : degrees === 360 ? 0 : degrees);

const commaAsPoint = (text: string) => (/^[-+]?\d+,\d+$/.test(text) ? text.replace(',', '.') : text);

/** Crossed antennas radiate half of the power vertically, and that half reaches further. */
function antennaOf(
  numbers: Omit<TowerAntenna, 'vertical' | 'pattern'>,
  polarisation: string | undefined,
  pattern: string | undefined,
): TowerAntenna | undefined {
  const vertical = polarisation === undefined ? undefined : !/^h[^v]*$/i.test(polarisation);
  const antenna = { ...numbers, vertical, pattern };
  return Object.values(antenna).some((value) => value !== undefined) ? antenna : undefined;
}

const textFor = (label: unknown) => String(label).slice(0, 200).replaceAll('\0', '');

const isAbsent = (value: unknown) => value === undefined || value === null || String(value).trim() === '';

function notTowers(reason: string): IngestError {
  return new IngestError(
    'towers_unreadable',
    `The file is not tower data: ${reason}.`,
    'CSV with a line of column names, or a GeoJSON FeatureCollection of points. Of coverage, leave "processed_by" out of the manifest.',
  );
}
