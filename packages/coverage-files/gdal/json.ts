import { type FileEntry, unpackTo } from '../file-set.ts';
import type { SystemElsewhere } from '../format.ts';
import type { FormatName } from '../formats.ts';
import { maxFields, requireFields, requireLayers } from '../layers.ts';
import { PartialAnswer } from './partial-answer.ts';
import { epsgOfName } from './reference-system.ts';

/* Finds the format of a JSON text. Members may be in any order, so all of it is scanned, following strings and brackets. */

type JsonFormat = Extract<FormatName, 'GeoJSON' | 'GeoJSON lines' | 'TopoJSON' | 'EsriJSON'>;

const [tab, newline, carriageReturn, blank, quote, colon, backslash] = [9, 10, 13, 32, 0x22, 0x3a, 0x5c];
const [opens, closes, opensList, closesList, comma] = [0x7b, 0x7d, 0x5b, 0x5d, 0x2c];
const [minus, zero, nine] = [0x2d, 0x30, 0x39];
/** RFC 8142: before each text of a sequence. */
const recordSeparator = 0x1e;
/** The length of a value of `type`, in characters. */
const maxTokenLength = 64;
const maxNameLength = 1024;
const maxMembers = 20;
/** Of the descriptions of attributes with their coded values, in bytes. */
const maxFieldsLength = 4 * 1024 * 1024;
/** Deeper values belong to a feature's geometry, or to one of its attributes. */
const maxDepth = 16;

/**
 * The role of an object or a list: a feature, or around features (members of one without `properties` are attributes); features, or
 * geometries of TopoJSON with attributes; the layers of TopoJSON; the descriptions of attributes in EsriJSON; a feature's geometry, and those
 * that it is made of.
 */
type Role =
  | 'other'
  | 'feature'
  | 'attributes'
  | 'features'
  | 'layers'
  | 'fields'
  | 'geometry'
  | 'parts'
  | 'coordinates';

const roleByName = new Map<string, Role>([
  ['properties', 'attributes'],
  ['attributes', 'attributes'],
  ['features', 'features'],
  ['geometries', 'features'],
  ['objects', 'layers'],
  ['fields', 'fields'],
  ['geometry', 'geometry'],
]);

const maxOddTypes = 5;

/** Members with a reference system, of GeoJSON before RFC 7946 and of EsriJSON. */
const systemMembers = ['crs', 'spatialReference'];
/** The length of such a member in bytes: definitions are shorter. */
const maxSystemLength = 16 * 1024;
/** The number of different ones that are kept. */
const maxSystems = 4;

/** Members that are no attributes of a feature without `properties`. */
const ownMembers = new Set([...roleByName.keys(), ...'type id geometry bbox name crs arcs'.split(' ')]);

/** An open object or list: its role, that of its next value, and if a name comes next. */
interface Level {
  isObject: boolean;
  role: Role;
  next: Role;
  expectsName: boolean;
}

