import type { LayerReport } from '../core/coverage/submissions/report.ts';
import { isTangle } from '../geometry/crossings.ts';
import {
  type Box,
  cornersOf,
  emptyBox,
  extendBox,
  type Polygon,
  ringBox,
  vertexCount,
} from '../geometry/polygon.ts';
import { type OfferOfFeature, offerReader } from './attributes.ts';
import { CoverageRows, type Send } from './coverage-rows.ts';
import { ClassesNeeded, IngestError } from './errors.ts';
import type { ReaderTask } from './messages.ts';
import { mayBeCoverage, planarArea } from './plausibility.ts';
import { exampleOf, maxExamples } from './problems.ts';
import type { DropReason, SourceFeature, SourceLayer } from './read/format.ts';
import { openSource } from './read/open.ts';
import { pulse } from './read/pulse.ts';
import {
  areSwapped,
  axesSwapped,
  isNoPlaceInDegrees,
  liesOutside,
  type Position,
  questionOfSystem,
  type ReferenceSystem,
  rasterOutside,
  referenceSystems,
  toLngLat,
} from './reference-system.ts';
import { Seen } from './seen.ts';
import { transformer } from './transform.ts';

/* Reads a file of coverage: features in, finished rows out. */

type CoverageTask = Extract<ReaderTask, { kind: 'coverage' }>;

/** Of names and values in the report, in characters. */
const maxTextLength = 200;
/** Of a layer's features, those that tell where it lies: so many, of so many vertices at most but for the last one. */
const maxFirst = 500;
const maxFirstVertices = 32 * 1024;
/** Of which so many positions are looked at. */
const maxPositions = 16;

/** Reads a file of coverage. @throws IngestError as the readers do, and where nothing of it can be loaded */
export async function readCoverage(task: CoverageTask, send: Send): Promise<void> {
  const source = await openSource(task.file, task.name, task.scratch, task.options);
  const rows = new CoverageRows(task, send, source.bytesTotal);
  const systemOf = referenceSystems(task.serviceArea);
  const seen = new Seen();
  try {
    let layerReading: LayerReading | undefined;
    for (const layer of source.layers) {
      layerReading = new LayerReading(layer, task, rows, seen, systemOf);
      await layerReading.read();
    }
    if (rows.read.rows === 0) throw nothingLoaded(rows, layerReading);
    await rows.end();
  } finally {
    await rows.close();
    source.close();
  }
}

/** Of the layer's coordinates. */
interface DroppedExample {
  feature: number;
  name: string | undefined;
  /** The text that could not be used, where there is one. */
  value: string | undefined;
  position: Position | undefined;
}

class LayerReading {
  readonly #layer: SourceLayer;
  readonly #task: CoverageTask;
  readonly #rows: CoverageRows;
  readonly #seen: Seen;
  readonly #systemOf: (definition: string) => Promise<ReferenceSystem>;
  readonly #report: LayerReport;
  readonly #offers: ReturnType<typeof offerReader>;
  /** What features cover, in the layer's coordinates. */
  readonly box: Box = emptyBox();
  system: ReferenceSystem | undefined;
  #transform: ReturnType<typeof transformer> | undefined;
  /** Until they have told where the layer lies. */
  readonly #first: { feature: SourceFeature; tier: number }[] = [];
  #firstVertices = 0;
  readonly #dropped: Partial<Record<DropReason, { count: number; examples: DroppedExample[] }>> = {};
  /** In the square of the layer's unit: of all features, and of those dropped that may be coverage. */
  readonly #area = { read: 0, dropped: 0 };

