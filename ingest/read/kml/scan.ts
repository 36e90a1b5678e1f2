import { requireFields } from '../bounds.ts';
import type { FileEntry } from '../file-set.ts';
import type { OverlayPlacement } from '../raster/overlay.ts';
import { attributesOf, normalStyle } from './attributes.ts';
import { Containers } from './containers.ts';
import { type Cut, cutElements } from './cut.ts';
import { childOf, cleanText, textOf, type XmlElement } from './element.ts';
import { placementOf, regionBox, regionVanishes } from './placement.ts';
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

const parts: ReadonlySet<string> = new Set(
  'name Region visibility TimeSpan StyleMap Placemark GroundOverlay NetworkLink'.split(' '),
);

/** @throws IngestError `fields_too_many`, or an error of {@link cutElements} */
export async function scanKml(entry: FileEntry): Promise<Scan> {
  const scanner = new Scanner(entry);
  for await (const cuts of cutElements(entry, { elements: parts, coordinates: false })) {
    for (const cut of cuts) scanner.take(cut);
  }
  return scanner.scan;
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

class Scanner {
  readonly scan: Scan;
  readonly #containers = new Containers();
  #group: PlacemarkGroup | undefined;
  readonly #groups = new Map<string, PlacemarkGroup>();

  constructor(entry: FileEntry) {
    this.scan = emptyScan(entry);
  }

  take(cut: Cut): void {
    const element = this.#containers.take(cut);
    if (element) this.#element(element);
    else {
      this.#group = undefined;
      this.scan.documentName ||= this.#containers.documentName();
    }
  }

  #element(element: XmlElement): void {
    const { scan } = this;
    switch (element.name) {
      case 'visibility':
        if (cleanText(element.text) === '0') scan.hidden++;
        break;
      case 'TimeSpan':
        if (isOver(element)) scan.past++;
        break;
      case 'StyleMap': {
        const style = normalStyle(element);
        const { id } = element.attributes;
        if (id !== undefined && style !== undefined && scan.styleMaps.size < maxStyleMaps)
          scan.styleMaps.set(id, style);
        break;
      }
      case 'Placemark':
        this.#placemark(element);
        break;
      case 'GroundOverlay':
        this.#overlay(element);
        break;
      case 'NetworkLink': {
        const href = textOf(element, 'Link', 'href') || textOf(element, 'Url', 'href');
        const folders = this.#containers.names();
        if (href === '') this.#count('NetworkLink without an address');
        else scan.links.push({ href, folders, hasRegion: this.#region(element) !== undefined });
      }
    }
  }

  #count(kind: string): void {
    const { others } = this.#findGroup();
    others.set(kind, (others.get(kind) ?? 0) + 1);
  }

  #noteWhetherShown(element: XmlElement): void {
    if (textOf(element, 'visibility') === '0') this.scan.hidden++;
    if (isOver(childOf(element, 'TimeSpan'))) this.scan.past++;
  }

  #placemark(placemark: XmlElement): void {
    const kinds = geometryKinds(placemark);
    if (!kinds.has('Polygon')) {
      for (const kind of kinds.size > 0 ? kinds : ['nothing']) this.#count(kind);
      return;
    }
    this.#findGroup().polygons++;
    this.#noteWhetherShown(placemark);
    for (const name of attributesOf(placemark).keys()) this.scan.fields.add(name);
    requireFields(this.scan.fields.size, this.scan.entry.path);
  }

  #overlay(element: XmlElement): void {
    const name = textOf(element, 'name');
    const href = textOf(element, 'Icon', 'href');
    const placement = placementOf(element);
    if (href === '' || typeof placement === 'string') {
      const what = typeof placement === 'string' ? placement : 'it names no image';
      if (this.scan.unusable.length < 20)
        this.scan.unusable.push(`${name || 'an overlay without a name'} (${what})`);
      return;
    }
    this.#noteWhetherShown(element);
    const region = this.#region(element);
    const drawOrder = Number(textOf(element, 'drawOrder'));
    this.scan.overlays.push({
      name,
      folders: this.#containers.names(),
      href,
      placement,
      drawOrder: Number.isFinite(drawOrder) ? drawOrder : 0,
      hasRegion: region !== undefined,
      vanishes: region !== undefined && regionVanishes(region),
    });
  }

  /** The Region of an element: its own, else that of the nearest container with one. */
  #region(element: XmlElement): XmlElement | undefined {
    const own = childOf(element, 'Region');
    const region = own ?? this.#containers.region();
    return region && regionBox(region) ? region : undefined;
  }

  #findGroup(): PlacemarkGroup {
    if (this.#group) return this.#group;
    const folders = this.#containers.names();
    const key = folders.join('\0');
    this.#group = this.#groups.get(key);
    if (this.#group) return this.#group;
    const { placemarks } = this.scan;
    if (placemarks.length >= maxGroups) return placemarks.at(-1) as PlacemarkGroup;
    this.#group = { folders, polygons: 0, others: new Map() };
    this.#groups.set(key, this.#group);
    placemarks.push(this.#group);
    return this.#group;
  }
}
