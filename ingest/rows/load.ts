import type { PixelClass } from '@covermap/coverage-files/format.ts';
import type { Bounds } from '@covermap/geometry/bounds.ts';
import { analyzeCoverage } from '../../coverage/datasets/archive.ts';
import { addTier, beginDataset } from '../../coverage/datasets/load.ts';
import { type ExclusionInForce, exclusionsFor } from '../../coverage/exclusions/exclusions.ts';
import { type Proposal, proposalsOf } from '../../coverage/exclusions/proposed.ts';
import type { MadeWith } from '../../coverage/exclusions/remakes.ts';
import type { PremisesOfDatasets } from '../../coverage/premises/counted.ts';
import { premisesFile } from '../../coverage/premises/premises-list.ts';
import type { Manifest } from '../../coverage/submissions/manifest.ts';
import type { IngestReport } from '../../coverage/submissions/report.ts';
import type { Progress } from '../../coverage/submissions/submissions.ts';
import { type BitmapCount, Canvas } from '../../coverage/tiles/canvas.ts';
import { overviewZoom } from '../../coverage/tiles/overview.ts';
import { speedClassOf } from '../../coverage/tiles/speed-classes.ts';
import type { Plausibility } from '../../platform/config.ts';
import { type CopiedValue, copiedRows } from '../../platform/database/copy.ts';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { today } from '../../platform/nz-time.ts';
import type { Offer } from '../attributes/contradictions.ts';
import type { KnownTechnology } from '../attributes/words.ts';
import type { CoverageRead, CoverageWork, ReadProgress, RowsMessage } from '../messages.ts';
import { type ReaderLimits, readFile, tooSlow } from '../reader.ts';
import { loadedM2, oddities } from '../report/plausibility.ts';
import { problemSentence, reportLines } from '../report/report.ts';
import { coveredAreas } from '../report/uncovered.ts';

export interface LoadTask {
  /** The file's submission; nothing of it is loaded yet. */
  submissionId: string;
  file: string;
  name: string;
  manifest: Manifest;
  serviceArea: Bounds;
  /** Where files of this service lie that can be made again. */
  scratchDir: string;
  limits: ReaderLimits;
  plausibility: Plausibility;
  onProgress: (progress: Progress) => void;
  /** Draws the datasets while the database examines their rows. @param canvases by dataset @param signal aborted with the load, or after its own time */
  draw?: (
    datasets: readonly number[],
    canvases: ReadonlyMap<number, Canvas>,
    signal: AbortSignal,
  ) => Promise<void>;
  /** In a process of its own by default. */
  read?: typeof readFile;
  /** Stops the work. The loaded part is removed when the work begins again. */
  signal?: AbortSignal | undefined;
}

/** Reads a file and loads it into unpublished datasets, one for each technology. @throws IngestError for faults of the file, and `load_too_slow` */
export async function loadFile(database: Database, task: LoadTask) {
  const { limits, draw, signal: ofTask } = task;
  const started = performance.now();
  /** Aborted when the load's time is over, or a part of it fails. */
  const stop = new AbortController();
  const signal = ofTask ? AbortSignal.any([ofTask, stop.signal]) : stop.signal;
  const deadline = setTimeout(() => stop.abort(tooSlow('load_too_slow', limits)), limits.deadlineMs);
  const tiers = loadedTiers(database, task.submissionId);
  const progress = loadProgress(task.onProgress);
  try {
    const exclusions = await exclusionsFor(database, task.submissionId);
    const found = await copyRows(database, task, exclusions, tiers, progress, signal);
    progress.report('checking');
    const drawing = draw?.(tiers.datasets(), tiers.canvases, signal);
    // Awaited below; an earlier failure must not leave it unhandled.
    drawing?.catch(() => undefined);
    const warnings = [...found.warnings];
    let proposals: Proposal[];
    try {
      const datasets = tiers.datasets();
      const uncovered = await coveredAreas(database, found.uncovered, datasets);
      const proposed = await proposalsOf(database, uncovered, datasets, task.serviceArea);
      proposals = proposed.proposals;
      const figures = { ...found, uncovered, notProposed: proposed.unusable };
      warnings.push(...(await oddities(database, figures, datasets, task.serviceArea, task.plausibility)));
      await analyzeCoverage(database);
    } catch (error) {
      stop.abort(error);
      await Promise.allSettled([drawing]);
      throw error;
    }
    await drawing;
    const seconds = (performance.now() - started) / 1000;
    const taken = takenFrom(found, tiers);
    const report = reportOf({ ...found, warnings }, tiers, excludedBy(exclusions, taken), seconds);
    const made = { exclusions: exclusions.map(({ id }) => id), taken, proposals };
    return { report, areas: areasOf(found, tiers), made, premises: premisesOf(found, tiers) };
  } catch (error) {
    // The reason of the stop, not the errors of the statements.
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(deadline);
  }
}