  constructor(
    layer: SourceLayer,
    task: CoverageTask,
    rows: CoverageRows,
    seen: Seen,
    systemOf: (definition: string) => Promise<ReferenceSystem>,
  ) {
    this.#layer = layer;
    this.#task = task;
    this.#rows = rows;
    this.#seen = seen;
    this.#systemOf = systemOf;
    this.#offers = offerReader(layer, task.rules);
    const { mapping } = this.#offers;
    const used = new Set(mapping.map(({ attribute }) => attribute));
    this.#report = {
      name: shortened(layer.name),
      format: layer.format,
      reference_system: '',
      reference_system_from: 'manifest',
      encoding: layer.encoding,
      attributes: layer.fields,
      mapping,
      unused: layer.fields.filter((field) => !used.has(field)),
      features: 0,
    };
  }

  async read(): Promise<void> {
    await this.#askFile();
    this.#rows.beginLayer(this.#layer, this.#report);
    try {
      for await (const feature of this.#layer.features()) {
        this.#report.features++;
        pulse();
        const waiting = this.#take(feature);
        if (waiting) await waiting;
      }
    } catch (error) {
      throw error instanceof ClassesNeeded ? (this.#elsewhere() ?? error) : error;
    }
    if (!this.#transform && this.#first.length > 0) await this.#takeFirst();
    await this.#rows.endLayer();
    this.#rows.read.warnings.push(...this.#offers.warnings(), ...this.#layer.warnings);
    this.#noteDropped();
  }

  /** That it is a raster of which nothing lies in the service area: then nobody needs to say what its pixels mean. */
  #elsewhere(): IngestError | undefined {
    const { extent, name } = this.#layer;
    const isOutside = this.system && extent && liesOutside(this.system, extent, this.#task.serviceArea);
    return isOutside ? rasterOutside(shortened(name), this.system as ReferenceSystem) : undefined;
  }

  /** What the layer, or else the manifest, says of its reference system. */
  async #askFile(): Promise<void> {
    const { crs } = this.#task;
    const given = this.#layer.referenceSystem;
    const said = crs === undefined ? undefined : await this.#systemOf(crs);
    this.system = said;
    if (given) {
      try {
        const system = await this.#systemOf(given.definition);
        // Where the file names a datum that nobody knows, somebody may know better.
        if (!(said && system.possibleErrorM !== undefined)) {
          this.system = system;
          this.#report.reference_system_from = given.from;
        }
      } catch (error) {
        // Somebody was asked, and answered.
        if (!(said && error instanceof IngestError)) throw error;
      }
      if (
        this.#report.reference_system_from === 'file' &&
        said &&
        this.system &&
        !isSame(this.system, said)
      ) {
        this.#rows.read.warnings.push({
          code: 'crs_not_used',
          message: `The layer ${this.#report.name} is in ${this.system.name} by the file itself; ${said.name}, which the manifest names, was not used.`,
        });
      }
    }
    this.#report.reference_system = this.system?.name ?? '';
  }

  /** @returns what there is to wait for */
  #take(feature: SourceFeature): Promise<void> | undefined {
    this.#area.read += planarArea(feature.polygons);
    feature.name = shortened(feature.name);
    const found: OfferOfFeature = feature.dropped
      ? { dropped: feature.dropped }
      : this.#offers.offerOf(feature);
    if ('dropped' in found) return this.#drop(found.dropped, feature, found.value);
    if (isTangle(feature.polygons)) return this.#drop('crosses_itself_too_often', feature);
    const tier = this.#rows.tierOf(found);
    if (!this.#seen.add(feature.polygons, tier)) return this.#drop('duplicate', feature);
    this.#rows.addOffer(found, this.#report.mapping);
    const vertices = vertexCount(feature.polygons);
    this.#rows.read.vertices += vertices;
    for (const [outer] of feature.polygons) if (outer) extendBox(this.box, ringBox(outer));
    if (this.#transform) return this.#addRows(feature, tier);
    this.#first.push({ feature: { ...feature, polygons: copyOf(feature.polygons) }, tier });
    this.#firstVertices += vertices;
    const isEnough = this.#first.length >= maxFirst || this.#firstVertices >= maxFirstVertices;
    return isEnough ? this.#takeFirst() : undefined;
  }

  /** Once the first features tell where the layer lies. */
  async #takeFirst(): Promise<void> {
    const { west, south, east, north } = this.#task.serviceArea;
    const system = await this.#locate();
    this.system = system;
    this.#transform = transformer(system, [west, south, east, north]);
    for (const { feature, tier } of this.#first.splice(0)) await this.#addRows(feature, tier);
  }

  async #locate(): Promise<ReferenceSystem> {
    const { serviceArea, crs } = this.#task;
    const positions = this.#firstPositions();
    // Impossible degrees: the file or its format is wrong about its reference system.
    const isMistaken =
      this.#report.reference_system_from !== 'manifest' &&
      this.system?.projected === false &&
      positions.every(isNoPlaceInDegrees);
    if (isMistaken) {
      this.system = crs === undefined ? undefined : await this.#systemOf(crs);
      this.#report.reference_system_from = 'manifest';
    }
    if (!this.system)
      throw await questionOfSystem(this.#report.name, [...positions, ...cornersOf(this.box)], serviceArea);
    this.#report.reference_system = this.system.name;
    if (areSwapped(this.system, positions, serviceArea)) throw axesSwapped(this.system);
    this.#rows.warnAboutSystem(this.system);
    return this.system;
  }

  /** Those of features spread over the first ones. */
  #firstPositions(): Position[] {
    const step = Math.max(1, Math.ceil(this.#first.length / maxPositions));
    const positions: Position[] = [];
    for (let i = 0; i < this.#first.length; i += step) {
      const position = positionOf(this.#first[i]?.feature as SourceFeature);
      if (position) positions.push(position);
    }
    return positions;
  }

  #addRows(feature: SourceFeature, tier: number): Promise<void> | undefined {
    const inDegrees = (this.#transform as ReturnType<typeof transformer>)(feature.polygons);
    return this.#rows.add(feature, tier, inDegrees);
  }

  #drop(reason: DropReason, feature: SourceFeature, value?: string): undefined {
    this.#dropped[reason] ??= { count: 0, examples: [] };
    const { examples } = this.#dropped[reason];
    this.#dropped[reason].count++;
    if (mayBeCoverage(reason)) this.#area.dropped += planarArea(feature.polygons);
    if (examples.length < maxExamples) {
      const { id, name } = feature;
      examples.push({ feature: id, name, value: shortened(value), position: positionOf(feature) });
    }
  }

  /** Where the features were that did not even get to degrees. */
  #noteDropped(): void {
    const { problems, read } = this.#rows;
    const { name: layer } = this.#report;
    for (const [reason, { count, examples }] of Object.entries(this.#dropped)) {
      problems.note(
        { kind: 'dropped', reason, count },
        examples.map(({ position, ...one }) => {
          const [place] = this.system && position ? toLngLat(this.system, [position]) : [];
          return exampleOf({ layer, ...one }, place);
        }),
      );
    }
    if (this.#area.dropped > 0)
      read.droppedAreas.push({ layer, share: this.#area.dropped / this.#area.read });
  }
}

/** Reasons that the manifest can resolve. */
const unlistedReasons = ['value_not_listed', 'technology_unknown', 'availability_unknown'] as const;
const speedReasons = ['speed_not_a_number', 'speed_out_of_range', 'no_speed'] as const;

/** @param layer the last one */
function nothingLoaded({ problems, read }: CoverageRows, layer: LayerReading | undefined): IngestError {
  const dropped = problems.dropped();
  const count = read.layers.reduce((sum, { features }) => sum + features, 0);
  if (dropped.outside_service_area) {
    const [xmin, ymin, xmax, ymax] = (layer?.box ?? []).map((value) => Math.round(value * 1000) / 1000);
    return new IngestError(
      'outside_service_area',
      `None of the coverage lies in the service area. Its coordinates run from ${xmin}, ${ymin} to ${xmax}, ${ymax} in ${layer?.system?.name}.`,
    );
  }
  if (count === 0) return new IngestError('no_areas', 'The file holds no features.');
  const values = problems.values();
  const met = values.length > 0 ? ` They have ${values.map((value) => `"${value}"`).join(', ')}.` : '';
  const none = `None of the ${count} features`;
  const why = `${none} could be used: ${problems.inWords()}.`;
  if (unlistedReasons.some((reason) => dropped[reason])) return new IngestError('values_unknown', why + met);
  if (speedReasons.some((reason) => dropped[reason]))
    return new IngestError('no_usable_speeds', `${none} has speeds that can be used.${met}`);
  return new IngestError('no_areas', why);
}

const isSame = (a: ReferenceSystem, b: ReferenceSystem) =>
  a.definition === b.definition || (a.srid !== undefined && a.srid === b.srid) || (a.wgs84 && b.wgs84);

const copyOf = (polygons: readonly Polygon[]) => polygons.map((rings) => rings.map((ring) => ring.slice()));

/** A text out of the file, short enough to be shown. */
function shortened<T extends string | undefined>(text: T): T {
  return (
    text !== undefined && text.length > maxTextLength ? `${text.slice(0, maxTextLength)}...` : text
  ) as T;
}

/** Somewhere on the feature, in its layer's coordinates. */
function positionOf(feature: SourceFeature): Position | undefined {
  const [x, y] = feature.polygons[0]?.[0] ?? [];
  return x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}
