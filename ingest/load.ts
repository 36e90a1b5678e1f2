import type { Bounds } from '../core/config.ts';
import { addTier, type TierDefinition, tidy } from '../core/coverage/datasets.ts';
import type { Manifest, SpeedField } from '../core/coverage/manifest.ts';
import type { Progress } from '../core/coverage/submissions.ts';
import type { Database } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import { type Box, emptyBox, extendBox } from './geometry/polygon.ts';
import type { BatchMessage, LayerEndMessage, LayerMessage } from './messages.ts';
import { BatchOutcome, normaliseBatch } from './normalise.ts';
import type { Warning } from './read/format.ts';
import { type ReaderLimits, readFile } from './reader.ts';
import { placementOf, type ReferenceSystem, resolveReferenceSystem } from './reference-system.ts';
import type { IngestReport, LayerReport } from './report.ts';

export interface LoadTask {
  /** The dataset that the rows become part of; empty so far. */
  datasetId: number;
  /** A path on this machine. */
  file: string;
  /** What the file was called where it came from. */
  name: string;
  manifest: Manifest;
  serviceArea: Bounds;
  limits: ReaderLimits;
  onProgress: (progress: Progress) => void;
  /** Stops the work; what is loaded by then stays, and is removed when the work is begun again. */
  signal?: AbortSignal | undefined;
}

/**
 * Reads a file and loads it into a dataset, which is not published by it.
 * @returns the report, for the submission
 * @throws IngestError for all that is wrong with the file
 */
export async function loadFile(database: Database, task: LoadTask): Promise<IngestReport> {
  const load = new Load(database, task);
  return load.run();
}

/** Batches that are normalised at once: a server has more than one core, the embedded database one session. */
const batchesAtOnce = { server: 2, embedded: 1 };

/**
 * Repairing a feature takes time that grows with the square of how often it crosses itself. A server ends a statement
 * that takes too long; the embedded database cannot, and everything waits for it.
 */
const mostCrossings = { server: undefined, embedded: 1000 };

class Load {
  readonly #database: Database;
  readonly #task: LoadTask;
  readonly #started = performance.now();
  readonly #outcome = new BatchOutcome();
  readonly #layers: LayerReport[] = [];
  readonly #warnings: Warning[] = [];
  readonly #speedsAbsent: Partial<Record<SpeedField, number>> = {};
  /** By position in the reader's count of tiers. */
  readonly #tiers: { id: number; definition: TierDefinition }[] = [];
  readonly #running = new Set<Promise<void>>();
  #failure: unknown;
  #featuresRead = 0;
  #vertices = 0;
  #system: ReferenceSystem | undefined;
  /** What the current layer's batches cover, in its own coordinates. */
  #layerBox: Box = emptyBox();
  #firstBatchOfLayer = true;

  constructor(database: Database, task: LoadTask) {
    this.#database = database;
    this.#task = task;
  }