async function copyRows(
  database: Database,
  task: LoadTask,
  exclusions: readonly ExclusionInForce[],
  tiers: LoadedTiers,
  progress: ReturnType<typeof loadProgress>,
  signal: AbortSignal,
): Promise<CoverageRead> {
  const { limits, read = readFile } = task;
  const copier = batchCopier(database, signal);
  let found: CoverageRead | undefined;
  try {
    for await (const message of read(await workOf(database, task, exclusions), limits, signal)) {
      if (message.type === 'coverage') found = message.read;
      if (message.type !== 'rows') continue;
      for (const offer of message.newTiers) await tiers.add(offer);
      await copier.room();
      if (message.rows > 0) {
        tiers.complete(message);
        copier.begin(message.copy, () => progress.loaded(message.progress, message.rows));
      } else progress.loaded(message.progress);
    }
  } finally {
    // No statement of this load may go on running.
    await copier.settled();
  }
  await copier.room();
  if (!found) throw new Error('the reader ended without a result');
  progress.loaded(found.progress);
  return found;
}

/** All technologies, with the words that files have for them. */
export async function knownTechnologies(database: Database): Promise<KnownTechnology[]> {
  const { rows } = await database.query<KnownTechnology>(`
    select t.name, t.label, t.plausible_mbps as "plausibleMbps",
      coalesce(array_agg(w.word) filter (where not w.is_code), '{}') as words,
      coalesce(array_agg(w.word) filter (where w.is_code), '{}') as codes
    from technology t left join technology_word w on w.technology_id = t.id
    group by t.id
    order by t.nominal_rank`);
  return rows;
}

async function workOf(
  database: Database,
  task: LoadTask,
  exclusions: readonly ExclusionInForce[],
): Promise<CoverageWork> {
  const { file, name, manifest, serviceArea, scratchDir, submissionId } = task;
  const technologies = await knownTechnologies(database);
  const {
    rows: [provider],
  } = await database.query<{ name: string; wholesale_network: string }>(sql`
    select p.name, p.wholesale_network from provider p
    join submission s on s.provider_id = p.id where s.id = ${submissionId}`);
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
    premises: await premisesFile(database, scratchDir),
    exclusions,
  };
}

function loadProgress(onProgress: LoadTask['onProgress']) {
  const progress = { bytes_read: 0, bytes_total: 0, features_read: 0, rows_loaded: 0 };
  return {
    report: (step: Progress['step']) => onProgress({ step, ...progress }),
    /** @param read the reader's counts of the whole file when it made the batch: batches may end in another order */
    loaded({ bytesRead, bytesTotal, featuresRead }: ReadProgress, rows = 0): void {
      progress.bytes_read = Math.max(progress.bytes_read, bytesRead);
      progress.bytes_total = bytesTotal;
      progress.features_read = Math.max(progress.features_read, featuresRead);
      progress.rows_loaded += rows;
      this.report('loading');
    },
  };
}

function reportOf(
  found: CoverageRead,
  tiers: LoadedTiers,
  excluded: IngestReport['excluded'],
  seconds: number,
): IngestReport {
  const { layers, features, problems, vertices, rows, box, premises, warnings } = found;
  const coveredBy = new Map(premises?.tiers.map(([tier, { covered }]) => [tier, covered]));
  const report: Omit<IngestReport, 'text'> = {
    layers,
    features,
    problems: problems.map((one) => ({ ...one, text: problemSentence(one) })),
    vertices,
    rows,
    area_km2: toKm2(loadedM2(found)),
    ...(premises && { premises: premises.covered }),
    // Where exclusions have left nothing, there is none.
    bbox: rows > 0 ? box : null,
    tiers: tiers
      .with(found)
      .map((tier, i) => ({ ...tier, covered: coveredBy.get(i) ?? 0 }))
      .filter((tier) => tier.rows > 0)
      .map(({ offer, areaM2, covered, rows }) => ({
        ...{ ...offer, area_km2: toKm2(areaM2), rows },
        ...(premises && { premises: covered }),
      })),
    ...(excluded && { excluded }),
    // Filled in after the comparison.
    change: [],
    warnings,
    seconds: Math.round(seconds * 1000) / 1000,
  };
  return { ...report, text: reportLines(report) };
}

type Taken = MadeWith['taken'][number] & { technology: string };

/** What exclusions took, by dataset. */
function takenFrom({ excluded }: CoverageRead, tiers: LoadedTiers): Taken[] {
  return excluded.map(({ tier, exclusion, m2 }) => {
    const { dataset, offer } = tiers.at(tier);
    return { dataset, technology: offer.technology, exclusion, m2 };
  });
}

/** For the report; undefined where exclusions took nothing. */
function excludedBy(
  exclusions: readonly ExclusionInForce[],
  taken: readonly Taken[],
): IngestReport['excluded'] {
  const found = exclusions.flatMap(({ id, reason }) =>
    [...new Set(taken.map(({ technology }) => technology))].flatMap((technology) => {
      const of = taken.filter((one) => one.exclusion === id && one.technology === technology);
      const km2 = toKm2(of.reduce((sum, { m2 }) => sum + m2, 0));
      return of.length > 0 ? [{ exclusion: id, technology, reason, km2 }] : [];
    }),
  );
  return found.length > 0 ? found : undefined;
}

