import { hash } from 'node:crypto';
import type { SourceFeature, SourceLayer } from '@covermap/coverage-files/format.ts';
import { type Box, boxOf, emptyBox, extendBox, type Polygon } from '@covermap/geometry/polygon.ts';
import { readPolygons, rowSize, writeRow } from '@covermap/geometry/wkb.ts';
import { foundPremises, PremisesFinder } from '../../coverage/premises/premises-finder.ts';
import { readPremisesFile } from '../../coverage/premises/premises-list.ts';
import type { SpeedField } from '../../coverage/speeds.ts';
import type { LayerReport, MappedAttribute, Problem } from '../../coverage/submissions/report.ts';
import { CopyWriter } from '../../platform/database/copy.ts';
import type { OfferOfFeature } from '../attributes/attributes.ts';
import type { Offer } from '../attributes/contradictions.ts';
import { tierCounter } from '../attributes/tier-count.ts';
import type { DropReason } from '../drop-reasons.ts';
import type { CoverageRead, ReaderMessage, ReaderTask, ReadProgress, RowsMessage } from '../messages.ts';
import { areaIsUnknown, mayBeCoverage, planarArea } from '../report/plausibility.ts';
import { addLoss, exampleOf, noLoss, Problems } from '../report/problems.ts';
import { type ReferenceSystem, wrappedLng } from '../systems/reference-system.ts';
import type { FeatureInDegrees } from '../systems/transform.ts';
import { excludedGround } from './excluded-ground.ts';
import type { NormalisedFeature, SubtractedRow } from './geometry-thread.ts';
import { type Failure, Normaliser } from './normaliser.ts';

const maxAtGeos = 32;
/** The share of a feature's area that a repair may lose without a question. */
const lostShare = 0.01;
/** The features after which progress is reported, also without rows, and GEOS gets its time again. */
const featuresOfBatch = 500;
const repairReasons = {
  rings: 'Ring direction or closure',
  holes: 'Hole outside its outer ring dropped',
  furtherAreas: 'Ring beside the outer one, or in a hole, read as an area of its own',
  slivers: 'Slivers dropped',
};

export type Send = (message: ReaderMessage, transfer?: ArrayBuffer[]) => Promise<void>;

type Found = Exclude<OfferOfFeature, { dropped: unknown }>;

export type CoverageRows = ReturnType<typeof coverageRows>;

