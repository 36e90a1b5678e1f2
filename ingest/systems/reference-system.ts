import type { SourceLayer } from '@covermap/coverage-files/format.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { type Box, boxesMeet, ringBox } from '@covermap/geometry/polygon.ts';
import type { ReferenceSystemChoice } from '../../platform/error-report.ts';
import { IngestError, isAboutFile, WhichReferenceSystem } from '../errors.ts';
import {
  codesOfDatum,
  commonCode,
  comparedDatum,
  type Definition,
  type Described,
  degreesWithoutDatum,
  international1924,
  isModern,
  isSameProjection,
  readDefinition,
  withoutName,
} from './known-systems.ts';
import { projections, type Transform } from './projections.ts';

/** A reference system, with its transformation to degrees of WGS 84. */
export interface ReferenceSystem {
  /** For PROJ: WKT, or `EPSG:<code>`. */
  definition: string;
  /** EPSG's code, if it is a common one. */
  srid?: number | undefined;
  /** True where its coordinates are lengths and not degrees. */
  projected: boolean;
  /** The size of its unit, in metres or degrees. */
  unit: number;
  /** True where its coordinates are longitude and latitude in WGS 84: nothing to transform. */
  wgs84: boolean;
  name: string;
  /** The name of its vertical system: heights are ignored. */
  heights?: string | undefined;
  /** The possible error in metres, if the datum is unknown. */
  possibleErrorM?: number;
  toWgs84: Transform;
  fromWgs84: Transform;
}

/** A system before PROJ checks it, with its description. */
interface Found {
  system: Omit<ReferenceSystem, 'possibleErrorM' | 'toWgs84' | 'fromWgs84'>;
  described: Described;
}

const maxDefinitionLength = 65_536;
/** A tenth of a thousandth of a millimetre, in degrees. */
const sameDegrees = 1e-12;

/** A decimetre, in degrees: projections do not invert exactly, and every datum shift is larger. */
const unshiftedDegrees = 1e-6;

const wgs84Definition = 'EPSG:4326';

/** Resolves WKT of any dialect that PROJ reads, or `EPSG:<code>`; {@link referenceSystems} does for several. @throws IngestError `reference_system_unknown` */
export async function resolveReferenceSystem(
  definition: string,
  serviceArea: Bounds,
): Promise<ReferenceSystem> {
  const code = /^EPSG:(\d{4,6})$/i.exec(definition)?.[1];
  const found = code === undefined ? await describeWkt(definition) : await describeEpsg(Number(code));
  if (!found) throw unknown(definition);
  const { system, described } = found;
  if (system.srid !== undefined && degreesOfWgs84.has(system.srid))
    return { ...system, wgs84: true, toWgs84: asTheyStand, fromWgs84: asTheyStand };
  const transforms = await transformsOf(definitionOf(system));
  const same = transforms && isIdentity(transforms, serviceArea);
  if (!transforms || same === undefined) throw unknown(definition);
  const resolved = { ...system, ...transforms, wgs84: !system.projected && same };
  if (await isShifted(found, transforms, serviceArea)) return resolved;
  return { ...resolved, possibleErrorM: await possibleError(described, serviceArea) };
}

/** The definition for PROJ, which knows its own codes best. */
const definitionOf = ({ srid, definition }: Found['system']) =>
  srid === undefined ? definition : `EPSG:${srid}`;

export function referenceSystems(serviceArea: Bounds): (definition: string) => Promise<ReferenceSystem> {
  const known = new Map<string, Promise<ReferenceSystem>>();
  return (definition) => {
    const found = known.get(definition) ?? resolveReferenceSystem(definition, serviceArea);
    known.set(definition, found);
    return found;
  };
}

/** WGS 84 and NZGD2000, which PROJ treats as equal: they need no PROJ. */
const degreesOfWgs84 = new Map([
  [4326, 'WGS 84'],
  [4167, 'NZGD2000'],
]);
const wgs84Text =
  'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]]';

function asTheyStand(): void {}

type Transforms = Pick<ReferenceSystem, 'toWgs84' | 'fromWgs84'>;

async function transformsOf(definition: string): Promise<Transforms | undefined> {
  const proj = await projections();
  const toWgs84 = proj.between(definition, wgs84Definition);
  const fromWgs84 = toWgs84 && proj.between(wgs84Definition, definition);
  return toWgs84 && fromWgs84 && { toWgs84, fromWgs84 };
}

