import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { errorReport } from '../core/errors.ts';
import { tierKey, tierReader } from './attributes.ts';
import { IngestError } from './errors.ts';
import { crossesItselfTooOften } from './geometry/crossings.ts';
import { emptyBox, extendBox, ringBox } from './geometry/polygon.ts';
import { wkbSize, writeWkb } from './geometry/wkb.ts';
import type { BatchMessage, LayerEndMessage, ReaderMessage, ReaderTask } from './messages.ts';
import type { DropReason, Source, SourceFeature, SourceLayer } from './read/format.ts';
import { openSource } from './read/open.ts';

/*
 * The thread that reads an uploaded file. Whatever a file does to it, the process lives on: it has a heap of its own
 * and is ended when it takes too long. It sends messages and waits for leave to go on, so that reading never runs ahead
 * of loading.
 */

/** A batch is loaded by one statement, which keeps others waiting in the embedded database: this bounds it. */
const batchFeatures = 500;
const batchBytes = 512 * 1024;
/** Messages sent and not yet taken. */
const ahead = 3;

class Sender {
  readonly #port: MessagePort;
  #free = ahead;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', () => {
      this.#free++;
    });
  }

  async send(message: ReaderMessage, transfer: ArrayBuffer[] = []): Promise<void> {
    while (this.#free === 0) await once(this.#port, 'message');
    this.#free--;
    this.#port.postMessage(message, transfer);
  }
}

/** Collects features until there are enough for a batch. */
class Batch {
  #features: { id: number; tier: number; feature: SourceFeature }[] = [];
  #bytes = 0;
  newTiers: BatchMessage['newTiers'] = [];

  add(feature: SourceFeature, tier: number): void {
    this.#features.push({ id: feature.id, tier, feature });
    this.#bytes += wkbSize(feature.polygons);
  }

  get full(): boolean {
    return this.#features.length >= batchFeatures || this.#bytes >= batchBytes;
  }

  get empty(): boolean {
    return this.#features.length === 0;
  }

  take(progress: BatchMessage['progress']): BatchMessage {
    const count = this.#features.length;
    const message: BatchMessage = {
      type: 'batch',
      wkb: new Uint8Array(this.#bytes),
      offsets: new Uint32Array(count + 1),
      ids: new Uint32Array(count),
      tiers: new Uint32Array(count),
      mended: new Uint8Array(count),
      newTiers: this.newTiers,
      box: emptyBox(),
      progress,
    };
    let at = 0;
    for (const [i, { id, tier, feature }] of this.#features.entries()) {
      message.offsets[i] = at;
      message.ids[i] = id;
      message.tiers[i] = tier;
      message.mended[i] = feature.repaired ? 1 : 0;
      at = writeWkb(feature.polygons, message.wkb, at);
      for (const [outer] of feature.polygons) if (outer) extendBox(message.box, ringBox(outer));
    }
    message.offsets[count] = at;
    this.#features = [];
    this.#bytes = 0;
    this.newTiers = [];
    return message;
  }
}

async function read(task: ReaderTask, sender: Sender): Promise<void> {
  const source = await openSource(task.file, task.name, task.scratch, task.options);
  try {
    const tiers = new Map<string, number>();
    let bytesBefore = 0;
    for (const layer of source.layers) {
      await readLayer(layer, source, bytesBefore, task, tiers, sender);
      bytesBefore += layer.bytesRead();
    }
    await sender.send({ type: 'end' });
  } finally {
    source.close();
  }
}

async function readLayer(
  layer: SourceLayer,
  source: Source,
  bytesBefore: number,
  task: ReaderTask,
  tiers: Map<string, number>,
  sender: Sender,
): Promise<void> {
  const tierOf = tierReader(layer, task.rules);
  await sender.send({
    type: 'layer',
    name: layer.name,
    format: layer.format,
    referenceSystem: layer.referenceSystem,
    encoding: layer.encoding,
    fields: layer.fields,
  });
  const summary: Omit<LayerEndMessage, 'progress'> = {
    type: 'layerEnd',
    warnings: layer.warnings,
    featuresRead: 0,
    dropped: {},
    speedsAbsent: {},
    vertices: 0,
  };
  const progress = () => ({
    bytesRead: bytesBefore + layer.bytesRead(),
    bytesTotal: source.bytesTotal,
    featuresRead: summary.featuresRead,
  });
  const batch = new Batch();
  const send = async () => {
    const message = batch.take(progress());
    const { wkb, offsets, ids, tiers: tierNumbers, mended } = message;
    await sender.send(message, [wkb.buffer, offsets.buffer, ids.buffer, tierNumbers.buffer, mended.buffer]);
  };
  const drop = (reason: DropReason) => {
    summary.dropped[reason] = (summary.dropped[reason] ?? 0) + 1;
  };
  for await (const feature of layer.features()) {
    summary.featuresRead++;
    if (feature.dropped) {
      drop(feature.dropped);
      continue;
    }
    const found = tierOf(feature);
    if ('dropped' in found) {
      drop(found.dropped);
      continue;
    }
    if (task.mostCrossings !== undefined && crossesItselfTooOften(feature.polygons, task.mostCrossings)) {
      drop('crosses_itself_too_often');
      continue;
    }
    for (const name of found.speedsAbsent) summary.speedsAbsent[name] = (summary.speedsAbsent[name] ?? 0) + 1;
    for (const polygon of feature.polygons) for (const ring of polygon) summary.vertices += ring.length / 2;
    const key = tierKey(found.tier);
    let tier = tiers.get(key);
    if (tier === undefined) {
      tier = tiers.size;
      tiers.set(key, tier);
      batch.newTiers.push(found.tier);
    }
    batch.add(feature, tier);
    if (batch.full) await send();
  }
  if (!batch.empty) await send();
  await sender.send({ ...summary, progress: progress() });
}

if (parentPort) {
  const port = parentPort;
  const sender = new Sender(port);
  read(workerData as ReaderTask, sender)
    .catch((error) => {
      port.postMessage({
        type: 'error',
        report: errorReport(error),
        aboutFile: error instanceof IngestError,
      });
    })
    .finally(() => port.close());
}