/** In km2, by dataset. */
function areasOf(found: CoverageRead, tiers: LoadedTiers): Map<number, number> {
  const areas = new Map(tiers.datasets().map((id): [number, number] => [id, 0]));
  for (const { dataset, areaM2 } of tiers.with(found))
    areas.set(dataset, (areas.get(dataset) ?? 0) + areaM2 / 1e6);
  return areas;
}

/** The premises of the loaded tiers; undefined where none were looked for. */
function premisesOf({ premises }: CoverageRead, tiers: LoadedTiers): PremisesOfDatasets | undefined {
  if (!premises) return undefined;
  const datasets: PremisesOfDatasets['datasets'] = new Map(tiers.datasets().map((id) => [id, new Map()]));
  const ids = tiers.ids();
  for (const [tier, found] of premises.tiers) {
    const { id, dataset } = ids[tier] as (typeof ids)[number];
    datasets.get(dataset)?.set(id, found);
  }
  return { version: premises.version, datasets };
}

function pixelClass(pixels: NonNullable<Manifest['classes']>[number]): PixelClass {
  const uncovered = !pixels.coverage;
  if (pixels.colour !== undefined) {
    const value = Number.parseInt(pixels.colour.slice(1), 16);
    return {
      uncovered,
      colour: [value >> 16, (value >> 8) & 255, value & 255],
      tolerance: pixels.tolerance ?? 0,
    };
  }
  return {
    uncovered,
    min: pixels.value ?? pixels.min ?? Number.NEGATIVE_INFINITY,
    max: pixels.value ?? pixels.max ?? Number.POSITIVE_INFINITY,
  };
}

function toKm2(m2: number): number {
  return Math.round(m2 / 1000) / 1000;
}

const batchesAtOnce = 2;
/** Far more than half a megabyte needs. */
const copyTimeoutMs = 120_000;

/** Copies batches of rows into `coverage`, a few at once. */
export function batchCopier(database: Database, signal: AbortSignal) {
  const running = new Set<Promise<void>>();
  let failure: unknown;
  return {
    /** Waits until another batch may begin. @throws the error of a failed batch */
    async room(): Promise<void> {
      while (running.size >= batchesAtOnce) await Promise.race(running);
      if (failure) throw failure;
    },

    /** Begins to copy a batch. @param done called once it is copied */
    begin(copy: Uint8Array<ArrayBuffer>, done: () => void): void {
      const options = { timeoutMs: copyTimeoutMs, signal };
      const copying: Promise<void> = database
        .withConnection((connection) =>
          connection.copyFrom('coverage (tier_id, geom, digest)', [copy], options),
        )
        .then(done)
        .catch((error) => {
          failure ??= error;
        })
        .finally(() => running.delete(copying));
      running.add(copying);
    },

    settled: () => Promise.allSettled(running),
  };
}

interface LoadedTier {
  id: number;
  dataset: number;
  offer: Offer;
  canvas: Canvas;
  speedClass: number;
}

export type LoadedTiers = ReturnType<typeof loadedTiers>;

/** A load's tiers in the database, in the order of the reader's indexes, and the drawings of their datasets. */
export function loadedTiers(database: Database, submissionId: string) {
  const tiers: LoadedTier[] = [];
  const datasetOf = new Map<string, number>();
  /** By dataset. */
  const canvases = new Map<number, Canvas>();
  const drawn: BitmapCount = { bitmaps: 0 };
  return {
    canvases,
    datasets: (): number[] => [...datasetOf.values()],
    ids: (): readonly Pick<LoadedTier, 'id' | 'dataset'>[] => tiers,

    async add(offer: Offer): Promise<void> {
      const { technology, availability, bandwidth_max_mbps: bandwidthMax } = offer;
      const dataset = datasetOf.get(technology) ?? (await beginDataset(database, submissionId, technology));
      datasetOf.set(technology, dataset);
      const canvas = canvases.get(dataset) ?? new Canvas(overviewZoom, drawn);
      canvases.set(dataset, canvas);
      const id = await addTier(database, dataset, offer);
      tiers.push({ id, dataset, offer, canvas, speedClass: speedClassOf({ availability, bandwidthMax }) });
    },

    /** Puts the database's tier ids into rows, and draws them. */
    complete({ copy }: RowsMessage): void {
      const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
      for (const [tier, geometry] of copiedRows(copy) as Iterable<[CopiedValue, CopiedValue]>) {
        const { id, canvas, speedClass } = tiers[view.getInt32(tier.at)] as LoadedTier;
        view.setInt32(tier.at, id);
        canvas.draw(copy.subarray(geometry.at, geometry.at + geometry.length), speedClass);
      }
    },

    at: (tier: number) => tiers[tier] as LoadedTier,

    /** The tiers with the reader's counts, which may include tiers without rows. */
    with: ({ tiers: counted }: CoverageRead) =>
      tiers.map(({ dataset, offer }, i) => ({ dataset, offer, ...(counted[i] ?? { rows: 0, areaM2: 0 }) })),
  };
}