/** Tells if WGS 84 stays as it is; undefined where PROJ cannot use the definition. The test points are within reach of every useful system. */
function isIdentity(system: Transforms, area: Bounds): boolean | undefined {
  const places = pointsOf(area);
  const there = transformed(places, system.fromWgs84);
  const back = there && transformed(there, system.toWgs84);
  return back && there && areSame(there, places, sameDegrees);
}

/** Tells if PROJ knows the shift from the datum to WGS 84. If it does not, it silently shifts nothing, as in degrees without a datum. */
async function isShifted({ system, described }: Found, { fromWgs84 }: Transforms, area: Bounds) {
  if (isModern(described) || described.datum === 'wgs84' || described.datum === 'nzgd2000') return true;
  const proj = await projections();
  const toNone = proj.between(definitionOf(system), degreesWithoutDatum(described));
  const places = pointsOf(area);
  const there = transformed(places, fromWgs84);
  const unshifted = toNone && there && transformed(there, toNone);
  return !(unshifted && areSame(unshifted, places, unshiftedDegrees));
}

const pointsOf = (area: Bounds): Position[] => [
  [area.west, area.south],
  [area.east, area.north],
  middleOf(area),
];

const middleOf = ({ west, south, east, north }: Bounds): Position => [(west + east) / 2, (south + north) / 2];

/** Transformed positions; undefined if one of them fails. */
function transformed(positions: readonly Position[], transform: Transform): Position[] | undefined {
  const flat = Float64Array.from(positions.flat());
  transform(flat);
  if (!flat.every(Number.isFinite)) return undefined;
  return positions.map((_, i) => [flat[2 * i] as number, flat[2 * i + 1] as number]);
}

/** Tells if two lists of positions are equal, within a tolerance along each axis. */
const areSame = (positions: readonly Position[], others: readonly Position[], tolerance: number) =>
  positions.length === others.length &&
  positions.every(([x, y], i) => {
    const [otherX, otherY] = others[i] as Position;
    return Math.abs(x - otherX) < tolerance && Math.abs(y - otherY) < tolerance;
  });

/** Checks a definition before PROJ, which accepts file names, too. It is not rewritten: PROJ recognises a datum by the text around its name. */
async function describeWkt(definition: string): Promise<Found | undefined> {
  if (definition.length > maxDefinitionLength || definition.includes('\0')) return undefined;
  const read = readDefinition(definition);
  if (!read) return undefined;
  const { text, described } = read;
  const srid = commonCode(described) ?? (await codeByParameters(described));
  const name = read.name ?? (srid === undefined ? withoutName(described) : `EPSG:${srid}`);
  return foundIn(text, name, srid, read);
}

function foundIn(
  definition: string,
  name: string,
  srid: number | undefined,
  { described, heights }: Definition,
): Found {
  const { projected, unit } = described;
  const system = { definition, name, srid, projected: projected !== undefined, unit, wgs84: false, heights };
  return { system, described };
}

/** The code of a projected system by its parameters, whatever its name. */
async function codeByParameters(described: Described): Promise<number | undefined> {
  const datum = comparedDatum(described);
  if (datum === undefined) return undefined;
  const proj = await projections();
  return codesOfDatum[datum].find((code) => {
    const known = readDefinition(proj.wktOf(`EPSG:${code}`) ?? '')?.described;
    return known && isSameProjection(described, known);
  });
}

async function describeEpsg(code: number): Promise<Found | undefined> {
  const definition = `EPSG:${code}`;
  const ofWgs84 = degreesOfWgs84.get(code);
  const read = readDefinition(ofWgs84 ? wgs84Text : ((await projections()).wktOf(definition) ?? ''));
  return read && foundIn(definition, ofWgs84 ?? read.name ?? definition, code, read);
}

/** The greatest distance in metres between WGS 84 and an unknown datum on this ellipsoid. */
const maxDatumShift = 1000;
/** In metres, between a latitude on the ellipsoid and the same number on a sphere, at 45 degrees. */
const sphereToEllipsoid = 21_400;
const metresOfDegree = 111_200;

