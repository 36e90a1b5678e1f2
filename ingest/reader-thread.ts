import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { CovermapError, detailedReport } from '../core/errors.ts';
import { isDiskFull } from '../core/full-disk.ts';
import { type Offer, type OfferOfFeature, offerReader } from './attributes.ts';
import { BatchBuilder } from './batch.ts';
import { IngestError } from './errors.ts';
import { isTangle } from './geometry/crossings.ts';
import { inspectContents } from './inspect-contents.ts';
import {
  type GoOn,
  type LayerEndMessage,
  type LayerPlacing,
  maxExamples,
  type ReaderMessage,
  type ReaderTask,
  type ThreadData,
  type ThreadStart,
  type TowersWork,
} from './messages.ts';
import { placer } from './placing.ts';
import { mayBeCoverage, planarArea } from './plausibility.ts';
import type { DropReason, Source, SourceFeature, SourceLayer } from './read/format.ts';
import { openSource } from './read/open.ts';
import { countPulseIn, pulse } from './read/pulse.ts';
import { Seen } from './seen.ts';
import { TierCount } from './tier-count.ts';
import { openTowerBundle } from './tower-bundle.ts';
import { parseTowers } from './tower-file.ts';

/* Reads a file in a thread, so that its process can watch it. It waits between messages, so that it never runs far ahead. */

/** Of names and values in the report, in characters. */
const maxTextLength = 200;
const towersAtOnce = 500;

export interface Sink {
  /** What came last with leave to send. */
  placing?: LayerPlacing | undefined;
  /** Waits until it may be sent. */
  send(message: ReaderMessage, transfer?: ArrayBuffer[]): Promise<void>;
  /** Waits until all that was sent is taken. @returns the reply to this message */
  ask(message: ReaderMessage): Promise<GoOn>;
}

function sinkOf(port: MessagePort, ahead: number): Sink {
  let free = ahead;
  let last: GoOn = {};
  const sink: Sink = {
    async send(message, transfer = []) {
      while (free === 0) await once(port, 'message');
      free--;
      port.postMessage(message, transfer);
    },
    async ask(message) {
      await sink.send(message);
      while (free < ahead) await once(port, 'message');
      return last;
    },
  };
  port.on('message', (reply: GoOn) => {
    free++;
    last = reply;
    sink.placing = reply.placing;
  });
  return sink;
}

type CoverageTask = Extract<ReaderTask, { kind: 'coverage' }>;

async function read(task: ReaderTask, sender: Sink): Promise<void> {
  if (task.kind === 'inspection')
    await sender.send({ type: 'inspection', found: await inspectContents(task) });
  else if (task.kind === 'towers') await readTowerList(task, sender);
  else if (task.kind === 'terrain') {
    const { listTerrain } = await import('./propagation/list-terrain.ts');
    await sender.send({ type: 'terrain', ...(await listTerrain(task)) });
  } else if (task.kind === 'profile') {
    const { pathProfile } = await import('./propagation/path-profile.ts');
    await sender.send({ type: 'profile', profile: await pathProfile(task) });
  } else if (task.kind === 'prediction') {
    const { predictTowers } = await import('./propagation/predict-towers.ts');
    await predictTowers(task, sender);
  } else await readCoverage(task, sender);
  await sender.send({ type: 'end' });
}

async function readTowerList(task: TowersWork & { scratch: string }, sender: Sink): Promise<void> {
  const { list } = await openTowerBundle(task.file, task.scratch);
  const towers = await parseTowers(list, task.speeds, task.serviceArea);
  for (let i = 0; i < towers.length; i += towersAtOnce) {
    await sender.send({ type: 'towers', towers: towers.slice(i, i + towersAtOnce) });
  }
}

const beginReading = (task: CoverageTask, source: Source, sender: Omit<Sink, 'ask'>) => ({
  task,
  source,
  sender,
  /** Positions of tiers by their text. */
  tiers: new Map<string, number>(),
  counted: new TierCount(),
  /** Those that no batch has brought yet. */
  newTiers: [] as Offer[],
  seen: new Seen(),
  /** Of the layers that were read. */
  layersBefore: 0,
  bytesBefore: 0,
});

/** Reads a file of coverage. @throws IngestError as the readers do */
export async function readCoverage(task: CoverageTask, sender: Omit<Sink, 'ask'>): Promise<void> {
  const source = await openSource(task.file, task.name, task.scratch, task.options);
  const reading = beginReading(task, source, sender);
  try {
    for (const layer of source.layers) {
      await readLayer(layer, reading);
      reading.layersBefore++;
      reading.bytesBefore += layer.bytesRead();
    }
  } finally {
    source.close();
  }
}