/** Makes rows of a file's features, sends them, and notes each outcome. */
export function coverageRows(
  task: Extract<ReaderTask, { kind: 'coverage' }>,
  send: Send,
  bytesTotal: number,
) {
  const { west, south, east, north } = task.serviceArea;
  const normaliser = new Normaliser([west, south, east, north], (task.memoryMb * 1024 * 1024) / 2);
  const finder =
    task.premises === undefined ? undefined : new PremisesFinder(readPremisesFile(task.premises));
  const excluded = excludedGround(task.exclusions);
  const tiers = new Map<string, number>();
  /** By tier. */
  const technologies: string[] = [];
  const countTier = tierCounter();
  /** Tiers that are in no batch yet. */
  let newTiers: Offer[] = [];
  const absentOf: Partial<Record<SpeedField, number>> = {};
  const batch = new BatchBuilder();
  const atGeos: Promise<void>[] = [];
  let failure: unknown;
  let layer: SourceLayer | undefined;
  let report: LayerReport | undefined;
  /** Bytes of earlier layers. */
  let bytesBefore = 0;
  let featuresBefore = 0;
  let sinceBatch = 0;
  const problems = new Problems();
  /** Of the layer's features that were dropped here, in the square of its unit. */
  let droppedHere = { area: 0, ofUnknown: 0 };
  const read: Omit<CoverageRead, 'progress' | 'problems'> = {
    ...{ layers: [], vertices: 0, warnings: [], rows: 0, box: emptyBox(), tiers: [], crossing: 0 },
    ...{ outsideM2: 0, droppedAreas: [], droppedUnmeasured: noLoss(), lostByRepair: noLoss(), uncovered: [] },
    excluded: [],
    features: { read: 0, loaded: 0, repaired: 0, clipped: 0, dropped: {} },
  };
  function beginLayer(next: SourceLayer, reportOfNext: LayerReport): void {
    layer = next;
    report = reportOfNext;
    droppedHere = { area: 0, ofUnknown: 0 };
    read.layers.push(report);
  }

  /** @returns the area of features that were dropped here, and of those whose real area is unknown */
  async function endLayer(): Promise<typeof droppedHere> {
    await Promise.all(atGeos);
    if (failure) throw failure;
    // Of tiers that exclusions have left nothing of, there are no rows.
    if (!batch.empty || newTiers.length > 0) await sendRows();
    featuresBefore += report?.features ?? 0;
    bytesBefore += layer?.bytesRead() ?? 0;
    report = undefined;
    layer = undefined;
    return droppedHere;
  }

  async function end(): Promise<void> {
    const { features } = read;
    features.read = featuresBefore;
    features.dropped = problems.dropped();
    for (const [field, count] of Object.entries(absentOf)) {
      read.warnings.push({
        code: 'speeds_absent',
        message: `${field} is neither in the file nor in the manifest for ${count} of ${features.read} features; answers show 0 Mbps.`,
      });
    }
    const premises = finder && foundPremises(finder);
    const all = { ...read, premises, problems: problems.list(), progress: progress() };
    await send({ type: 'coverage', read: all });
  }

  /** The index of a feature's tier, added if new. */
  function tierOf({ key }: Found): number {
    return tiers.get(key) ?? tiers.size;
  }

  /** Notes a feature's offer. @throws IngestError `tiers_too_many` */
  function addOffer({ key, offer, speedsAbsent }: Found, mapping: readonly MappedAttribute[]): void {
    for (const name of speedsAbsent) absentOf[name] = (absentOf[name] ?? 0) + 1;
    if (tiers.has(key)) return;
    tiers.set(key, tiers.size);
    technologies.push(offer.technology);
    countTier(offer, mapping);
    newTiers.push(offer);
    read.tiers.push({ rows: 0, areaM2: 0 });
  }

  function warnAboutSystem({ name, heights, possibleErrorM }: ReferenceSystem): void {
    if (possibleErrorM !== undefined)
      warnOnce(
        'reference_system_uncertain',
        `The datum of ${name} is unknown: positions may be off by up to ${possibleErrorM} m. If you know the system, name it in the manifest, as in "crs": "EPSG:27200".`,
      );
    if (heights !== undefined)
      warnOnce('heights_ignored', `The heights of the file (${heights}) are ignored.`);
  }

  function warnOnce(code: string, message: string): void {
    if (read.warnings.some((warning) => warning.message === message)) return;
    read.warnings.push({ code, message });
  }

  /** @param inDegrees the feature, or the reason why it has no place @returns a promise to await before the next feature */
  function add(
    feature: SourceFeature,
    tier: number,
    inDegrees: FeatureInDegrees | 'outside_service_area' | 'too_many_vertices',
  ): Promise<void> | undefined {
    let waiting: Promise<void> | undefined;
    if (typeof inDegrees === 'string') drop(inDegrees, feature, planarArea(feature.polygons));
    else if (inDegrees.readyM2 !== undefined && !feature.repaired) {
      read.features.loaded++;
      const [polygon] = inDegrees.polygons as [Polygon];
      const met = excluded?.meeting(technologies[tier] as string, inDegrees.box);
      if (met) waiting = subtract(feature, polygon, tier, met);
      else {
        addRow(polygon, inDegrees.box, tier, inDegrees.readyM2);
        if (batch.full) waiting = sendRows();
      }
    } else waiting = normalise(feature, tier, inDegrees.polygons);
    if (++sinceBatch < featuresOfBatch) return waiting;
    sinceBatch = 0;
    normaliser.beginBatch();
    // Reports progress after reading long without rows.
    return waiting ?? (batch.empty ? sendRows() : undefined);
  }

  function normalise(feature: SourceFeature, tier: number, polygons: readonly Polygon[]) {
    const { id, name, repaired } = feature;
    const planar = planarArea(feature.polygons);
    return queued(normaliser.normalise(polygons), (result) =>
      takeResult({ id, name, repaired }, tier, result, planar),
    );
  }

  /** Subtracts exclusions from a feature that is a row as it is. */
  function subtract({ id, name }: SourceFeature, polygon: Polygon, tier: number, met: readonly number[]) {
    // The reader uses the memory of its rings again.
    const row = polygon.map((ring) => ring.slice());
    return queued(subtracted(row, met), (left) => addLeft({ id, name }, row, tier, met, left));
  }

  const subtracted = (row: Polygon, met: readonly number[]) =>
    normaliser.subtract(row, excluded?.wkbOf(met) ?? []);

  /** Waits only where many features are with GEOS. @param take called in the order of the features */
  function queued<Result>(asked: Promise<Result>, take: (result: Result) => Promise<void>) {
    const before = atGeos.at(-1);
    const taken = (async () => {
      const result = await asked;
      await before;
      await take(result);
      atGeos.shift();
    })();
    // The error is thrown when the next feature is added.
    taken.catch((error) => {
      failure ??= error;
    });
    atGeos.push(taken);
    if (failure) throw failure;
    return atGeos.length > maxAtGeos ? atGeos[0] : undefined;
  }

  /** Notes the outcome of a feature from GEOS, and adds its rows. */
  async function takeResult(
    feature: Pick<SourceFeature, 'id' | 'name' | 'repaired'>,
    tier: number,
    result: NormalisedFeature | Failure,
    planar: number,
  ): Promise<void> {
    if (typeof result === 'string') return drop(result, feature, planar);
    const { features } = read;
    if (result.crossing) read.crossing++;
    read.outsideM2 += result.outsideM2;
    if (result.dropped) return drop(result.dropped, feature, planar, result.middle);
    features.loaded++;
    if (result.clipped) {
      features.clipped++;
      note('clipped', 'outside_service_area', feature, result.middle);
    }
    if (result.flaw || feature.repaired || result.hadSlivers) {
      features.repaired++;
      const reason = result.hadStrayHoles
        ? repairReasons.holes
        : result.hadFurtherAreas
          ? repairReasons.furtherAreas
          : (result.flaw?.reason ?? (feature.repaired ? repairReasons.rings : repairReasons.slivers));
      note('repaired', reason, feature, result.flaw?.position ?? result.middle);
      const { lostM2, validM2 } = result;
      if (lostM2 > lostShare * (lostM2 + validM2)) addLoss(read.lostByRepair, namedOf(feature), lostM2);
    }
    for (const [i, polygon] of readPolygons(result.pieces).entries()) {
      const box = boxOf([polygon]);
      const met = excluded?.meeting(technologies[tier] as string, box);
      if (met) await addLeft(feature, polygon, tier, met, await subtracted(polygon, met));
      else {
        addRow(polygon, box, tier, result.areasM2[i] as number);
        if (batch.full) await sendRows();
      }
    }
  }

  /** Adds what exclusions have left of a row, and counts what they took. */
  async function addLeft(
    feature: Pick<SourceFeature, 'id' | 'name'>,
    row: Polygon,
    tier: number,
    met: readonly number[],
    left: SubtractedRow | Failure,
  ): Promise<void> {
    // Without the row: rather too little than what is excluded.
    if (typeof left === 'string') return drop(left, feature, planarArea([row]));
    for (const [i, m2] of left.takenM2.entries()) {
      if (m2 === 0) continue;
      const exclusion = met[i] as number;
      const sum = read.excluded.find((one) => one.tier === tier && one.exclusion === exclusion);
      if (sum) sum.m2 += m2;
      else read.excluded.push({ tier, exclusion, m2 });
    }
    for (const [i, polygon] of readPolygons(left.pieces).entries()) {
      addRow(polygon, boxOf([polygon]), tier, left.areasM2[i] as number);
      if (batch.full) await sendRows();
    }
  }

  function addRow(polygon: Polygon, box: Box, tier: number, areaM2: number): void {
    batch.add(polygon, tier);
    finder?.add(tier, polygon, box);
    const sum = read.tiers[tier] as CoverageRead['tiers'][number];
    sum.rows++;
    sum.areaM2 += areaM2;
    read.rows++;
    extendBox(read.box, box);
  }

  /** @param planar its area in the square of the layer's unit */
  function drop(
    reason: DropReason,
    feature: Pick<SourceFeature, 'id' | 'name'>,
    planar: number,
    middle?: readonly [lng: number, lat: number],
  ): void {
    note('dropped', reason, feature, middle);
    if (!mayBeCoverage(reason)) return;
    if (areaIsUnknown(reason)) {
      droppedHere.ofUnknown += planar;
      addUnmeasured(feature);
    } else droppedHere.area += planar;
  }

  function addUnmeasured(feature: Pick<SourceFeature, 'id' | 'name'>): void {
    addLoss(read.droppedUnmeasured, namedOf(feature));
  }

  const namedOf = ({ id, name }: Pick<SourceFeature, 'id' | 'name'>) => ({
    ...{ layer: report?.name as string, feature: id, name },
  });

  function note(
    kind: Problem['kind'],
    reason: string,
    { id, name }: Pick<SourceFeature, 'id' | 'name'>,
    middle?: readonly [lng: number, lat: number],
  ): void {
    const place = middle && { lng: wrappedLng(middle[0]), lat: middle[1] };
    problems.note({ kind, reason, count: 1 }, [
      exampleOf({ layer: report?.name as string, feature: id, name, value: undefined }, place),
    ]);
  }

  async function sendRows(): Promise<void> {
    const message: RowsMessage = batch.take(newTiers, progress());
    newTiers = [];
    await send(message, [message.copy.buffer]);
  }

  function progress(): ReadProgress {
    return {
      bytesRead: bytesBefore + (layer?.bytesRead() ?? 0),
      bytesTotal,
      featuresRead: featuresBefore + (report?.features ?? 0),
    };
  }

  const close = () => normaliser.close();
  return {
    problems,
    read,
    beginLayer,
    endLayer,
    end,
    close,
    tierOf,
    addOffer,
    warnAboutSystem,
    addUnmeasured,
    add,
  };
}