/** The possible error of coordinates whose datum PROJ does not know and does not shift. */
async function possibleError({ axis, flattening }: Described, area: Bounds): Promise<number> {
  if (flattening === 0) return sphereToEllipsoid;
  const [axisHere, flatteningHere] = international1924;
  if (Math.abs(axis - axisHere) > 1 || Math.abs(flattening - flatteningHere) > 0.1) return maxDatumShift;
  const [lng, lat] = middleOf(area);
  const nzgd49 = await resolveReferenceSystem('EPSG:4272', area);
  const [[east, north] = [lng, lat]] = transformed([[lng, lat]], nzgd49.toWgs84) ?? [];
  const metres = metresOfDegree * Math.hypot((east - lng) * Math.cos((lat * Math.PI) / 180), north - lat);
  return Math.ceil(metres / 10) * 10;
}

function unknown(definition: string): IngestError {
  const shown = definition.length > 80 ? `${definition.slice(0, 80)}...` : definition;
  return new IngestError(
    'reference_system_unknown',
    `The reference system is not one that can be used: ${shown}`,
  );
}

const inWords = (names: string[]) =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;

export type Position = [x: number, y: number];

/** Tells if none of the positions lies in the service area, but at least half of them do with x and y exchanged. */
export function areSwapped(system: ReferenceSystem, positions: readonly Position[], area: Bounds): boolean {
  if (shareInside(system, positions, area) > 0) return false;
  const swapped = positions.map(([x, y]): Position => [y, x]);
  return shareInside(system, swapped, area) >= 0.5;
}

/** A metre, in degrees: systems that differ by less are one for coverage. */
const sameGround = 1e-5;

/** The max distance in metres between the places of the same coordinates in two systems, in the service area; undefined if unknown. */
function distanceBetween(a: ReferenceSystem, b: ReferenceSystem, area: Bounds): number | undefined {
  const places = pointsOf(area);
  const there = transformed(places, a.fromWgs84);
  const back = there && transformed(there, b.toWgs84);
  if (!back) return undefined;
  if (areSame(back, places, sameGround)) return 0;
  const distances = places.map(([lng, lat], i) => {
    const [otherLng, otherLat] = back[i] as Position;
    return metresOfDegree * Math.hypot((otherLng - lng) * Math.cos((lat * Math.PI) / 180), otherLat - lat);
  });
  return Math.ceil(Math.max(...distances));
}

export const placesAlike = (a: ReferenceSystem, b: ReferenceSystem, area: Bounds) =>
  distanceBetween(a, b, area) === 0;

/** A system that another part of a file names, and in which the coordinates lie elsewhere. */
export interface OtherSystem {
  where: string;
  /** Undefined where it cannot be read. */
  system: ReferenceSystem | undefined;
  message: string;
}

/** The systems of a layer that differ from the used one by more than a metre. @param where the place in the file that names the used one */
export async function systemsThatDiffer(
  {
    name,
    systemsElsewhere = [],
    referenceSystem,
  }: Pick<SourceLayer, 'name' | 'systemsElsewhere' | 'referenceSystem'>,
  used: ReferenceSystem,
  systemOf: (definition: string) => Promise<ReferenceSystem>,
  area: Bounds,
): Promise<OtherSystem[]> {
  const all = systemsElsewhere.map(async ({ where, definition }): Promise<OtherSystem[]> => {
    const system = await systemOf(definition).catch((error) => {
      if (!isAboutFile(error)) throw error;
      return undefined;
    });
    const metres = system && distanceBetween(used, system, area);
    if (metres === 0) return [];
    const called = system?.name ?? definition.slice(0, 80);
    const far = metres === undefined ? '' : `, which is up to ${metres.toLocaleString('en-NZ')} m from it`;
    const crs = system?.srid === undefined ? '"crs"' : `"crs": "EPSG:${system.srid}"`;
    const message = `The layer ${name} is in ${used.name} by ${referenceSystem?.where ?? 'the file'}, and in ${called} by ${where}${far}. The former was used. Name the right one in the manifest, as in ${crs}, or remove the wrong one from the file.`;
    return [{ where, system, message }];
  });
  return (await Promise.all(all)).flat();
}