async function readLayer(layer: SourceLayer, reading: ReturnType<typeof beginReading>): Promise<void> {
  const { task, source, sender, tiers, counted, seen, layersBefore, bytesBefore } = reading;
  const { offerOf, mapping, warnings } = offerReader(layer, task.rules);
  await sender.send({
    type: 'layer',
    name: shortened(layer.name),
    format: layer.format,
    referenceSystem: layer.referenceSystem,
    encoding: layer.encoding,
    fields: layer.fields,
    extent: layer.extent,
    mapping,
  });
  const summary: Omit<LayerEndMessage, 'progress'> = {
    type: 'layerEnd',
    warnings: [],
    featuresRead: 0,
    dropped: {},
    area: { read: 0, dropped: 0 },
    speedsAbsent: {},
    vertices: 0,
  };
  const progress = () => ({
    bytesRead: bytesBefore + layer.bytesRead(),
    bytesTotal: source.bytesTotal,
    featuresRead: summary.featuresRead,
  });
  const batch = new BatchBuilder();
  const placedBatch = new BatchBuilder();
  let place: ReturnType<typeof placer> | undefined;
  const send = async (full: BatchBuilder) => {
    const message = full.take(reading.newTiers, progress());
    reading.newTiers = [];
    const { wkb, offsets, ids, tiers: tierNumbers, repaired } = message;
    await sender.send(message, [wkb.buffer, offsets.buffer, ids.buffer, tierNumbers.buffer, repaired.buffer]);
    if (!place && sender.placing?.layer === layersBefore + 1) place = placer(sender.placing);
  };
  const drop = (reason: DropReason, feature: SourceFeature, value?: string) => {
    summary.dropped[reason] ??= { count: 0, examples: [] };
    const { examples } = summary.dropped[reason];
    summary.dropped[reason].count++;
    if (mayBeCoverage(reason)) summary.area.dropped += planarArea(feature.polygons);
    if (examples.length < maxExamples) {
      examples.push({
        feature: feature.id,
        name: feature.name,
        value: shortened(value),
        position: positionOf(feature),
      });
    }
  };
  for await (const feature of layer.features()) {
    summary.featuresRead++;
    pulse();
    summary.area.read += planarArea(feature.polygons);
    feature.name = shortened(feature.name);
    const found: OfferOfFeature = feature.dropped ? { dropped: feature.dropped } : offerOf(feature);
    if ('dropped' in found) {
      drop(found.dropped, feature, found.value);
      continue;
    }
    if (isTangle(feature.polygons)) {
      drop('crosses_itself_too_often', feature);
      continue;
    }
    const known = tiers.get(found.key);
    const tier = known ?? tiers.size;
    if (!seen.add(feature.polygons, tier)) {
      drop('duplicate', feature);
      continue;
    }
    for (const name of found.speedsAbsent) summary.speedsAbsent[name] = (summary.speedsAbsent[name] ?? 0) + 1;
    for (const polygon of feature.polygons) for (const ring of polygon) summary.vertices += ring.length / 2;
    if (known === undefined) {
      tiers.set(found.key, tier);
      counted.count(found.offer, mapping);
      reading.newTiers.push(found.offer);
    }
    const placed = feature.repaired ? undefined : place?.(feature.polygons);
    if (placed) placedBatch.addPlaced(feature, tier, placed);
    else batch.add(feature, tier);
    if (placedBatch.full) await send(placedBatch);
    if (batch.full) await send(batch);
  }
  for (const one of [placedBatch, batch]) if (!one.empty) await send(one);
  await sender.send({ ...summary, warnings: [...warnings(), ...layer.warnings], progress: progress() });
}

/** A text out of the file, short enough to be shown. */
function shortened<T extends string | undefined>(text: T): T {
  return (
    text !== undefined && text.length > maxTextLength ? `${text.slice(0, maxTextLength)}...` : text
  ) as T;
}

/** Somewhere on the feature, in its layer's coordinates. */
function positionOf(feature: SourceFeature): [number, number] | undefined {
  const [x, y] = feature.polygons[0]?.[0] ?? [];
  return x !== undefined && y !== undefined && Number.isFinite(x) && Number.isFinite(y) ? [x, y] : undefined;
}

/** What no reader expects of a file: more than the stack, a text or a list can take. Another try would end the same; V8 has no codes for these. */
const isTooMuch = (error: unknown) =>
  (error instanceof RangeError &&
    /^Maximum call stack|^Invalid (?:string|array|typed array) length|^Array buffer allocation/.test(
      error.message,
    )) ||
  (error as NodeJS.ErrnoException)?.code === 'ERR_STRING_TOO_LONG';

const tooMuch = (cause: unknown) =>
  new IngestError(
    'reader_broke_off',
    'A value in the file is too long, or nested too deep, to be read.',
  ).causedBy(cause);

if (parentPort) {
  const port = parentPort;
  countPulseIn((workerData as ThreadData).pulse);
  once(port, 'message')
    .then(([start]) => {
      const { task, ahead } = start as ThreadStart;
      pulse();
      return read(task, sinkOf(port, ahead));
    })
    .catch((thrown) => {
      const error = isTooMuch(thrown) ? tooMuch(thrown) : thrown;
      port.postMessage({
        type: 'error',
        report: detailedReport(isDiskFull(error) ? new CovermapError('storage_full') : error),
        aboutFile: error instanceof IngestError,
        cause: error instanceof IngestError && error.cause instanceof Error ? error.cause.message : undefined,
      });
    })
    .finally(() => port.close());
}
