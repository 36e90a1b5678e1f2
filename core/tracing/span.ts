import { randomFillSync } from 'node:crypto';

export type Attributes = Record<string, string | number | boolean | undefined>;

/** As OpenTelemetry numbers them. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
export type SpanKind = keyof typeof spanKinds;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Other spans that it works for, which are not its parent. */
  links?: readonly Span[];
}

/** Where a span comes from that has no parent in this process: what a header or a job has carried. */
export interface CarriedParent {
  traceId: string;
  spanId: string;
  /** Whether whoever wrote it records the trace. */
  recorded: boolean;
}

/** An exception, as it happened. */
interface SpanEvent {
  name: string;
  at: number;
  attributes: Attributes;
}

/** Bounds of what a span keeps. */
const maxEvents = 8;
export const maxLinks = 32;
const maxText = 4_000;

/** Reads time that runs evenly, from an instant of the system's clock. ms since 1970, with fractions */
class Clock {
  readonly #wall = Date.now();
  readonly #began = performance.now();

  now(): number {
    return this.#wall + performance.now() - this.#began;
  }
}

/** A step of a trace, by OpenTelemetry's model. One that is not recorded only says so to its children. */
export class Span {
  readonly traceId: string;
  readonly id = randomHex(8);
  readonly recorded: boolean;
  readonly parentId: string | undefined;
  /** Whether the parent is of another process. */
  readonly isParentRemote: boolean;
  readonly kind: SpanKind;
  readonly links: readonly Span[];
  readonly attributes: Attributes;
  readonly events: SpanEvent[] = [];
  readonly startedAt: number;
  name: string;
  endedAt: number | undefined;
  failed = false;
  readonly #clock: Clock;
  readonly #onEnd: (span: Span) => void;

  /** @param onEnd takes a recorded span when it has ended */
  constructor(
    name: string,
    { kind = 'internal', attributes = {}, links = [] }: SpanOptions,
    from: Span | CarriedParent | undefined,
    recorded: boolean,
    onEnd: (span: Span) => void,
  ) {
    this.name = name;
    this.kind = kind;
    this.attributes = { ...attributes };
    this.links = links.slice(0, maxLinks);
    this.traceId = from?.traceId ?? randomHex(16);
    this.isParentRemote = from !== undefined && !(from instanceof Span);
    this.parentId = from instanceof Span ? from.id : from?.spanId;
    this.recorded = recorded;
    // Spans of a process in one trace share a clock: the system's may be set meanwhile.
    this.#clock = from instanceof Span ? from.#clock : new Clock();
    this.#onEnd = onEnd;
    this.startedAt = this.#clock.now();
  }

  set(attributes: Attributes): void {
    if (this.recorded) Object.assign(this.attributes, attributes);
  }

  /** Marks it as failed, by the kind of error alone: the text of a statement's error may have values in it. */
  fail(error: unknown): void {
    this.failed = true;
    const { code, name } = error as { code?: unknown; name?: unknown };
    this.set({ 'error.type': String(code ?? name ?? typeof error) });
  }

  /**
   * Notes an error by its kind and where it was thrown. Its text may name a file, a person or a value: that is in the log, under the
   * trace's id.
   */
  recordError(error: unknown): void {
    if (!this.recorded || this.events.length >= maxEvents) return;
    const attributes = {
      'exception.type': error instanceof Error ? error.name : typeof error,
      'exception.stacktrace': error instanceof Error ? framesOf(error) : undefined,
    };
    this.events.push({ name: 'exception', at: this.#clock.now(), attributes });
  }

  /** Ends it, once. */
  end(): void {
    if (this.endedAt !== undefined) return;
    this.endedAt = this.#clock.now();
    if (this.recorded) this.#onEnd(this);
  }
}

/** The lines of a stack that name places. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return frames.join('\n').slice(0, maxText);
}

/** W3C Trace Context: version, trace, parent, flags. Later versions may append to it. */
const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxTraceparent = 256;

/** Reads a `traceparent`, which anybody may have written; undefined where it is not one. */
export function parseTraceparent(text: unknown): CarriedParent | undefined {
  if (typeof text !== 'string' || text.length > maxTraceparent) return undefined;
  const [, version, traceId = '', spanId = '', flags = '', more] = traceparentForm.exec(text) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, recorded: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceparentOf({ traceId, id, recorded }: Span): string {
  return `00-${traceId}-${id}-${recorded ? '01' : '00'}`;
}

/** Random bytes are fetched many at a time. */
const pool = Buffer.alloc(4_096);
let used = pool.length;

function randomHex(bytes: number): string {
  for (;;) {
    if (used + bytes > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    const hex = pool.toString('hex', used - bytes, used);
    // No id is all zeros.
    if (!/^0+$/.test(hex)) return hex;
  }
}