/** Candidates for the system of a layer that names none. */
const plausibleSystems: [crs: string, name: string][] = [
  ['EPSG:2193', 'NZTM2000'],
  ['EPSG:27200', 'NZMG'],
  ['EPSG:4326', 'WGS 84 or NZGD2000'],
  ['EPSG:4272', 'NZGD49'],
  ['EPSG:3857', 'Web Mercator'],
  ['EPSG:32759', 'UTM zone 59S'],
  ['EPSG:32760', 'UTM zone 60S'],
];

const plausible = (area: Bounds) =>
  Promise.all(
    plausibleSystems.map(async ([crs, name]) => ({ ...(await resolveReferenceSystem(crs, area)), name })),
  );

/** Tells if x and y cannot be longitude and latitude. */
export const isNoPlaceInDegrees = ([x, y]: Position) => Math.abs(x) > 360 || Math.abs(y) > 90;

/** The systems in which all coordinates have a place on earth, likely ones first. @param positions of the layer, including the corners of its box */
export async function referenceSystemChoices(
  positions: readonly Position[],
  area: Bounds,
): Promise<ReferenceSystemChoice[]> {
  const choices: ReferenceSystemChoice[] = [];
  if (positions.length === 0) return choices;
  // Degrees as metres would be near a grid's origin, and metres are no degrees.
  const degrees = !positions.some(isNoPlaceInDegrees);
  for (const system of await plausible(area)) {
    const bbox = system.projected === degrees ? undefined : boxInDegrees(system, positions);
    if (!bbox) continue;
    const likely = boxesMeet(bbox, [area.west, area.south, area.east, area.north]);
    choices.push({ crs: system.definition, name: system.name, bbox, likely });
  }
  return choices.sort((a, b) => Number(b.likely) - Number(a.likely));
}

/** Tells if the box of the positions lies outside the service area, or has no place on earth. */
export function misses(
  { toWgs84 }: ReferenceSystem,
  positions: readonly Position[],
  { west, south, east, north }: Bounds,
): boolean {
  const places = transformed(positions, toWgs84);
  return !places || !boxesMeet(boxAround(places), [west, south, east, north]);
}

/**
 * The systems of {@link referenceSystemChoices} in place of one in which the positions lie outside the service area; none where no other is
 * likely, as for coverage of another country.
 */
export async function choicesInPlaceOf(
  system: ReferenceSystem,
  positions: readonly Position[],
  area: Bounds,
): Promise<ReferenceSystemChoice[]> {
  const choices = await referenceSystemChoices(positions, area);
  const others = choices.filter(({ crs }) => crs !== `EPSG:${system.srid}`);
  return others.some(({ likely }) => likely) ? others : [];
}

/** Undefined if some position has no place there: its transformation fails, or does not invert. */
function boxInDegrees(system: ReferenceSystem, positions: readonly Position[]): Box | undefined {
  const places = transformed(positions, system.toWgs84);
  const back = places && transformed(places, system.fromWgs84);
  if (!back || !areSame(back, positions, system.projected ? 1 : 1e-5)) return undefined;
  if (places.some(([, lat]) => Math.abs(lat) > 90)) return undefined;
  const [west, , east] = boxAround(places);
  // Longitudes across the 180th meridian go on beyond it.
  const turned = places.map(([lng, lat]): Position => [lng < 0 ? lng + 360 : lng, lat]);
  const box = boxAround(east - west > 180 ? turned : places);
  return box.map((degrees) => Math.round(degrees * 1e6) / 1e6) as Box;
}

const boxAround = (positions: readonly Position[]) => ringBox(Float64Array.from(positions.flat()));

/** The error for coordinates without a system. None is guessed: metres fit several grids, and NZGD49 is 200 m from WGS 84. */
export async function questionOfSystem(
  layer: string,
  positions: readonly Position[],
  area: Bounds,
): Promise<IngestError> {
  const choices = await referenceSystemChoices(positions, area);
  const likely = choices.filter((choice) => choice.likely);
  if (likely.length === 0) {
    for (const system of await plausible(area)) {
      if (areSwapped(system, positions, area)) return axesSwapped(system);
    }
  }
  const [position] = positions;
  const example = position === undefined ? '' : ` (such as ${position[0]}, ${position[1]})`;
  const verdict =
    likely.length > 0
      ? `They would lie in the service area as ${inWords(likely.map(({ name }) => name))}`
      : 'They would not lie in the service area in any that is common here';
  const [first] = likely;
  return new WhichReferenceSystem(
    'reference_system_missing',
    `The layer ${layer} does not say which reference system its coordinates${example} are in. ${verdict}.`,
    first
      ? `Choose the one that they are in, as in "crs": "${first.crs}" for ${first.name}, or include the file that says it (.prj for a shapefile).`
      : 'Include the file that says it (.prj for a shapefile), or name it, as in "crs": "EPSG:2193" for NZTM2000.',
    choices,
  );
}

