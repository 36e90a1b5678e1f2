import { ClassesNeeded } from '@covermap/coverage-files/errors.ts';
import type { SourceFeature, SourceLayer } from '@covermap/coverage-files/format.ts';
import { openSource } from '@covermap/coverage-files/open.ts';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { isTangle } from '@covermap/geometry/crossings.ts';
import {
  cornersOf,
  emptyBox,
  extendBox,
  type Polygon,
  ringBox,
  vertexCount,
} from '@covermap/geometry/polygon.ts';
import type { LayerReport } from '../../coverage/submissions/report.ts';
import { type OfferOfFeature, offerReader } from '../attributes/attributes.ts';
import type { DropReason } from '../drop-reasons.ts';
import { IngestError, isAboutFile } from '../errors.ts';
import type { ReaderTask } from '../messages.ts';
import { areaIsUnknown, mayBeCoverage, planarArea } from '../report/plausibility.ts';
import { exampleOf, maxExamples } from '../report/problems.ts';
import { drawnAreas, placesInside, Spread, type UncoveredArea } from '../report/uncovered.ts';
import {
  areSwapped,
  axesSwapped,
  choicesInPlaceOf,
  isNoPlaceInDegrees,
  liesOutside,
  misses,
  outsideServiceArea,
  type Position,
  placesAlike,
  questionOfSystem,
  type ReferenceSystem,
  rasterOutside,
  referenceSystems,
  systemsThatDiffer,
  toLngLat,
} from '../systems/reference-system.ts';
import { transformer } from '../systems/transform.ts';
import { type CoverageRows, coverageRows, type Send } from './coverage-rows.ts';
import { DuplicateFinder } from './duplicates.ts';

/* Reads a file of coverage: features in, rows out. */

type CoverageTask = Extract<ReaderTask, { kind: 'coverage' }>;

/** For names and values in the report, in characters. */
const maxTextLength = 200;
/** The first features of a layer show its place: the max number, and the max vertices before the last. */
const maxFirst = 500;
const maxFirstVertices = 32 * 1024;
const maxPositions = 16;

/** Reads a file of coverage. @throws IngestError of the readers, and if nothing can be loaded */
export async function readCoverage(task: CoverageTask, send: Send): Promise<void> {
  const source = await openSource(task.file, task.name, task.scratch, task.options);
  const rows = coverageRows(task, send, source.bytesTotal);
  const systemOf = referenceSystems(task.serviceArea);
  const duplicates = new DuplicateFinder();
  const drawn = drawnAreas();
  try {
    let last: ReadLayer | undefined;
    for (const layer of source.layers)
      last = await readLayer(layer, task, rows, { duplicates, drawn }, systemOf);
    // A version that exclusions leave nothing of is a version: the one before it has to go.
    if (rows.read.rows === 0 && rows.read.excluded.length === 0) throw await nothingLoaded(rows, last, task);
    await rows.end();
  } finally {
    await rows.close();
    source.close();
  }
}

/** In the layer's coordinates. */
interface DroppedExample {
  feature: number;
  name: string | undefined;
  value: string | undefined;
  position: Position | undefined;
}

type UncoveredInLayer = Omit<UncoveredArea, 'layer' | 'places' | 'polygons'> & {
  inside: Position[];
  drawn: Position[][][];
};

type ReadLayer = Awaited<ReturnType<typeof readLayer>>;