/** Follows one or several JSON texts byte by byte; non-ASCII bytes are in strings only. */
class Follower {
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** By depth. The one around all texts is a list of features. */
  readonly #levels = Array.from(
    { length: maxDepth + 1 },
    (_, i): Level => ({ isObject: i === 0, role: 'other', next: 'feature', expectsName: false }),
  );
  /** The kept string: its start in the current bytes, or -1; and its part in earlier ones. */
  #from = -1;
  #begun = '';
  /** The last name in the outermost object. */
  #name = '';
  /** The outermost value: its `type`, its line, and if it is an object. */
  #type = '';
  #startsOn = 1;
  #isObject = false;
  #line = 1;
  #attribute: string | undefined;
  readonly #withNumbers = new Set<string>();
  readonly #withBooleans = new Set<string>();
  /** Attributes of the current layer. */
  #names = new Set<string>();
  #described = 0;
  #fieldsBefore = 0;
  #maxFields = 0;
  layers = 0;
  /** The depth of the object whose member is being kept, from its value on, or 0. */
  #keptDepth = 0;
  #kept: number[] = [];
  #features = 0;
  /** The last feature that named a system. */
  #lastWithSystem = 0;
  /** By text, the features that name it, or whose geometries do; and what the outermost object does. */
  readonly systems = new Map<string, { features: number; last: number }>();
  rootSystem: string | undefined;
  /** True where the type of a geometry comes next. */
  #typeNext = false;
  /** Of geometries that are not known. */
  readonly oddTypes = new Set<string>();
  #lastWithCoordinates = 0;
  /** Features whose geometry has lists of positions. */
  withCoordinates = 0;
  /** True where a geometry of EsriJSON has curves. */
  hasCurves = false;
  /** Features that name a system. */
  withSystem = 0;
  /** The number of outermost objects and lists so far. */
  texts = 0;
  type = '';
  /** The first outermost value that is neither a feature nor a geometry: its line from 1, and its kind. */
  odd: { line: number; what: string } | undefined;
  readonly members = new Map<string, string>();
  /** The outermost list of descriptions of attributes, which is kept whole: where it begins in the current bytes, or -1; and what there is so far. */
  #fieldsFrom = -1;
  #fieldsText: Buffer[] = [];
  #fieldsLength = 0;

  get inside(): boolean {
    return this.#depth > 0 || this.#inString;
  }

  /** The attributes of all layers so far, and of the largest one. */
  get fields(): { all: number; max: number } {
    const own = this.#names.size + this.#described;
    return { all: this.#fieldsBefore + own, max: Math.max(this.#maxFields, own) };
  }

  /** @returns the bytes with each text on its own line, if `copy` is given */
  take(bytes: Uint8Array, copy?: Uint8Array): number {
    let written = 0;
    if (this.#from >= 0) this.#from = 0;
    if (this.#fieldsFrom >= 0) this.#fieldsFrom = 0;
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes[i] as number;
      let out = byte;
      if (byte === newline) this.#line++;
      if (this.#keptDepth > 0) this.#keepSystem(byte);
      if (this.#attribute !== undefined && byte > blank && byte !== colon) this.#valueBegins(byte);
      if (this.#inString) {
        if (this.#escaped) this.#escaped = false;
        else if (byte === backslash) this.#escaped = true;
        else if (byte === quote) this.#stringEnds(bytes, i);
      } else if (byte === quote) {
        this.#inString = true;
        if (this.#depth === 1 || this.#typeNext || this.#levels[this.#depth]?.expectsName) this.#from = i + 1;
        if (this.#depth === 0) this.odd ??= { line: this.#line, what: 'no object' };
      } else if (byte === opens || byte === opensList) {
        if (this.#depth === 0) {
          this.texts++;
          this.#isObject = byte === opens;
          this.#type = '';
          this.#startsOn = this.#line;
        }
        if (byte === opensList && this.#depth === 1 && this.#name === 'fields' && this.texts === 1)
          this.#fieldsFrom = i;
        this.#begins(byte === opens);
      } else if (byte === closes || byte === closesList) {
        if (this.#depth === 1) this.#textEnds();
        this.#depth = Math.max(0, this.#depth - 1);
        if (this.#depth === 1 && this.#fieldsFrom >= 0) {
          this.#keepFields(bytes, i + 1);
          this.#fieldsFrom = -1;
        }
        if (this.#depth === 0 && copy) {
          copy[written++] = byte;
          out = newline;
        }
      } else if (byte === comma && this.#depth > 0) {
        const level = this.#levels[this.#depth];
        if (level) level.expectsName = level.isObject;
        this.#typeNext = false;
      } else if (byte > 0x7f || byte === newline || byte === carriageReturn || byte === recordSeparator) {
        out = blank;
      } else if (this.#depth === 0 && byte !== blank && byte !== tab) {
        this.odd ??= { line: this.#line, what: 'no object' };
      }
      if (copy && (out !== blank || this.#depth > 0)) copy[written++] = out;
    }
    if (this.#from >= 0) this.#keep(bytes, bytes.length);
    if (this.#fieldsFrom >= 0) this.#keepFields(bytes, bytes.length);
    return written;
  }

  #keepFields(bytes: Uint8Array, end: number): void {
    this.#fieldsLength += end - this.#fieldsFrom;
    if (this.#fieldsLength <= maxFieldsLength)
      this.#fieldsText.push(Buffer.from(bytes.subarray(this.#fieldsFrom, end)));
  }

  /** The texts of codes by attribute, of EsriJSON. @throws RangeError where their list is too long */
  get codedValues(): Map<string, Map<string, string>> {
    if (this.#fieldsLength > maxFieldsLength) throw new RangeError('its list of attributes is too long');
    return codedValuesOf(Buffer.concat(this.#fieldsText).toString('utf8'));
  }

  #hasCoordinates(): void {
    const feature = Math.max(1, this.#features, this.texts);
    if (this.#lastWithCoordinates !== feature) this.withCoordinates++;
    this.#lastWithCoordinates = feature;
  }

  get features(): number {
    return Math.max(1, this.#features);
  }

  /** Keeps the value of a member up to the comma or bracket that ends it. */
  #keepSystem(byte: number): void {
    const isEnd = this.#depth === this.#keptDepth && !this.#inString && (byte === comma || byte === closes);
    if (!isEnd) {
      if (this.#kept.length < maxSystemLength) this.#kept.push(byte);
      return;
    }
    const text = Buffer.from(this.#kept).toString('utf8').replace(/^\s*:/, '').trim();
    if (text !== 'null') this.#systemNamed(text, this.#keptDepth === 1);
    this.#keptDepth = 0;
    this.#kept = [];
  }

  #systemNamed(text: string, isRoot: boolean): void {
    // Of several texts in a row, each is a feature.
    if (isRoot && this.texts === 1) this.rootSystem = text;
    const feature = isRoot ? this.texts : Math.max(this.#features, this.texts);
    if (isRoot && this.texts === 1) return;
    const known = this.systems.get(text) ?? { features: 0, last: 0 };
    if (this.systems.size < maxSystems) this.systems.set(text, known);
    if (known.last !== feature) known.features++;
    known.last = feature;
    if (this.#lastWithSystem !== feature) this.withSystem++;
    this.#lastWithSystem = feature;
  }

  #begins(isObject: boolean): void {
    const around = this.#levels[this.#depth];
    const level = this.#levels[++this.#depth];
    if (!level || !around) return;
    level.role = 'other';
    if (around.isObject) level.role = around.next;
    else if (isObject && around.role === 'features') {
      level.role = 'feature';
      this.#features++;
    } else if (isObject && around.role === 'parts') level.role = 'geometry';
    else if (!isObject && around.role === 'coordinates') this.#hasCoordinates();
    else if (isObject && around.role === 'fields') this.#described++;
    level.isObject = isObject;
    level.expectsName = isObject;
    level.next = 'other';
  }

  #keep(bytes: Uint8Array, end: number): void {
    const stop = Math.min(end, this.#from + maxNameLength - this.#begun.length);
    if (stop <= this.#from) return;
    const { buffer, byteOffset } = bytes;
    this.#begun += Buffer.from(buffer, byteOffset + this.#from, stop - this.#from).toString('latin1');
  }

  #stringEnds(bytes: Uint8Array, at: number): void {
    this.#inString = false;
    if (this.#from < 0) return;
    this.#keep(bytes, at);
    const text = unescaped(this.#begun);
    this.#from = -1;
    this.#begun = '';
    const level = this.#levels[this.#depth];
    if (this.#typeNext) {
      this.#typeNext = false;
      // GDAL takes them in any case.
      if (!knownTypes.has(text.toLowerCase()) && this.oddTypes.size < maxOddTypes)
        this.oddTypes.add(text.slice(0, maxTokenLength));
    } else if (level?.expectsName) this.#named(text, level);
    else if (this.#depth === 1) {
      const token = text.slice(0, maxTokenLength);
      if (this.#name === 'type') this.#type = token;
      if (this.texts === 1 && this.members.has(this.#name)) this.members.set(this.#name, token);
    }
  }

  #named(name: string, level: Level): void {
    const { role } = level;
    level.expectsName = false;
    if (this.#depth === 1) {
      this.#name = name;
      if (this.members.size < maxMembers && !this.members.has(name)) this.members.set(name, '');
    }
    if (role === 'layers') this.#layerEnds();
    level.next = role === 'layers' ? 'feature' : (role === 'feature' && roleByName.get(name)) || 'other';
    if (role === 'geometry') {
      level.next = 'coordinates';
      this.#typeNext = name === 'type';
      this.hasCurves ||= name === 'curveRings';
    }
    if (role === 'geometry' && name === 'geometries') level.next = 'parts';
    if ((role === 'feature' || role === 'geometry') && systemMembers.includes(name))
      this.#keptDepth = this.#depth;
    // Other objects are features of one layer.
    if (name === 'geometries' && this.#levels[this.#depth - 1]?.role === 'layers') this.layers++;
    if (role !== 'attributes' && (role !== 'feature' || ownMembers.has(name))) return;
    this.#attribute = name;
    if (this.#names.size <= maxFields) this.#names.add(name);
  }

  #valueBegins(byte: number): void {
    const name = this.#attribute as string;
    this.#attribute = undefined;
    if (byte === 0x74 || byte === 0x66) this.#withBooleans.add(name);
    else if (byte === minus || (byte >= zero && byte <= nine)) this.#withNumbers.add(name);
  }

  get mixed(): Set<string> {
    const names = [...this.#withBooleans].filter((name) => this.#withNumbers.has(name));
    return new Set(names.map((name) => Buffer.from(name, 'latin1').toString('utf8')));
  }

  #layerEnds(): void {
    const { all, max } = this.fields;
    this.#fieldsBefore = all;
    this.#maxFields = max;
    this.#names = new Set();
    this.#described = 0;
  }

  #textEnds(): void {
    if (this.texts === 1) this.type = this.#type;
    if (this.#type === 'Feature' || geometryTypes.has(this.#type)) return;
    const type = this.#type.replace(/[^\w .-]/g, '?');
    const object = type === '' ? 'an object without a type' : `of the type ${type}`;
    this.odd ??= { line: this.#startsOn, what: this.#isObject ? object : 'a list' };
  }
}

/** The kind of a JSON text by its outermost members, with the number of attributes. @throws FileError `layers_too_many`, `fields_too_many` */
export async function jsonKind(entry: Pick<FileEntry, 'path' | 'read'>) {
  const follower = new Follower();
  const answer = new PartialAnswer();
  for await (const chunk of entry.read()) {
    follower.take(chunk);
    requireFields(follower.fields.max, entry.path);
    requireLayers(follower.layers);
    answer.take(Buffer.from(chunk).toString('latin1'));
  }
  const format = formatOf(follower);
  return {
    format,
    /** True where the text ends within a value. */
    cut: follower.inside,
    members: [...follower.members.keys()],
    /** The number of texts in a row, and the first of several that is neither a feature nor a geometry. */
    texts: follower.texts,
    odd: format === 'GeoJSON lines' ? follower.odd : undefined,
    layers: Math.max(1, follower.layers),
    fields: follower.fields.all,
    mixed: follower.mixed,
    hasCurves: format === 'EsriJSON' && follower.hasCurves,
    /** EsriJSON: the texts of coded values, by attribute and code. */
    codedValues: format === 'EsriJSON' ? follower.codedValues : undefined,
    oddTypes: [...follower.oddTypes],
    // Of several texts in a row, each may be a geometry; those of TopoJSON have arcs.
    withCoordinates: format === 'GeoJSON' || format === 'EsriJSON' ? follower.withCoordinates : undefined,
    systems: systemsIn(follower, format),
    /** True where the service that made it says that it sent only a part. */
    exceeded: answer.isPart,
  };
}

/** The reference systems that a JSON text names beside the usual place: the outermost object of GeoJSON or EsriJSON. */
export interface JsonSystems {
  /** What is named there. */
  root: string | undefined;
  /** True where every feature names the one system, or its geometry does. */
  byAll: boolean;
  elsewhere: SystemElsewhere[];
}

function systemsIn(follower: Follower, format: JsonFormat | undefined): JsonSystems {
  const { systems, rootSystem, texts } = follower;
  const isLines = format === 'GeoJSON lines';
  const features = isLines ? texts : follower.features;
  let { withSystem } = follower;
  /** By definition, as a system has several names. */
  const found = new Map<string, number>();
  const note = (text: string, count: number) => {
    const definition = definitionIn(text);
    if (definition !== undefined) found.set(definition, (found.get(definition) ?? 0) + count);
    return definition !== undefined;
  };
  for (const [text, { features: count }] of systems) if (!note(text, count)) withSystem -= count;
  if (isLines && rootSystem !== undefined && note(rootSystem, 1)) withSystem++;
  const elsewhere = [...found].map(([definition, count]) => ({
    definition,
    where: `${count === features ? 'all' : count} of its ${features} features, or their geometries`,
  }));
  return {
    root: isLines || rootSystem === undefined ? undefined : definitionIn(rootSystem),
    byAll: found.size === 1 && withSystem >= features,
    elsewhere,
  };
}

/** The definition in a `crs` of GeoJSON (of 2008) or a `spatialReference` of EsriJSON; its text where it is of another form; undefined where it says nothing. */
function definitionIn(text: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const members = Object(value) as Record<string, unknown>;
  if (Object.values(members).every((member) => member === null)) return undefined;
  // A text of people's own names a system, or nothing, as "none" does.
  if (typeof value !== 'object') return epsgOfName(String(value));
  const { properties, wkid, latestWkid, wkt } = members;
  if (typeof wkt === 'string') return wkt;
  const { code, name } = Object(properties) as Record<string, unknown>;
  const number = latestWkid ?? wkid ?? code ?? undefined;
  if (number !== undefined) return `EPSG:${webMercator.has(Number(number)) ? 3857 : Number(number)}`;
  return typeof name === 'string' ? (epsgOfName(name) ?? name) : text;
}

/** Esri's and others' codes of Web Mercator. */
const webMercator = new Set([102_100, 102_113, 900_913]);

/** The texts of codes by attribute, as ArcGIS's services describe them (ArcGIS REST API, "Domain objects"). */
function codedValuesOf(text: string): Map<string, Map<string, string>> {
  const found = new Map<string, Map<string, string>>();
  let fields: unknown;
  try {
    fields = JSON.parse(text || '[]');
  } catch {
    // GDAL refuses the file.
    return found;
  }
  for (const field of Array.isArray(fields) ? fields : []) {
    const values: unknown = field?.domain?.codedValues;
    if (typeof field?.name !== 'string' || !Array.isArray(values)) continue;
    const named = values.filter((value) => typeof value?.name === 'string');
    found.set(field.name, new Map(named.map(({ code, name }) => [String(code), name])));
  }
  return found;
}

/** @param name in Latin-1 */
function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return JSON.parse(`"${name}"`);
  } catch {
    return name;
  }
}

function formatOf({ members, texts, type }: Follower): JsonFormat | undefined {
  if (type === 'Topology') return 'TopoJSON';
  if (/^esriGeometry/.test(members.get('geometryType') ?? '')) return 'EsriJSON';
  if (!/^Feature(Collection)?$/.test(type) && !geometryTypes.has(type)) return undefined;
  return texts > 1 ? 'GeoJSON lines' : 'GeoJSON';
}

const geometryTypes = new Set(
  'Polygon MultiPolygon GeometryCollection Point MultiPoint LineString MultiLineString'.split(' '),
);

const knownTypes = new Set([...geometryTypes].map((type) => type.toLowerCase()));

/** Writes the texts of a file one a line, as GDAL needs them. */
export async function writeLines(entry: FileEntry, target: string): Promise<void> {
  const follower = new Follower();
  async function* read() {
    for await (const chunk of entry.read()) {
      const copy = new Uint8Array(2 * chunk.length);
      yield copy.subarray(0, follower.take(chunk, copy));
    }
  }
  await unpackTo({ read }, target);
}
