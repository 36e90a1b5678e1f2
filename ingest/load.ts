import type { Plausibility } from '../core/config.ts';
import { analyzeCoverage } from '../core/coverage/datasets/archive.ts';
import { addTier, beginDataset } from '../core/coverage/datasets/load.ts';
import type { Manifest } from '../core/coverage/submissions/manifest.ts';
import type { IngestReport } from '../core/coverage/submissions/report.ts';
import type { Progress } from '../core/coverage/submissions/submissions.ts';
import { type BitmapCount, Canvas } from '../core/coverage/tiles/canvas.ts';
import { overviewZoom } from '../core/coverage/tiles/overview.ts';
import { seenAs } from '../core/coverage/tiles/speed-classes.ts';
import { type CopiedValue, copiedRows } from '../core/database/copy.ts';
import type { Database } from '../core/database/database.ts';
import { sql } from '../core/database/sql.ts';
import { today } from '../core/nz-time.ts';
import type { Bounds } from '../geometry/bounds.ts';
import type { Offer } from './attributes.ts';
import type { CoverageRead, CoverageWork, ReadProgress, RowsMessage } from './messages.ts';
import { oddities } from './plausibility.ts';
import type { PixelClass, Warning } from './read/format.ts';
import { type ReaderLimits, readFile, tooSlow } from './reader.ts';
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

/** Batches that are copied at once. */
const batchesAtOnce = 2;
/** Far more than half a megabyte takes. */
const copyTimeoutMs = 120_000;

/** A tier in the database, and how its rows are drawn. */
interface LoadedTier {
  id: number;
  offer: Offer;
  canvas: Canvas;
  seenAs: number;
}

class Load {
  readonly #database: Database;
  readonly #task: LoadTask;
  readonly #started = performance.now();
  /** By technology. */
  readonly #datasets = new Map<string, number>();
  /** By position in the reader's count of tiers. */
  readonly #tiers: LoadedTier[] = [];
  /** By dataset. */
  readonly #canvases = new Map<number, Canvas>();
  readonly #drawn: BitmapCount = { bitmaps: 0 };
  readonly #running = new Set<Promise<void>>();
  /** Aborted when the task is, and when the time for the whole load is over. */
  readonly #stop = new AbortController();
  readonly #signal: AbortSignal;
  #failure: unknown;
  #rows = 0;
  /** How far the whole file has been read: of all its layers. */
  #read: ReadProgress = { bytesRead: 0, bytesTotal: 0, featuresRead: 0 };

