import type { FileEntry } from '../file-set.ts';
import { maxFields, requireFields } from '../layers.ts';
import type { LngLat, OverlayPlacement } from '../raster/overlay.ts';
import { attributesOf, declaredFields, normalStyle } from './attributes.ts';
import { Containers } from './containers.ts';
import { cutElements } from './cut.ts';
import { childOf, cleanText, textOf, type XmlElement } from './element.ts';
import { geometryKinds } from './polygons.ts';

/* The first pass over a KML: its contents without coordinates. */

export type Scan = ReturnType<typeof emptyScan>;

const emptyScan = (entry: FileEntry) => ({
  entry,
  /** The name of the outermost Document, '' if it has none. */
  documentName: '',
  /** Placemarks by the names of their folders and documents. */
  placemarks: [] as PlacemarkGroup[],
  /** Attributes of placemarks with polygons, in the order they were met. */
  fields: new Set<string>(),
  /** Attributes that a Schema declares as numbers; and those that a Schema declares otherwise, or that a placemark has without a Schema. */
  numbers: new Set<string>(),
  others: new Set<string>(),
  /** Ids of styles by the ids of the maps that lead to them. */
  styleMaps: new Map<string, string>(),
  overlays: [] as ScannedOverlay[],
  links: [] as ScannedLink[],
  /** Overlays without an image or a usable position, with the reason. */
  unusable: [] as string[],
  /** The number of placemarks, images and containers that are hidden by default. */
  hidden: 0,
  /** The number of those for a time that is over. */
  past: 0,
});

interface PlacemarkGroup {
  folders: string[];
  polygons: number;
  /** The number of placemarks by other kinds of geometry. */
  others: Map<string, number>;
}

export interface ScannedOverlay {
  name: string;
  folders: string[];
  href: string;
  placement: OverlayPlacement;
  drawOrder: number;
  /** True where its visibility depends on the zoom (KML 2.3, 9.17 Region). */
  hasRegion: boolean;
  vanishes: boolean;
}

export interface ScannedLink {
  href: string;
  folders: string[];
  hasRegion: boolean;
}

const maxStyleMaps = 200_000;
const maxGroups = 100_000;
/** Unusable overlays beyond these are not noted. */
const maxUnusable = 20;

/** @throws FileError `fields_too_many`, or an error of {@link cutElements} */
export async function scanKml(entry: FileEntry): Promise<Scan> {
  const scan = emptyScan(entry);
  const containers = new Containers();
  const groups = new Map<string, PlacemarkGroup>();
  let group: PlacemarkGroup | undefined;

  function findGroup(): PlacemarkGroup {
    if (group) return group;
    const folders = containers.names();
    const key = folders.join('\0');
    group = groups.get(key);
    if (group) return group;
    const last = scan.placemarks.at(-1);
    if (last && scan.placemarks.length >= maxGroups) return last;
    group = { folders, polygons: 0, others: new Map() };
    groups.set(key, group);
    scan.placemarks.push(group);
    return group;
  }

  function count(kind: string): void {
    const { others } = findGroup();
    others.set(kind, (others.get(kind) ?? 0) + 1);
  }

  function noteWhetherShown(element: XmlElement): void {
    if (textOf(element, 'visibility') === '0') scan.hidden++;
    if (isOver(childOf(element, 'TimeSpan'))) scan.past++;
  }

  /** The Region of an element: its own, else that of the nearest container with one. */
  function regionOf(element: XmlElement): XmlElement | undefined {
    const region = childOf(element, 'Region') ?? containers.region();
    return region && regionBox(region) ? region : undefined;
  }

  const take: Record<string, (element: XmlElement) => void> = {
    visibility({ text }) {
      if (cleanText(text) === '0') scan.hidden++;
    },
    TimeSpan(span) {
      if (isOver(span)) scan.past++;
    },
    StyleMap(map) {
      const style = normalStyle(map);
      const { id } = map.attributes;
      if (id !== undefined && style !== undefined && scan.styleMaps.size < maxStyleMaps)
        scan.styleMaps.set(id, style);
    },
    Schema(schema) {
      for (const { name, isNumber } of declaredFields(schema)) {
        const names = isNumber ? scan.numbers : scan.others;
        if (names.size < maxFields) names.add(name);
      }
    },
    Placemark(placemark) {
      const kinds = geometryKinds(placemark);
      if (!kinds.has('Polygon')) {
        for (const kind of kinds.size > 0 ? kinds : ['nothing']) count(kind);
        return;
      }
      findGroup().polygons++;
      noteWhetherShown(placemark);
      for (const name of attributesOf(placemark, scan.others).keys()) scan.fields.add(name);
      requireFields(scan.fields.size, entry.path);
    },
    GroundOverlay(overlay) {
      const name = textOf(overlay, 'name');
      const href = textOf(overlay, 'Icon', 'href');
      const placement = placementOf(overlay);
      if (href === '' || typeof placement === 'string') {
        const what = typeof placement === 'string' ? placement : 'it names no image';
        if (scan.unusable.length < maxUnusable)
          scan.unusable.push(`${name || 'an overlay without a name'} (${what})`);
        return;
      }
      noteWhetherShown(overlay);
      const region = regionOf(overlay);
      const vanishes = region !== undefined && regionVanishes(region);
      const order = Number(textOf(overlay, 'drawOrder'));
      const drawOrder = Number.isFinite(order) ? order : 0;
      const folders = containers.names();
      const hasRegion = region !== undefined;
      scan.overlays.push({ name, folders, href, placement, drawOrder, hasRegion, vanishes });
    },
    NetworkLink(link) {
      const href = textOf(link, 'Link', 'href') || textOf(link, 'Url', 'href');
      if (href === '') count('NetworkLink without an address');
      else scan.links.push({ href, folders: containers.names(), hasRegion: regionOf(link) !== undefined });
    },
  };

  const elements: ReadonlySet<string> = new Set(['name', 'Region', ...Object.keys(take)]);
  for await (const cuts of cutElements(entry, { elements, coordinates: false })) {
    for (const cut of cuts) {
      const element = containers.take(cut);
      if (element) take[element.name]?.(element);
      else {
        group = undefined;
        scan.documentName ||= containers.documentName();
      }
    }
  }
  return scan;
}

