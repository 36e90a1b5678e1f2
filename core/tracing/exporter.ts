import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { exportRequest } from './otlp.ts';
import type { TracingSettings } from './settings.ts';
import type { Span } from './span.ts';

/** How long to leave a collector alone that has failed: 5 s, then twice as long each time. */
const firstRestMs = 5_000;
const maxRestMs = 60_000;
/** A collector that is away is told of this often. */
const warnEveryMs = 600_000;
/** How long the end of the process waits for the last spans. */
const closeMs = 3_000;

/** Answers after which the same batch may be taken later, as OTLP has it. */
const retryable = new Set([429, 502, 503, 504]);

/** What hears of a collector that takes nothing: a logger, which itself asks for the current span. */
export interface Reporter {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export type ExportSettings = Pick<
  TracingSettings,
  'url' | 'headers' | 'gzip' | 'timeoutMs' | 'delayMs' | 'maxWaiting' | 'maxBatch' | 'resource'
> & {
  /** In place of the first rest, in tests. */
  restMs?: number;
};

/**
 * Sends ended spans to a collector, in batches, one at a time. Nobody waits for it: spans that find no room are dropped and counted, and a
 * collector that hangs or is away is a line in the log every ten minutes.
 */
export class SpanExporter {
  readonly #settings: ExportSettings;
  readonly #version: string;
  /** Aborted when the process ends: rests, and then requests. */
  readonly #closing = new AbortController();
  readonly #ending = new AbortController();
  #logger: Reporter | undefined;
  #waiting: Span[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #restMs = 0;
  #dropped = 0;
  #warnedAt = Number.NEGATIVE_INFINITY;
  #closed = false;

  constructor(settings: ExportSettings, version: string) {
    this.#settings = settings;
    this.#version = version;
  }

  reportTo(logger: Reporter): void {
    this.#logger = logger;
  }

  add(span: Span): void {
    const { maxWaiting, maxBatch, delayMs } = this.#settings;
    if (this.#closed || this.#waiting.length >= maxWaiting) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length >= maxBatch && this.#restMs === 0) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), delayMs).unref();
  }

  /** Sends what waits, for three seconds at most. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    clearTimeout(this.#timer);
    const late = setTimeout(() => this.#ending.abort(new Error('the process ends')), closeMs);
    try {
      await this.#sending;
      // One that has just failed is not tried again.
      while (this.#waiting.length > 0 && this.#restMs === 0 && !this.#ending.signal.aborted) {
        await this.#sendBatch();
      }
    } finally {
      clearTimeout(late);
    }
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      // What has come meanwhile.
      if (this.#waiting.length > 0 && !this.#closed) {
        this.#timer ??= setTimeout(() => this.#send(), this.#settings.delayMs).unref();
      }
    });
  }

  async #sendAll(): Promise<void> {
    do {
      await this.#sendBatch();
      if (this.#restMs > 0 && !this.#closed) {
        await sleep(this.#restMs, undefined, { ref: false, signal: this.#closing.signal }).catch(
          () => undefined,
        );
      }
    } while (!this.#closed && this.#waiting.length >= this.#settings.maxBatch);
  }

  async #sendBatch(): Promise<void> {
    const batch = this.#waiting.splice(0, this.#settings.maxBatch);
    if (batch.length === 0) return;
    let failure: unknown;
    let isWorthRetry = true;
    try {
      const status = await this.#post(batch);
      if (status >= 200 && status < 300) return this.#recover();
      isWorthRetry = retryable.has(status);
      failure = new Error(`the collector answers ${status}`);
    } catch (error) {
      failure = error;
    }
    if (isWorthRetry) {
      const room = Math.max(0, this.#settings.maxWaiting - this.#waiting.length);
      this.#waiting.unshift(...batch.slice(0, room));
      this.#dropped += Math.max(0, batch.length - room);
    } else this.#dropped += batch.length;
    this.#restMs = Math.min(maxRestMs, this.#restMs * 2 || (this.#settings.restMs ?? firstRestMs));
    this.#warn(failure);
  }

  async #post(batch: readonly Span[]): Promise<number> {
    const { url, headers, gzip: zips, timeoutMs, resource } = this.#settings;
    const text = exportRequest(resource, this.#version, batch);
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        ...(zips && { 'content-encoding': 'gzip' }),
      },
      body: zips ? await promisify(gzip)(text) : text,
      // The headers are for this address.
      redirect: 'manual',
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), this.#ending.signal]),
    });
    // What it says is not read, however long it is.
    await response.body?.cancel();
    return response.status;
  }

  #recover(): void {
    if (this.#restMs > 0)
      this.#logger?.info({ dropped_spans: this.#dropped }, 'the collector of traces is back');
    this.#restMs = 0;
  }

  #warn(error: unknown): void {
    if (performance.now() - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = performance.now();
    this.#logger?.warn(
      { err: error, dropped_spans: this.#dropped },
      'traces cannot be sent, the service goes on',
    );
  }
}