  constructor(database: Database, task: LoadTask) {
    this.#database = database;
    this.#task = task;
    const { signal } = task;
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
    const found = await this.#copyRows();
    this.#reportProgress('checking');
    const drawing = this.#task.draw?.([...this.#datasets.values()], this.#canvases, this.#signal);
    // It is awaited below, also where what follows fails first.
    drawing?.catch(() => undefined);
    const warnings = [...found.warnings];
    try {
      warnings.push(...(await this.#oddities(found)));
      await analyzeCoverage(this.#database);
    } catch (error) {
      this.#stop.abort(error);
      await Promise.allSettled([drawing]);
      throw error;
    }
    await drawing;
    return { report: this.#report({ ...found, warnings }), areas: this.#areas(found) };
  }

  async #copyRows(): Promise<CoverageRead> {
    const { limits, read = readFile } = this.#task;
    let found: CoverageRead | undefined;
    try {
      for await (const message of read(await this.#reading(), limits, this.#signal)) {
        if (message.type === 'rows') await this.#takeRows(message);
        else if (message.type === 'coverage') found = message.read;
      }
    } finally {
      // No statement of this load may run on.
      await Promise.allSettled(this.#running);
    }
    if (this.#failure) throw this.#failure;
    if (!found) throw new Error('the reader ended without a result');
    this.#noteProgress(found.progress);
    return found;
  }

  async #reading(): Promise<CoverageWork> {
    const { file, name, manifest, serviceArea } = this.#task;
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
      serviceArea,
      crs: manifest.crs,
    };
  }

  async #takeRows(batch: RowsMessage): Promise<void> {
    for (const offer of batch.newTiers) this.#tiers.push(await this.#addTier(offer));
    while (this.#running.size >= batchesAtOnce) await Promise.race(this.#running);
    if (this.#failure) throw this.#failure;
    if (batch.rows === 0) return this.#noteProgress(batch.progress);
    this.#complete(batch);
    const copying: Promise<void> = this.#copy(batch)
      .then(() => {
        this.#rows += batch.rows;
        this.#noteProgress(batch.progress);
      })
      .catch((error) => {
        this.#failure ??= error;
      })
      .finally(() => this.#running.delete(copying));
    this.#running.add(copying);
  }

  /** Gives rows the numbers of their tiers in the database, and draws them. */
  #complete({ copy }: RowsMessage): void {
    const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
    for (const [tier, geometry] of copiedRows(copy) as Iterable<[CopiedValue, CopiedValue]>) {
      const { id, canvas, seenAs } = this.#tiers[view.getInt32(tier.at)] as LoadedTier;
      view.setInt32(tier.at, id);
      canvas.draw(copy.subarray(geometry.at, geometry.at + geometry.length), seenAs);
    }
  }

  async #copy({ copy }: RowsMessage): Promise<void> {
    await this.#database.withConnection((connection) =>
      connection.copyFrom('coverage (tier_id, geom)', [copy], {
        timeoutMs: copyTimeoutMs,
        signal: this.#signal,
      }),
    );
  }

  async #addTier(offer: Offer): Promise<LoadedTier> {
    const dataset = await this.#datasetOf(offer);
    const canvas = this.#canvases.get(dataset) ?? new Canvas(overviewZoom, this.#drawn);
    this.#canvases.set(dataset, canvas);
    const value = seenAs({ availability: offer.availability, bandwidthMax: offer.bandwidth_max_mbps });
    return { id: await addTier(this.#database, dataset, offer), offer, canvas, seenAs: value };
  }

  async #datasetOf({ technology }: Offer): Promise<number> {
    const known = this.#datasets.get(technology);
    if (known !== undefined) return known;
    const id = await beginDataset(this.#database, this.#task.submissionId, technology);
    this.#datasets.set(technology, id);
    return id;
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
      rows_loaded: this.#rows,
    });
  }

  #oddities(found: CoverageRead): Promise<Warning[]> {
    const { serviceArea, plausibility } = this.#task;
    const { outsideM2, crossing, droppedAreas, features } = found;
    const figures = {
      datasets: [...this.#datasets.values()],
      areaM2: areaOf(found),
      outsideM2,
      crossing,
      read: features.read,
      dropped: features.dropped,
      droppedAreas,
    };
    return oddities(this.#database, figures, serviceArea, plausibility);
  }

  #report(found: CoverageRead): IngestReport {
    const { layers, features, problems, vertices, rows, box, tiers, warnings } = found;
    const report: Omit<IngestReport, 'text'> = {
      layers,
      features,
      problems: problems.map((one) => ({ ...one, text: problemSentence(one) })),
      vertices,
      rows,
      area_km2: toKm2(areaOf(found)),
      bbox: box,
      tiers: this.#tiers.flatMap(({ offer }, i) => {
        const { rows, areaM2 } = tiers[i] ?? { rows: 0, areaM2: 0 };
        return rows > 0 ? [{ ...offer, area_km2: toKm2(areaM2), rows }] : [];
      }),
      // Told once it has been compared.
      change: [],
      warnings,
      seconds: Math.round(performance.now() - this.#started) / 1000,
    };
    return { ...report, text: reportLines(report) };
  }

  #areas({ tiers }: CoverageRead): Map<number, number> {
    const areas = new Map([...this.#datasets.values()].map((id): [number, number] => [id, 0]));
    for (const [i, { offer }] of this.#tiers.entries()) {
      const dataset = this.#datasets.get(offer.technology) as number;
      areas.set(dataset, (areas.get(dataset) ?? 0) + (tiers[i]?.areaM2 ?? 0) / 1e6);
    }
    return areas;
  }
}

const areaOf = ({ tiers }: CoverageRead) => tiers.reduce((sum, { areaM2 }) => sum + areaM2, 0);

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

function toKm2(m2: number): number {
  return Math.round(m2 / 1000) / 1000;
}
