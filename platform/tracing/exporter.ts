import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Logger } from 'pino';
import { warnRarely } from '../warn-rarely.ts';
import { exportRequest } from './otlp.ts';
import type { TracingSettings } from './settings.ts';
import type { Span } from './span.ts';

/** The pause after a collector fails: 5 s, then twice as long each time. */
const firstRestMs = 5_000;
const maxRestMs = 60_000;
const warnEveryMs = 600_000;
/** The end of the process waits this long for the last spans. */
const closeMs = 3_000;

/** Statuses after which OTLP retries the same batch. */
const retryable = [429, 502, 503, 504];

/** @param restMs in place of the first rest, in tests */
export type ExportSettings = TracingSettings & { restMs?: number };

/**
 * Sends ended spans to a collector, in batches, one at a time. Nobody waits for it: spans without room are dropped and counted, and a collector
 * that hangs or is away is a line in the log every ten minutes.
 */
export class SpanExporter {
  readonly #settings: ExportSettings;
  readonly #resource: Record<string, string>;
  /** Aborted when the process no longer waits for the collector. */
  readonly #ending = new AbortController();
  readonly #logger: Logger | undefined;
  readonly #warn: ReturnType<typeof warnRarely>;
  #waiting: Span[] = [];
  #sending: Promise<void> | undefined;
  #wake = () => {};
  /** The current pause; 0 while the collector accepts batches. */
  #restMs = 0;
  #dropped = 0;
  #closed = false;

  /** @param logger gets the failures of the collector */
  constructor(settings: ExportSettings, logger?: Logger) {
    this.#settings = settings;
    this.#logger = logger;
    this.#warn = warnRarely(logger, 'traces cannot be sent, the service goes on', warnEveryMs);
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    this.#resource = {
      'service.version': version,
      'service.instance.id': randomUUID(),
      'telemetry.sdk.language': 'nodejs',
      ...settings.resource,
    };
  }

  add(span: Span): void {
    const { maxWaiting, maxBatch } = this.#settings;
    if (this.#closed || this.#waiting.length >= maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= maxBatch && this.#restMs === 0) this.#wake();
    this.#sending ??= this.#sendAll();
  }

  /** Sends waiting spans, for three seconds at most. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#wake();
    const late = setTimeout(() => this.#ending.abort(new Error('the process ends')), closeMs);
    await this.#sending;
    clearTimeout(late);
  }

  /** Sends until no span waits: a batch when it is full, after a while, or after the collector's pause. */
  async #sendAll(): Promise<void> {
    const { maxBatch, delayMs } = this.#settings;
    while (this.#waiting.length > 0) {
      if (!this.#closed && (this.#restMs > 0 || this.#waiting.length < maxBatch)) {
        await this.#wait(this.#restMs || delayMs);
      }
      // A batch that has just failed is not tried again at the end.
      if (this.#closed && this.#restMs > 0) break;
      await this.#sendBatch();
    }
    this.#sending = undefined;
  }

  async #wait(ms: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms).unref();
    });
    clearTimeout(timer);
  }

  async #sendBatch(): Promise<void> {
    const { maxWaiting, maxBatch, restMs = firstRestMs } = this.#settings;
    const batch = this.#waiting.splice(0, maxBatch);
    const failure = await this.#post(batch).catch((error: Error) => ({ error, isFinal: false }));
    if (!failure) {
      if (this.#restMs > 0) this.#logger?.info(this.#droppedSpans, 'the collector of traces is back');
      this.#restMs = 0;
      return;
    }
    const kept = failure.isFinal ? [] : batch.slice(0, Math.max(0, maxWaiting - this.#waiting.length));
    this.#waiting.unshift(...kept);
    this.#dropped += batch.length - kept.length;
    this.#restMs = Math.min(maxRestMs, this.#restMs * 2 || restMs);
    this.#warn({ err: failure.error, ...this.#droppedSpans });
  }

  get #droppedSpans() {
    return { dropped_spans: this.#dropped };
  }

  /** @returns the collector's reason for refusing it, and if it would refuse it again */
  async #post(batch: readonly Span[]) {
    const { url, headers, gzip: zips, timeoutMs } = this.#settings;
    const text = exportRequest(this.#resource, batch);
    const { body, ok, status } = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(zips && { 'content-encoding': 'gzip' }),
      },
      body: zips ? await promisify(gzip)(text) : text,
      // The headers are for this address only.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#ending.signal]),
    });
    // The response is not read, however long it is.
    await body?.cancel();
    if (ok) return undefined;
    return { error: new Error(`the collector answers ${status}`), isFinal: !retryable.includes(status) };
  }
}
