import type { SpeedField } from '../core/coverage/speeds.ts';
import type { LayerReport, MappedAttribute, Problem } from '../core/coverage/submissions/report.ts';
import { type Box, boxOf, emptyBox, extendBox, type Polygon } from '../geometry/polygon.ts';
import { readPolygons } from '../geometry/wkb.ts';
import type { Offer, OfferOfFeature } from './attributes.ts';
import { BatchBuilder } from './batch.ts';
import type { NormalisedFeature } from './geometry-thread.ts';
import type { CoverageRead, ReaderMessage, ReaderTask, ReadProgress, RowsMessage } from './messages.ts';
import { type Failure, Normaliser } from './normaliser.ts';
import { exampleOf, Problems } from './problems.ts';
import type { SourceFeature, SourceLayer } from './read/format.ts';
import { type ReferenceSystem, wrappedLng } from './reference-system.ts';
import { tierCounter } from './tier-count.ts';
import type { FeatureInDegrees } from './transform.ts';

const maxAtGeos = 32;
/** After so many features it is told how far the file has been read, also where they gave no rows, and GEOS has its time again. */
const featuresOfBatch = 500;
const repairReasons = {
  rings: 'Ring direction or closure',
  holes: 'Hole outside its outer ring dropped',
  slivers: 'Slivers dropped',
};

export type Send = (message: ReaderMessage, transfer?: ArrayBuffer[]) => Promise<void>;

type Found = Exclude<OfferOfFeature, { dropped: unknown }>;

/** Makes rows of a file's features, sends them, and notes what became of each. */
export class CoverageRows {
  readonly #send: Send;
  readonly #bytesTotal: number;
  readonly #normaliser: Normaliser;
  /** Positions of tiers by their text. */
  readonly #tiers = new Map<string, number>();
  readonly #countTier = tierCounter();
  /** Those that no batch has brought yet. */
  #newTiers: Offer[] = [];
  readonly #speedsAbsent: Partial<Record<SpeedField, number>> = {};
  readonly #batch = new BatchBuilder();
  readonly #atGeos: Promise<void>[] = [];
  #failure: unknown;
  #layer: SourceLayer | undefined;
  #report: LayerReport | undefined;
  /** Of the layers before. */
  #bytesBefore = 0;
  #featuresBefore = 0;
  #sinceBatch = 0;
  readonly problems = new Problems();
  readonly read: Omit<CoverageRead, 'progress' | 'problems'> = {
    layers: [],
    vertices: 0,
    warnings: [],
    features: { read: 0, loaded: 0, repaired: 0, clipped: 0, dropped: {} },
    rows: 0,
    box: emptyBox(),
    tiers: [],
    crossing: 0,
    outsideM2: 0,
    droppedAreas: [],
  };

  constructor(task: Extract<ReaderTask, { kind: 'coverage' }>, send: Send, bytesTotal: number) {
    const { west, south, east, north } = task.serviceArea;
    const geosBytes = (task.memoryMb * 1024 * 1024) / 2;
    this.#normaliser = new Normaliser([west, south, east, north], geosBytes);
    this.#send = send;
    this.#bytesTotal = bytesTotal;
  }

  beginLayer(layer: SourceLayer, report: LayerReport): void {
    this.#layer = layer;
    this.#report = report;
    this.read.layers.push(report);
  }

