import type { Bounds, Plausibility } from '../core/config.ts';
import { analyzeCoverage } from '../core/coverage/datasets/archive.ts';
import { changeUnknown } from '../core/coverage/datasets/blocking.ts';
import { ComparisonStale, compareWithPublished } from '../core/coverage/datasets/compare.ts';
import { addTier, beginDataset } from '../core/coverage/datasets/load.ts';
import type { SpeedField } from '../core/coverage/speeds.ts';
import type { Manifest } from '../core/coverage/submissions/manifest.ts';
import type { IngestReport, LayerReport } from '../core/coverage/submissions/report.ts';
import type { Progress } from '../core/coverage/submissions/submissions.ts';
import { type BitmapCount, Canvas } from '../core/coverage/tiles/canvas.ts';
import { overviewZoom } from '../core/coverage/tiles/overview.ts';
import { seenAs } from '../core/coverage/tiles/speed-classes.ts';
import { isDataError } from '../core/database/data-error.ts';
import type { Database } from '../core/database/database.ts';
import { sql } from '../core/database/sql.ts';
import { today } from '../core/nz-time.ts';
import type { Offer } from './attributes.ts';
import { isFull } from './batch.ts';
import { IngestError } from './errors.ts';
import { liesOutside, rasterOutside } from './extent.ts';
import { type Box, cornersOf, emptyBox, extendBox } from './geometry/polygon.ts';
import { firstPosition } from './geometry/wkb.ts';
import type {
  BatchMessage,
  CoverageWork,
  LayerEndMessage,
  LayerMessage,
  LayerPlacing,
  ReadProgress,
} from './messages.ts';
import { BatchOutcome, normaliseBatch } from './normalise.ts';
import { copyPlaced, placingOf } from './place.ts';
import { oddities } from './plausibility.ts';
import { Problems } from './problems.ts';
import type { PixelClass, Warning } from './read/format.ts';
import { type ReaderLimits, readFile, tooSlow } from './reader.ts';
import {
  axesSwapped,
  isNoPlaceInDegrees,
  type Position,
  placementOf,
  questionOfSystem,
  type ReferenceSystem,
  referenceSystems,
} from './reference-system.ts';
import { problemSentence, reportLines } from './report.ts';

export interface LoadTask {
  /** The submission that the file came with; it has nothing loaded so far. */
  submissionId: string;
  file: string;
  name: string;
  manifest: Manifest;
  serviceArea: Bounds;
  limits: ReaderLimits;
  plausibility: Plausibility;
  onProgress: (progress: Progress) => void;
  /**
   * Called once all rows are there, and awaited: draws the datasets while the database examines them. Canvases by dataset; the
   * signal is aborted with the load, and when its time is over, which ends the drawing and not the load.
   */
  draw?: (
    datasets: readonly number[],
    canvases: ReadonlyMap<number, Canvas>,
    signal: AbortSignal,
  ) => Promise<void>;
  /** In a process of its own unless given. */
  read?: typeof readFile;
  /** Stops the work. What is loaded by then is removed when the work begins again. */
  signal?: AbortSignal | undefined;
}

/** Reads a file and loads it into unpublished datasets, one a technology. @throws IngestError for all that is wrong with it */
export async function loadFile(database: Database, task: LoadTask) {
  const load = new Load(database, task);
  return load.run();
}

/** Batches that are normalised at once. */
const batchesAtOnce = { server: 2, embedded: 1 };

/** How many features of a layer's first batch tell where the layer lies. */
const maxPositions = 16;

class Load {
  readonly #database: Database;
  readonly #task: LoadTask;
  readonly #started = performance.now();
  readonly #outcome = new BatchOutcome();
  readonly #problems = new Problems();
  readonly #layers: LayerReport[] = [];
  readonly #warnings: Warning[] = [];
  readonly #droppedAreas: { layer: string; share: number }[] = [];
  readonly #speedsAbsent: Partial<Record<SpeedField, number>> = {};
  /** By technology. */
  readonly #datasets = new Map<string, number>();
  /** By position in the reader's count of tiers. */
  readonly #tiers: { id: number; offer: Offer }[] = [];
  /** By dataset. */
  readonly #canvases = new Map<number, Canvas>();
  readonly #drawn: BitmapCount = { bitmaps: 0 };
  readonly #running = new Set<Promise<void>>();
  /** Aborted when the task is, and when the time for the whole load is over. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  readonly #systems: (definition: string) => Promise<ReferenceSystem>;
  #failure: unknown;
  #featuresRead = 0;
  #vertices = 0;
  /** How far the whole file has been read: of all its layers. */
  #read: ReadProgress = { bytesRead: 0, bytesTotal: 0, featuresRead: 0 };
  /** Of the current layer; undefined until its coordinates have told. */
  #system: ReferenceSystem | undefined;
  /** What the current layer's batches cover, in its own coordinates. */
  #layerBox: Box = emptyBox();
  #batchesOfLayer = 0;
  /** Tells the reader how it may place the current layer's features, once that is worth finding out. */
  #placing: LayerPlacing | undefined;
  /** Of the current layer: that it is a raster of which nothing lies in the service area. */
  #elsewhere: IngestError | undefined;