/** A batch is one COPY, which blocks others in the embedded database. */
const maxRows = 500;
const maxBytes = 512 * 1024;
/** A row of the most vertices may exceed `maxBytes` by this. */
const maxRowBytes = 4096;
/** Half of the digest is enough. */
const digestBytes = 16;

/** Writes rows in COPY's format until they fill a batch. */
export class BatchBuilder {
  #copy: CopyWriter | undefined;
  #rows = 0;

  get full(): boolean {
    return this.#rows >= maxRows || (this.#copy?.length ?? 0) >= maxBytes;
  }

  get empty(): boolean {
    return this.#rows === 0;
  }

  /** @param polygon in degrees */
  add(polygon: Polygon, tier: number): void {
    this.#copy ??= new CopyWriter(3, maxBytes + maxRowBytes);
    this.#copy.row();
    this.#copy.integer(tier);
    const row = this.#copy.room(rowSize(polygon));
    writeRow(polygon, row, 0);
    const digest = hash('sha256', row, 'buffer');
    this.#copy.room(digestBytes).set(digest.subarray(0, digestBytes));
    this.#rows++;
  }

  take(newTiers: RowsMessage['newTiers'], progress: RowsMessage['progress']): RowsMessage {
    const copy = this.#copy?.finish() ?? new Uint8Array();
    const message: RowsMessage = { type: 'rows', copy, rows: this.#rows, newTiers, progress };
    this.#copy = undefined;
    this.#rows = 0;
    return message;
  }
}