/** Tells if a TimeSpan has ended (KML 2.3, 15.3: a year, a month, a day or a moment). A year ends with its last day. */
export function isOver(span: XmlElement | undefined, now = Date.now()): boolean {
  const end = textOf(span, 'end').trim();
  const day = /^(?<year>\d{4})(?:-(?<month>\d\d)(?:-(?<day>\d\d))?)?$/.exec(end)?.groups;
  if (!day) return /^\d{4}/.test(end) && Date.parse(end) < now;
  if (Number.isNaN(Date.parse(end))) return false;
  const [year, month, date] = [day.year, day.month, day.day].map(Number) as [number, number, number];
  if (day.month === undefined) return Date.UTC(year + 1, 0, 1) <= now;
  return (day.day === undefined ? Date.UTC(year, month, 1) : Date.UTC(year, month - 1, date + 1)) <= now;
}

/* The place of a GroundOverlay: LatLonBox (KML 2.3, 11.3) or gx:LatLonQuad (11.4). */

export function placementOf(overlay: XmlElement): OverlayPlacement | string {
  const quad = childOf(overlay, 'LatLonQuad');
  if (quad) {
    const reader = childOf(quad, 'coordinates')?.coordinates;
    const points = reader?.finish() ?? new Float64Array();
    if (!reader || reader.malformed || points.length !== 8) return 'its LatLonQuad has not four corners';
    const corner = (i: number): LngLat => [points[i * 2] as number, points[i * 2 + 1] as number];
    const corners: [LngLat, LngLat, LngLat, LngLat] = [corner(0), corner(1), corner(2), corner(3)];
    if (corners.some(([, lat]) => Math.abs(lat) > 90)) return 'its LatLonQuad is not on the earth';
    return { kind: 'quad', corners };
  }
  const box = childOf(overlay, 'LatLonBox');
  if (!box) return 'it has neither LatLonBox nor LatLonQuad';
  const [north, south, east, west] = sides(box);
  const rotationText = textOf(box, 'rotation');
  const rotation = rotationText === '' ? 0 : Number(rotationText);
  if (![north, south, east, west, rotation].every(Number.isFinite)) return 'its LatLonBox is not of numbers';
  if (north <= south || Math.abs(north) > 90 || Math.abs(south) > 90 || east === west) {
    return 'its LatLonBox has no area on the earth';
  }
  // Across the antimeridian east is the smaller number.
  return { kind: 'box', north, south, east: east < west ? east + 360 : east, west, rotation };
}

export function regionBox(region: XmlElement): number[] | undefined {
  const box = childOf(region, 'LatLonAltBox') ?? childOf(region, 'LatLonBox');
  const found = box && sides(box);
  return found?.every(Number.isFinite) ? found : undefined;
}

/** Tells if the content of a Region vanishes close up (KML 2.3, 9.19: it stays where -1 or absent). */
export function regionVanishes(region: XmlElement): boolean {
  const text = textOf(region, 'Lod', 'maxLodPixels');
  return text !== '' && Number(text) >= 0;
}

function sides(box: XmlElement): [north: number, south: number, east: number, west: number] {
  const side = (name: string) => {
    const text = textOf(box, name);
    return text === '' ? Number.NaN : Number(text);
  };
  return [side('north'), side('south'), side('east'), side('west')];
}