  async endLayer(): Promise<void> {
    await Promise.all(this.#atGeos);
    if (this.#failure) throw this.#failure;
    if (!this.#batch.empty) await this.#sendRows();
    this.#featuresBefore += this.#report?.features ?? 0;
    this.#bytesBefore += this.#layer?.bytesRead() ?? 0;
    this.#report = undefined;
    this.#layer = undefined;
  }

  async end(): Promise<void> {
    const { features } = this.read;
    features.read = this.#featuresBefore;
    features.dropped = this.problems.dropped();
    for (const [field, count] of Object.entries(this.#speedsAbsent)) {
      this.read.warnings.push({
        code: 'speeds_absent',
        message: `${field} is neither in the file nor in the manifest for ${count} of ${features.read} features; answers show 0 Mbps.`,
      });
    }
    const read = { ...this.read, problems: this.problems.list(), progress: this.#progress() };
    await this.#send({ type: 'coverage', read });
  }

  close(): Promise<void> {
    return this.#normaliser.close();
  }

  /** The position of the tier that a feature is of, or will be. */
  tierOf({ key }: Found): number {
    return this.#tiers.get(key) ?? this.#tiers.size;
  }

  /** Notes what a feature offers. @throws IngestError `tiers_too_many` */
  addOffer({ key, offer, speedsAbsent }: Found, mapping: readonly MappedAttribute[]): void {
    for (const name of speedsAbsent) this.#speedsAbsent[name] = (this.#speedsAbsent[name] ?? 0) + 1;
    if (this.#tiers.has(key)) return;
    this.#tiers.set(key, this.#tiers.size);
    this.#countTier(offer, mapping);
    this.#newTiers.push(offer);
    this.read.tiers.push({ rows: 0, areaM2: 0 });
  }

  warnAboutSystem({ name, heights, possibleErrorM }: ReferenceSystem): void {
    if (possibleErrorM !== undefined)
      this.#warnOnce(
        'reference_system_uncertain',
        `The datum of ${name} is unknown: positions may be off by up to ${possibleErrorM} m. If you know the system, name it in the manifest, as in "crs": "EPSG:27200".`,
      );
    if (heights !== undefined)
      this.#warnOnce('heights_ignored', `The heights of the file (${heights}) are ignored.`);
  }

  #warnOnce(code: string, message: string): void {
    if (this.read.warnings.some((warning) => warning.message === message)) return;
    this.read.warnings.push({ code, message });
  }

  /** @param inDegrees the feature, or why it has no place @returns what there is to wait for before the next one */
  add(
    feature: SourceFeature,
    tier: number,
    inDegrees: FeatureInDegrees | 'outside_service_area' | 'too_many_vertices',
  ): Promise<void> | undefined {
    let waiting: Promise<void> | undefined;
    if (typeof inDegrees === 'string') this.#note('dropped', inDegrees, feature);
    else if (inDegrees.readyM2 !== undefined && !feature.repaired) {
      this.read.features.loaded++;
      this.#addRow(inDegrees.polygons[0] as Polygon, inDegrees.box, tier, inDegrees.readyM2);
      if (this.#batch.full) waiting = this.#sendRows();
    } else waiting = this.#normalise(feature, tier, inDegrees.polygons);
    if (++this.#sinceBatch < featuresOfBatch) return waiting;
    this.#sinceBatch = 0;
    this.#normaliser.beginBatch();
    // What has read for long without rows tells how far it is.
    return waiting ?? (this.#batch.empty ? this.#sendRows() : undefined);
  }

  /** Waits only where there is much with GEOS. */
  #normalise(feature: SourceFeature, tier: number, polygons: readonly Polygon[]): Promise<void> | undefined {
    const { id, name, repaired } = feature;
    const before = this.#atGeos.at(-1);
    const taken = (async () => {
      const result = await this.#normaliser.normalise(polygons);
      await before;
      await this.#take({ id, name, repaired }, tier, result);
      this.#atGeos.shift();
    })();
    // It is thrown where the next feature is added.
    taken.catch((error) => {
      this.#failure ??= error;
    });
    this.#atGeos.push(taken);
    if (this.#failure) throw this.#failure;
    return this.#atGeos.length > maxAtGeos ? this.#atGeos[0] : undefined;
  }

  /** Notes what became of a feature with GEOS, and adds its rows. */
  async #take(
    feature: Pick<SourceFeature, 'id' | 'name' | 'repaired'>,
    tier: number,
    result: NormalisedFeature | Failure,
  ): Promise<void> {
    if (typeof result === 'string') return this.#note('dropped', result, feature);
    const { features } = this.read;
    if (result.crossing) this.read.crossing++;
    this.read.outsideM2 += result.outsideM2;
    if (result.dropped) return this.#note('dropped', result.dropped, feature, result.middle);
    features.loaded++;
    if (result.clipped) {
      features.clipped++;
      this.#note('clipped', 'outside_service_area', feature, result.middle);
    }
    if (result.flaw || feature.repaired || result.hadSlivers) {
      features.repaired++;
      const reason = result.hadStrayHoles
        ? repairReasons.holes
        : (result.flaw?.reason ?? (feature.repaired ? repairReasons.rings : repairReasons.slivers));
      this.#note('repaired', reason, feature, result.flaw?.position ?? result.middle);
    }
    for (const [i, polygon] of readPolygons(result.pieces).entries()) {
      this.#addRow(polygon, boxOf([polygon]), tier, result.areasM2[i] as number);
      if (this.#batch.full) await this.#sendRows();
    }
  }

  #addRow(polygon: Polygon, box: Box, tier: number, areaM2: number): void {
    this.#batch.add(polygon, tier);
    const sum = this.read.tiers[tier] as CoverageRead['tiers'][number];
    sum.rows++;
    sum.areaM2 += areaM2;
    this.read.rows++;
    extendBox(this.read.box, box);
  }

  #note(
    kind: Problem['kind'],
    reason: string,
    { id, name }: Pick<SourceFeature, 'id' | 'name'>,
    middle?: readonly [lng: number, lat: number],
  ): void {
    const layer = this.#report?.name as string;
    const place = middle && { lng: wrappedLng(middle[0]), lat: middle[1] };
    this.problems.note({ kind, reason, count: 1 }, [
      exampleOf({ layer, feature: id, name, value: undefined }, place),
    ]);
  }

  async #sendRows(): Promise<void> {
    const message: RowsMessage = this.#batch.take(this.#newTiers, this.#progress());
    this.#newTiers = [];
    await this.#send(message, [message.copy.buffer]);
  }

  #progress(): ReadProgress {
    return {
      bytesRead: this.#bytesBefore + (this.#layer?.bytesRead() ?? 0),
      bytesTotal: this.#bytesTotal,
      featuresRead: this.#featuresBefore + (this.#report?.features ?? 0),
    };
  }
}