/** @returns the area of its features in its own coordinates, and their reference system */
async function readLayer(
  layer: SourceLayer,
  task: CoverageTask,
  rows: CoverageRows,
  { duplicates, drawn }: { duplicates: DuplicateFinder; drawn: ReturnType<typeof drawnAreas> },
  systemOf: (definition: string) => Promise<ReferenceSystem>,
) {
  const offers = offerReader(layer, task.rules);
  const { mapping } = offers;
  const used = new Set(mapping.map(({ attribute }) => attribute));
  const report: LayerReport = {
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
  const box = emptyBox();
  let system: ReferenceSystem | undefined;
  let transform: ReturnType<typeof transformer> | undefined;
  /** Buffered until they have shown the layer's place. */
  const first: { feature: SourceFeature; tier: number }[] = [];
  let firstVertices = 0;
  const dropped: Partial<Record<DropReason, { count: number; examples: DroppedExample[] }>> = {};
  const uncovered = new Spread<UncoveredInLayer>();
  /** In the square of the layer's unit: of all features, and of dropped ones that may be coverage. */
  const area = { read: 0, dropped: 0 };

  /** @returns a promise to await before the next feature */
  function take(feature: SourceFeature): Promise<void> | undefined {
    area.read += planarArea(feature.polygons);
    feature.name = shortened(feature.name);
    const found: OfferOfFeature = feature.dropped ? { dropped: feature.dropped } : offers.offerOf(feature);
    if ('dropped' in found) {
      const { id, name, polygons } = feature;
      const { technology } = found;
      if (found.dropped === 'no_coverage' || found.dropped === 'no_speed')
        uncovered.add(() => ({
          ...{ feature: id, name, technology, inside: placesInside(polygons), drawn: drawn(polygons) },
        }));
      return drop(found.dropped, feature, found.value);
    }
    if (isTangle(feature.polygons)) return drop('crosses_itself_too_often', feature);
    const tier = rows.tierOf(found);
    if (!duplicates.add(feature.polygons, tier)) return drop('duplicate', feature);
    rows.addOffer(found, report.mapping);
    const vertices = vertexCount(feature.polygons);
    rows.read.vertices += vertices;
    for (const [outer] of feature.polygons) if (outer) extendBox(box, ringBox(outer));
    if (transform) return rows.add(feature, tier, transform(feature.polygons));
    first.push({ feature: { ...feature, polygons: copyOf(feature.polygons) }, tier });
    firstVertices += vertices;
    const isEnough = first.length >= maxFirst || firstVertices >= maxFirstVertices;
    return isEnough ? takeFirst() : undefined;
  }

  async function takeFirst(): Promise<void> {
    const { serviceArea } = task;
    const step = Math.max(1, Math.ceil(first.length / maxPositions));
    const positions = first
      .filter((_, i) => i % step === 0)
      .map(({ feature }) => positionOf(feature))
      .filter((position) => position !== undefined);
    // Impossible degrees: the file's reference system, or its format's, is wrong.
    const isMistaken =
      report.reference_system_from !== 'manifest' &&
      system?.projected === false &&
      positions.every(isNoPlaceInDegrees);
    if (isMistaken) {
      system = ofManifest;
      report.reference_system_from = 'manifest';
    }
    const corners = cornersOf(box);
    if (
      system &&
      ofManifest &&
      misses(system, corners, serviceArea) &&
      !misses(ofManifest, corners, serviceArea)
    ) {
      system = ofManifest;
      report.reference_system_from = 'manifest';
    }
    if (system && ofManifest && report.reference_system_from === 'file' && !isSame(system, ofManifest))
      rows.read.warnings.push(systemNotUsed(report.name, system, ofManifest));
    if (!system) throw await questionOfSystem(report.name, [...positions, ...corners], serviceArea);
    report.reference_system = system.name;
    if (areSwapped(system, positions, serviceArea)) throw axesSwapped(system);
    rows.warnAboutSystem(system);
    const { west, south, east, north } = serviceArea;
    transform = transformer(system, [west, south, east, north]);
    for (const { feature, tier } of first.splice(0))
      await rows.add(feature, tier, transform(feature.polygons));
  }

  function drop(reason: DropReason, feature: SourceFeature, value?: string): undefined {
    dropped[reason] ??= { count: 0, examples: [] };
    const { examples } = dropped[reason];
    dropped[reason].count++;
    if (mayBeCoverage(reason)) {
      const planar = planarArea(feature.polygons);
      if (areaIsUnknown(reason) || feature.polygons.length === 0) {
        area.read -= planar;
        rows.addUnmeasured(feature);
      } else area.dropped += planar;
    }
    if (examples.length < maxExamples) {
      const { id, name } = feature;
      examples.push({ feature: id, name, value: shortened(value), position: positionOf(feature) });
    }
  }

  const ofManifest = task.crs === undefined ? undefined : await systemOf(task.crs);
  system = await systemOfLayer(layer, report, ofManifest, task.serviceArea, rows, systemOf);
  report.reference_system = system?.name ?? '';
  rows.beginLayer(layer, report);
  try {
    for await (const feature of layer.features()) {
      report.features++;
      pulse();
      const waiting = take(feature);
      if (waiting) await waiting;
    }
  } catch (error) {
    // A raster outside the service area needs no meaning of its pixels.
    const { extent } = layer;
    if (error instanceof ClassesNeeded && system && extent && liesOutside(system, extent, task.serviceArea))
      throw rasterOutside(
        report.name,
        system,
        await choicesInPlaceOf(system, cornersOf(extent), task.serviceArea),
      );
    throw error;
  }
  if (!transform && first.length > 0) await takeFirst();
  const late = await rows.endLayer();
  area.dropped += late.area;
  area.read -= late.ofUnknown;
  rows.read.warnings.push(...offers.warnings(), ...layer.warnings);
  for (const [reason, { count, examples }] of Object.entries(dropped)) {
    rows.problems.note(
      { kind: 'dropped', reason, count },
      examples.map(({ position, ...one }) => {
        const [place] = system && position ? toLngLat(system, [position]) : [];
        return exampleOf({ layer: report.name, ...one }, place);
      }),
    );
  }
  for (const { inside, drawn: polygons, ...one } of system ? uncovered.kept : [])
    rows.read.uncovered.push({
      layer: report.name,
      ...one,
      places: toLngLat(system as ReferenceSystem, inside).filter((place) => place !== undefined),
      polygons: inDegrees(system as ReferenceSystem, polygons),
    });
  if (area.dropped > 0) rows.read.droppedAreas.push({ layer: report.name, share: area.dropped / area.read });
  return { box, system };
}

/** None where a corner has no place on earth. */
function inDegrees(system: ReferenceSystem, polygons: Position[][][]): UncoveredArea['polygons'] {
  const places = polygons.map((rings) => rings.map((ring) => toLngLat(system, ring)));
  if (places.flat(2).some((place) => place === undefined)) return [];
  return places.map((rings) =>
    rings.map((ring) => ring.map((place): Position => [place?.lng ?? 0, place?.lat ?? 0])),
  );
}

/** The reference system of the layer, or else of the manifest. @param ofManifest by the manifest */
async function systemOfLayer(
  layer: SourceLayer,
  report: LayerReport,
  ofManifest: ReferenceSystem | undefined,
  area: Bounds,
  { read }: CoverageRows,
  systemOf: (definition: string) => Promise<ReferenceSystem>,
): Promise<ReferenceSystem | undefined> {
  const given = layer.referenceSystem;
  if (!given) return ofManifest;
  const system = await systemOf(given.definition).catch((error) => {
    // The manifest answers the question.
    if (ofManifest && isAboutFile(error)) return undefined;
    throw error;
  });
  // The file's datum is unknown, so the manifest's system counts.
  if (!system || (ofManifest && system.possibleErrorM !== undefined)) return ofManifest;
  const isOutside = (one: ReferenceSystem) => layer.extent && liesOutside(one, layer.extent, area);
  if (ofManifest && isOutside(system) && !isOutside(ofManifest)) return ofManifest;
  const others = await systemsThatDiffer(layer, system, systemOf, area);
  if (others.length > 0 && ofManifest) {
    // The manifest decides between them.
    const isNamed = (one: ReferenceSystem | undefined) =>
      one !== undefined && placesAlike(one, ofManifest, area);
    if ([system, ...others.map((other) => other.system)].some(isNamed)) return ofManifest;
  }
  for (const { message } of others) read.warnings.push({ code: 'reference_systems_differ', message });
  report.reference_system_from = given.from;
  return system;
}

const systemNotUsed = (layer: string, system: ReferenceSystem, ofManifest: ReferenceSystem) => ({
  code: 'crs_not_used',
  message: `The layer ${layer} is in ${system.name} by the file itself; ${ofManifest.name}, which the manifest names, was not used.`,
});

/** Reasons that the manifest can resolve. */
const unlistedReasons = ['value_not_listed', 'technology_unknown', 'availability_unknown'] as const;
const speedReasons = ['speed_not_a_number', 'speed_out_of_range', 'no_speed'] as const;

/** @param layer the last one */
async function nothingLoaded(
  { problems, read }: CoverageRows,
  layer: ReadLayer | undefined,
  { serviceArea }: CoverageTask,
): Promise<IngestError> {
  const dropped = problems.dropped();
  const count = read.layers.reduce((sum, { features }) => sum + features, 0);
  if (dropped.outside_service_area) {
    const [xmin, ymin, xmax, ymax] = (layer?.box ?? []).map((value) => Math.round(value * 1000) / 1000);
    const { box, system } = layer ?? {};
    return outsideServiceArea(
      `None of the coverage lies in the service area. Its coordinates run from ${xmin}, ${ymin} to ${xmax}, ${ymax} in ${system?.name}.`,
      box && system ? await choicesInPlaceOf(system, cornersOf(box), serviceArea) : [],
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

/** A text from the file, shortened for display. */
function shortened<T extends string | undefined>(text: T): T {
  return (
    text !== undefined && text.length > maxTextLength ? `${text.slice(0, maxTextLength)}...` : text
  ) as T;
}

/** A position on the feature, in its layer's coordinates. */
function positionOf(feature: SourceFeature): Position | undefined {
  const [x, y] = feature.polygons[0]?.[0] ?? [];
  return x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}