  async run(): Promise<IngestReport> {
    const { file, name, manifest, limits, signal } = this.#task;
    const messages = readFile(
      {
        file,
        name,
        options: { layers: manifest.layers, classes: undefined, smoothing: false },
        rules: manifest,
        mostCrossings: mostCrossings[this.#database.kind],
      },
      limits,
      signal,
    );
    try {
      for await (const message of messages) {
        if (message.type === 'layer') await this.#beginLayer(message);
        else if (message.type === 'batch') await this.#takeBatch(message);
        else await this.#endLayer(message);
      }
    } finally {
      // Whatever ended the reading: no statement of this load may be running when it is over.
      await Promise.allSettled(this.#running);
    }
    if (this.#failure) throw this.#failure;
    if (this.#outcome.rows === 0) throw this.#nothingLoaded();
    this.#warnAboutSpeeds();
    await tidy(this.#database);
    return this.#report();
  }

  async #beginLayer(layer: LayerMessage): Promise<void> {
    const definition = layer.referenceSystem?.definition ?? this.#task.manifest.crs ?? '';
    this.#system = await resolveReferenceSystem(this.#database, definition, this.#task.serviceArea);
    this.#layerBox = emptyBox();
    this.#firstBatchOfLayer = true;
    this.#layers.push({
      name: layer.name,
      format: layer.format,
      reference_system: this.#system.name,
      ...(layer.encoding === undefined ? {} : { encoding: layer.encoding }),
      attributes: layer.fields,
      features: 0,
    });
  }

  async #takeBatch(batch: BatchMessage): Promise<void> {
    const system = this.#system as ReferenceSystem;
    const { datasetId, serviceArea } = this.#task;
    extendBox(this.#layerBox, batch.box);
    if (this.#firstBatchOfLayer) {
      this.#firstBatchOfLayer = false;
      if ((await placementOf(this.#database, system, batch.box, serviceArea)) === 'swapped')
        throw this.#swapped(system);
    }
    for (const definition of batch.newTiers) {
      this.#tiers.push({ id: await addTier(this.#database, datasetId, definition), definition });
    }
    const tierIds = batch.tiers.map((position) => this.#tiers[position]?.id as number);
    while (this.#running.size >= batchesAtOnce[this.#database.kind]) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure;
    const work: Promise<void> = this.#database
      .withConnection((connection) => normaliseBatch(connection, { ...batch, tierIds }, system, serviceArea))
      .then(
        (outcome) => {
          this.#outcome.add(outcome);
          this.#reportProgress('loading', batch.progress);
        },
        (error) => {
          this.#failure ??= error;
        },
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  async #endLayer(end: LayerEndMessage): Promise<void> {
    await Promise.all(this.#running);
    const layer = this.#layers.at(-1) as LayerReport;
    layer.features = end.featuresRead;
    this.#featuresRead += end.featuresRead;
    this.#vertices += end.vertices;
    this.#warnings.push(...end.warnings);
    for (const [reason, count] of Object.entries(end.dropped)) this.#outcome.drop(reason as never, count);
    for (const [field, count] of Object.entries(end.speedsAbsent)) {
      this.#speedsAbsent[field as SpeedField] = (this.#speedsAbsent[field as SpeedField] ?? 0) + count;
    }
    this.#reportProgress('checking', end.progress);
  }

  #reportProgress(step: Progress['step'], read: BatchMessage['progress']): void {
    this.#task.onProgress({
      step,
      bytes_read: read.bytesRead,
      bytes_total: read.bytesTotal,
      features_read: read.featuresRead,
      rows_loaded: this.#outcome.rows,
    });
  }

  #warnAboutSpeeds(): void {
    for (const [field, count] of Object.entries(this.#speedsAbsent)) {
      this.#warnings.push({
        code: 'speeds_absent',
        message: `${field} is neither in the file nor given with it for ${count} of ${this.#featuresRead} features; answers show 0 Mbps.`,
      });
    }
  }

  #report(): IngestReport {
    const { loaded, repaired, clipped, dropped, rows, tiers, box } = this.#outcome;
    const byTier = this.#tiers.map(({ id, definition }) => {
      const sum = tiers.get(id) ?? { rows: 0, areaM2: 0 };
      return { ...definition, area_km2: toKm2(sum.areaM2), rows: sum.rows };
    });
    return {
      layers: this.#layers,
      features: {
        read: this.#featuresRead,
        loaded,
        repaired,
        clipped,
        dropped,
      },
      vertices: this.#vertices,
      rows,
      area_km2: toKm2([...tiers.values()].reduce((sum, tier) => sum + tier.areaM2, 0)),
      bbox: box,
      tiers: byTier.filter((tier) => tier.rows > 0),
      warnings: this.#warnings,
      seconds: Math.round(performance.now() - this.#started) / 1000,
    };
  }

  #swapped(system: ReferenceSystem): IngestError {
    return new IngestError(
      'axes_swapped',
      `The coordinates have their axes swapped: read as ${system.name} they lie far away, with x and y exchanged in the service area.`,
      'Export the layer again with x (longitude or easting) first and y (latitude or northing) second.',
    );
  }

  #nothingLoaded(): IngestError {
    const { dropped } = this.#outcome;
    if (dropped.outside_service_area) {
      const [xmin, ymin, xmax, ymax] = this.#layerBox.map((value) => Math.round(value * 1000) / 1000);
      return new IngestError(
        'outside_service_area',
        `None of the coverage lies in the service area. Its coordinates run from ${xmin}, ${ymin} to ${xmax}, ${ymax} in ${this.#system?.name}.`,
        'Check that the .prj file is the one of this layer: it says where the coordinates are counted from.',
      );
    }
    const speeds = (dropped.speed_not_a_number ?? 0) + (dropped.speed_out_of_range ?? 0);
    if (speeds > 0) {
      return new IngestError(
        'no_usable_speeds',
        `None of the ${this.#featuresRead} features has speeds that can be used.`,
        'Check which attributes hold the speeds: they must be numbers, 0 or more, and a minimum not above its maximum.',
      );
    }
    return new IngestError(
      'no_areas',
      this.#featuresRead === 0
        ? 'The file holds no features.'
        : `None of the ${this.#featuresRead} features in the file has an area.`,
      'Check that the layer shows areas in the program it was made with, and export it again.',
    );
  }
}

function toKm2(m2: number): number {
  return Math.round(m2 / 1000) / 1000;
}