  constructor(database: Database, task: LoadTask) {
    this.#database = database;
    this.#task = task;
    const { signal } = task;
    this.#systems = referenceSystems(database, task.serviceArea);
    this.#signal = signal ? AbortSignal.any([signal, this.#stop.signal]) : this.#stop.signal;
  }

  async run() {
    const { limits } = this.#task;
    const deadline = setTimeout(() => this.#stop.abort(tooSlow('load_too_slow', limits)), limits.deadlineMs);
    try {
      return await this.#load();
    } catch (error) {
      // Why it was stopped, not the errors of the statements.
      this.#signal.throwIfAborted();
      throw error;
    } finally {
      clearTimeout(deadline);
    }
  }

  /** The submission's report; km2, and what was drawn, by dataset. */
  async #load() {
    const { limits, read = readFile } = this.#task;
    try {
      const reply = () => ({ placing: this.#placing });
      for await (const message of read(await this.#reading(), limits, this.#signal, reply)) {
        if (message.type === 'layer') await this.#beginLayer(message);
        else if (message.type === 'batch') await this.#takeBatch(message);
        else if (message.type === 'layerEnd') await this.#endLayer(message);
      }
    } catch (error) {
      // Outside the service area, nobody needs to say what pixels mean.
      if (error instanceof IngestError && error.code === 'classes_needed') throw this.#elsewhere ?? error;
      throw error;
    } finally {
      // No statement of this load may run on.
      await Promise.allSettled(this.#running);
    }
    if (this.#failure) throw this.#failure;
    if (this.#outcome.rows === 0) throw this.#nothingLoaded();
    this.#reportProgress('checking');
    this.#warnAboutSpeeds();
    const drawing = this.#task.draw?.([...this.#datasets.values()], this.#canvases, this.#signal);
    // It is awaited below, also where what follows fails first.
    drawing?.catch(() => undefined);
    let change: IngestReport['change'];
    try {
      this.#warnings.push(...(await this.#oddities()));
      await analyzeCoverage(this.#database);
      change = await this.#compare();
    } catch (error) {
      this.#stop.abort(error);
      await Promise.allSettled([drawing]);
      throw error;
    }
    await drawing;
    return { report: this.#report(change), areas: this.#areas() };
  }

  async #reading(): Promise<CoverageWork> {
    const { file, name, manifest } = this.#task;
    const { rows: technologies } = await this.#database.query<{ name: string; label: string }>(
      'select name, label from technology',
    );
    const {
      rows: [provider],
    } = await this.#database.query<{ name: string; wholesale_network: string }>(sql`
      select p.name, p.wholesale_network from provider p
      join submission s on s.provider_id = p.id where s.id = ${this.#task.submissionId}`);
    return {
      kind: 'coverage',
      file,
      name,
      options: {
        layers: manifest.layers,
        classes: manifest.classes?.map(pixelClass),
        smoothing: manifest.smoothing ?? false,
        sieve: manifest.sieve,
      },
      rules: { ...manifest, technologies, today: today(), provider },
    };
  }

  async #beginLayer(layer: LayerMessage): Promise<void> {
    const { system, from } = await this.#systemSaid(layer);
    this.#system = system;
    this.#layerBox = emptyBox();
    this.#batchesOfLayer = 0;
    this.#placing = undefined;
    this.#elsewhere =
      this.#system &&
      layer.extent &&
      (await liesOutside(this.#database, this.#system, layer.extent, this.#task.serviceArea))
        ? rasterOutside(layer.name, this.#system)
        : undefined;
    const used = new Set(layer.mapping.map(({ attribute }) => attribute));
    this.#layers.push({
      name: layer.name,
      format: layer.format,
      reference_system: this.#system?.name ?? '',
      reference_system_from: from,
      encoding: layer.encoding,
      attributes: layer.fields,
      mapping: layer.mapping,
      unused: layer.fields.filter((field) => !used.has(field)),
      features: 0,
    });
  }

  async #takeBatch(batch: BatchMessage): Promise<void> {
    extendBox(this.#layerBox, batch.box);
    const { serviceArea } = this.#task;
    const layer = this.#layers.at(-1) as LayerReport;
    this.#batchesOfLayer++;
    const system = await this.#systemOf(layer, batch);
    // After a full batch there will be more.
    if (this.#batchesOfLayer === 1 && isFull(batch)) await this.#beginPlacing(system);
    for (const offer of batch.newTiers) {
      this.#tiers.push({ id: await addTier(this.#database, await this.#datasetOf(offer), offer), offer });
    }
    const tierIds = batch.tiers.map((position) => this.#tiers[position]?.id as number);
    while (this.#running.size >= batchesAtOnce[this.#database.kind]) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure;
    const work: Promise<void> = this.#database
      .withConnection((connection) =>
        batch.placed
          ? copyPlaced(connection, { ...batch, ...batch.placed, tierIds }, this.#signal)
          : normaliseBatch(connection, { ...batch, tierIds }, system, serviceArea, { signal: this.#signal }),
      )
      .then((outcome) => {
        this.#draw(outcome.shapes.splice(0));
        this.#problems.addBatch(layer.name, batch, outcome);
        this.#outcome.add(outcome);
        this.#noteProgress({
          ...batch.progress,
          featuresRead: this.#featuresRead + batch.progress.featuresRead,
        });
      })
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  #draw(shapes: BatchOutcome['shapes']): void {
    for (const { tier, wkb } of shapes) {
      const { offer } = this.#tiers.find(({ id }) => id === tier) as { offer: Offer };
      const dataset = this.#datasets.get(offer.technology) as number;
      const canvas = this.#canvases.get(dataset) ?? new Canvas(overviewZoom, this.#drawn);
      this.#canvases.set(dataset, canvas);
      const value = seenAs({ availability: offer.availability, bandwidthMax: offer.bandwidth_max_mbps });
      if (!wkb) canvas.giveUp();
      for (const shape of wkb ?? []) canvas.draw(shape, value);
    }
  }

  /** What a layer, or else the manifest, says of its reference system. */
  async #systemSaid({ name, referenceSystem: given }: LayerMessage): Promise<{
    system: ReferenceSystem | undefined;
    from: LayerReport['reference_system_from'];
  }> {
    const { crs } = this.#task.manifest;
    const said = crs === undefined ? undefined : await this.#systems(crs);
    if (!given) return { system: said, from: 'manifest' };
    let system: ReferenceSystem;
    try {
      system = await this.#systems(given.definition);
    } catch (error) {
      // Somebody was asked, and answered.
      if (said && error instanceof IngestError) return { system: said, from: 'manifest' };
      throw error;
    }
    // The file names a datum that nobody knows, and somebody knows better.
    if (said && system.possibleErrorM !== undefined) return { system: said, from: 'manifest' };
    if (given.from === 'file' && said && !isSame(system, said)) {
      this.#warnings.push({
        code: 'crs_not_used',
        message: `The layer ${name} is in ${system.name} by the file itself; ${said.name}, which the manifest names, was not used.`,
      });
    }
    return { system, from: given.from };
  }

  async #beginPlacing(system: ReferenceSystem): Promise<void> {
    const placing = await placingOf(this.#database, system, this.#task.serviceArea);
    this.#placing = placing && { ...placing, layer: this.#layers.length };
  }

  /** The reference system of the current layer, once its first features have been looked at. */
  async #systemOf(layer: LayerReport, batch: BatchMessage): Promise<ReferenceSystem> {
    if (this.#system && this.#batchesOfLayer > 1) return this.#system;
    const { serviceArea, manifest } = this.#task;
    const positions = positionsIn(batch);
    // Impossible degrees: the file or its format is wrong about its reference system.
    const isMistaken =
      layer.reference_system_from !== 'manifest' &&
      this.#system?.projected === false &&
      positions.every(isNoPlaceInDegrees);
    if (isMistaken) {
      this.#system = manifest.crs === undefined ? undefined : await this.#systems(manifest.crs);
      layer.reference_system_from = 'manifest';
    }
    if (!this.#system) {
      const all = [...positions, ...cornersOf(batch.box)];
      throw await questionOfSystem(this.#database, layer.name, all, serviceArea);
    }
    layer.reference_system = this.#system.name;
    const placement = await placementOf(this.#database, this.#system, positions, serviceArea);
    if (placement === 'swapped') throw axesSwapped(this.#system);
    this.#warnAboutSystem(this.#system);
    return this.#system;
  }

  #warnAboutSystem({ name, heights, possibleErrorM }: ReferenceSystem): void {
    if (possibleErrorM !== undefined)
      this.#warnOnce(
        'reference_system_uncertain',
        `The datum of ${name} is unknown: positions may be off by up to ${possibleErrorM} m. If you know the system, name it in the manifest, as in "crs": "EPSG:27200".`,
      );
    if (heights !== undefined)
      this.#warnOnce('heights_ignored', `The heights of the file (${heights}) are ignored.`);
  }

  #warnOnce(code: string, message: string): void {
    if (this.#warnings.some((warning) => warning.message === message)) return;
    this.#warnings.push({ code, message });
  }

  async #datasetOf({ technology }: Offer): Promise<number> {
    const known = this.#datasets.get(technology);
    if (known !== undefined) return known;
    const id = await beginDataset(this.#database, this.#task.submissionId, technology);
    this.#datasets.set(technology, id);
    return id;
  }

  async #endLayer(end: LayerEndMessage): Promise<void> {
    await Promise.all(this.#running);
    const layer = this.#layers.at(-1) as LayerReport;
    layer.features = end.featuresRead;
    this.#featuresRead += end.featuresRead;
    this.#vertices += end.vertices;
    this.#warnings.push(...end.warnings);
    if (end.area.dropped > 0)
      this.#droppedAreas.push({ layer: layer.name, share: end.area.dropped / end.area.read });
    await this.#problems.addLayer(this.#database, layer.name, end.dropped, this.#system);
    for (const [field, count] of Object.entries(end.speedsAbsent)) {
      this.#speedsAbsent[field as SpeedField] = (this.#speedsAbsent[field as SpeedField] ?? 0) + count;
    }
    this.#noteProgress({ ...end.progress, featuresRead: this.#featuresRead });
  }

  /** @param read of the whole file, by the reader's count when the batch was made: batches may end in another order */
  #noteProgress(read: ReadProgress): void {
    this.#read = {
      bytesRead: Math.max(this.#read.bytesRead, read.bytesRead),
      bytesTotal: read.bytesTotal,
      featuresRead: Math.max(this.#read.featuresRead, read.featuresRead),
    };
    this.#reportProgress('loading');
  }

  #reportProgress(step: Progress['step']): void {
    this.#task.onProgress({
      step,
      bytes_read: this.#read.bytesRead,
      bytes_total: this.#read.bytesTotal,
      features_read: this.#read.featuresRead,
      rows_loaded: this.#outcome.rows,
    });
  }

  #warnAboutSpeeds(): void {
    for (const [field, count] of Object.entries(this.#speedsAbsent)) {
      this.#warnings.push({
        code: 'speeds_absent',
        message: `${field} is neither in the file nor in the manifest for ${count} of ${this.#featuresRead} features; answers show 0 Mbps.`,
      });
    }
  }

  #oddities(): Promise<Warning[]> {
    const { serviceArea, plausibility } = this.#task;
    const { outsideM2, crossing } = this.#outcome;
    const figures = {
      datasets: [...this.#datasets.values()],
      areaM2: this.#areaM2(),
      outsideM2,
      crossing,
      read: this.#featuresRead,
      dropped: this.#problems.dropped(),
      droppedAreas: this.#droppedAreas,
    };
    return oddities(this.#database, figures, serviceArea, plausibility);
  }

  async #compare(): Promise<IngestReport['change']> {
    const { scope } = this.#task.manifest;
    const changes: IngestReport['change'] = [];
    for (const [technology, datasetId] of this.#datasets) {
      try {
        const change = await compareWithPublished(this.#database, datasetId, { signal: this.#signal });
        if (change) changes.push({ technology, scope, ...change });
      } catch (error) {
        // It is compared again before it is published.
        if (error instanceof ComparisonStale) continue;
        if (!isDataError(error)) throw error;
        this.#warnings.push(changeUnknown({ technology, scope }));
      }
    }
    return changes;
  }

  #report(change: IngestReport['change']): IngestReport {
    const { loaded, repaired, clipped, rows, tiers, box } = this.#outcome;
    const dropped = this.#problems.dropped();
    const report: Omit<IngestReport, 'text'> = {
      layers: this.#layers,
      features: { read: this.#featuresRead, loaded, repaired, clipped, dropped },
      problems: this.#problems.list().map((one) => ({ ...one, text: problemSentence(one) })),
      vertices: this.#vertices,
      rows,
      area_km2: toKm2(this.#areaM2()),
      bbox: box,
      tiers: this.#tiers.flatMap(({ id, offer }) => {
        const { rows, areaM2 } = tiers.get(id) ?? { rows: 0, areaM2: 0 };
        return rows > 0 ? [{ ...offer, area_km2: toKm2(areaM2), rows }] : [];
      }),
      change,
      warnings: this.#warnings,
      seconds: Math.round(performance.now() - this.#started) / 1000,
    };
    return { ...report, text: reportLines(report) };
  }

  #areaM2(): number {
    return [...this.#outcome.tiers.values()].reduce((sum, { areaM2 }) => sum + areaM2, 0);
  }

  #areas(): Map<number, number> {
    const areas = new Map([...this.#datasets.values()].map((id): [number, number] => [id, 0]));
    for (const { id, offer } of this.#tiers) {
      const dataset = this.#datasets.get(offer.technology) as number;
      areas.set(dataset, (areas.get(dataset) ?? 0) + (this.#outcome.tiers.get(id)?.areaM2 ?? 0) / 1e6);
    }
    return areas;
  }

  #nothingLoaded(): IngestError {
    const dropped = this.#problems.dropped();
    if (dropped.outside_service_area) {
      const [xmin, ymin, xmax, ymax] = this.#layerBox.map((value) => Math.round(value * 1000) / 1000);
      return new IngestError(
        'outside_service_area',
        `None of the coverage lies in the service area. Its coordinates run from ${xmin}, ${ymin} to ${xmax}, ${ymax} in ${this.#system?.name}.`,
      );
    }
    if (this.#featuresRead === 0) return new IngestError('no_areas', 'The file holds no features.');
    const values = this.#problems.values();
    const met = values.length > 0 ? ` They have ${values.map((value) => `"${value}"`).join(', ')}.` : '';
    const none = `None of the ${this.#featuresRead} features`;
    const why = `${none} could be used: ${this.#problems.inWords()}.`;
    if (unlistedReasons.some((reason) => dropped[reason]))
      return new IngestError('values_unknown', why + met);
    if (speedReasons.some((reason) => dropped[reason]))
      return new IngestError('no_usable_speeds', `${none} has speeds that can be used.${met}`);
    return new IngestError('no_areas', why);
  }
}

/** Reasons that the manifest can resolve. */
const unlistedReasons = ['value_not_listed', 'technology_unknown', 'availability_unknown'] as const;
const speedReasons = ['speed_not_a_number', 'speed_out_of_range', 'no_speed'] as const;

const isSame = (a: ReferenceSystem, b: ReferenceSystem) =>
  a.definition === b.definition || (a.srid !== undefined && a.srid === b.srid) || (a.wgs84 && b.wgs84);

/** What the reader needs to know of a class. */
function pixelClass(one: NonNullable<Manifest['classes']>[number]): PixelClass {
  const uncovered = !one.coverage;
  if (one.colour !== undefined) {
    const value = Number.parseInt(one.colour.slice(1), 16);
    return {
      uncovered,
      colour: [value >> 16, (value >> 8) & 255, value & 255],
      tolerance: one.tolerance ?? 0,
    };
  }
  return {
    uncovered,
    min: one.value ?? one.min ?? Number.NEGATIVE_INFINITY,
    max: one.value ?? one.max ?? Number.POSITIVE_INFINITY,
  };
}

/** The first positions of features spread over a batch. */
function positionsIn({ wkb, offsets, ids }: BatchMessage): Position[] {
  const step = Math.max(1, Math.ceil(ids.length / maxPositions));
  const positions: Position[] = [];
  for (let i = 0; i < ids.length; i += step) positions.push(firstPosition(wkb, offsets[i] as number));
  return positions;
}

function toKm2(m2: number): number {
  return Math.round(m2 / 1000) / 1000;
}