export function axesSwapped(system: ReferenceSystem): IngestError {
  return new IngestError(
    'axes_swapped',
    `The coordinates have their axes swapped: read as ${system.name} they lie far away, with x and y exchanged in the service area.`,
  );
}

/** The share of the positions, 0 to 1, that lie in the service area if they are in the reference system. */
function shareInside(
  system: ReferenceSystem,
  positions: readonly Position[],
  { west, south, east, north }: Bounds,
): number {
  if (positions.length === 0) return 0;
  const inside = toLngLat(system, positions).filter(
    (place) => place && place.lng >= west && place.lng <= east && place.lat >= south && place.lat <= north,
  );
  return inside.length / positions.length;
}

/** The positions in longitude (-180 to 180) and latitude; undefined for one without a place on earth. */
export function toLngLat(
  system: ReferenceSystem,
  positions: readonly Position[],
): ({ lng: number; lat: number } | undefined)[] {
  const flat = Float64Array.from(positions.flat());
  system.toWgs84(flat);
  return positions.map((_, i) => {
    const [lng, lat] = [flat[2 * i] as number, flat[2 * i + 1] as number];
    return Number.isFinite(lng) && Math.abs(lng) <= 360 && Math.abs(lat) <= 90
      ? { lng: wrappedLng(lng), lat }
      : undefined;
  });
}

/** The same longitude between -180 and 180. */
export function wrappedLng(lng: number): number {
  return Math.abs(lng) <= 180 ? lng : ((((lng + 180) % 360) + 360) % 360) - 180;
}

/** Segments of a side: sides are curves after the transformation, and segments are close enough. */
const piecesOfSide = 32;

/** Tells if a raster certainly lies outside the service area: then nobody is asked for the meaning of its pixels. @param extent in the system's coordinates */
export function liesOutside(
  { projected, toWgs84 }: ReferenceSystem,
  [xmin, ymin, xmax, ymax]: Box,
  area: Bounds,
): boolean {
  const side = Math.max(xmax - xmin, ymax - ymin);
  if (!(side > 0 && Number.isFinite(side))) return false;
  // Degrees past 180, or no degrees.
  if (!projected && (xmin < -180 || xmax > 180 || ymin < -90 || ymax > 90)) return false;
  const positions = Array.from({ length: piecesOfSide + 1 }, (_, i): Position[] => {
    const [x, y] = [xmin + ((xmax - xmin) * i) / piecesOfSide, ymin + ((ymax - ymin) * i) / piecesOfSide];
    return [
      [x, ymin],
      [x, ymax],
      [xmin, y],
      [xmax, y],
    ];
  }).flat();
  const places = transformed(positions, toWgs84);
  if (!places) return false;
  return !boxesMeet(boxAround(places), [area.west, area.south, area.east, area.north]);
}

/** @param choices the systems that it may be in instead */
export const rasterOutside = (
  layer: string,
  { name }: ReferenceSystem,
  choices: readonly ReferenceSystemChoice[],
) =>
  outsideServiceArea(
    `According to its reference system, ${name}, the raster ${layer} lies outside the service area.`,
    choices,
  );

/** @param choices the systems that the coordinates may be in instead */
export function outsideServiceArea(message: string, choices: readonly ReferenceSystemChoice[]): IngestError {
  const code = 'outside_service_area';
  const likely = choices.filter((choice) => choice.likely);
  const [first] = likely;
  if (!first) return new IngestError(code, message);
  const names = inWords(likely.map(({ name }) => name));
  return new WhichReferenceSystem(
    code,
    `${message} It would lie there as ${names}.`,
    `If it is in one of these, choose it, as in "crs": "${first.crs}" for ${first.name}; else check that this is the right file.`,
    choices,
  );
}
