import { randomUUID } from 'node:crypto';

export type Attributes = Record<string, string | number | boolean | undefined>;

/** OpenTelemetry's numbers. */
export const spanKinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 };
type SpanKind = keyof typeof spanKinds;

export interface SpanOptions {
  kind?: SpanKind;
  attributes?: Attributes;
  /** Other spans that it works for, which are not its parent. */
  links?: readonly Span[];
}

/** The parent in another process, from a header or a job. `recorded`: by its process. */
export type CarriedParent = Pick<Span, 'traceId' | 'id' | 'recorded'>;

const maxEvents = 8;
const maxLinks = 32;
const maxText = 4_000;

/** Random, and never all zeros: nor is its second half, which has the UUID's variant. */
const randomId = () => randomUUID().replaceAll('-', '');

/** A step of a trace, by OpenTelemetry's model. The children of an unrecorded span are not recorded either. */
export class Span {
  readonly traceId: string;
  readonly id = randomId().slice(16);
  readonly recorded: boolean;
  readonly parentId: string | undefined;
  readonly isParentRemote: boolean;
  readonly kind: SpanKind;
  readonly links: readonly Span[];
  readonly attributes: Attributes;
  readonly events: { name: string; at: number; attributes: Attributes }[] = [];
  readonly startedAt: number;
  name: string;
  endedAt: number | undefined;
  failed = false;
  /** The offset of the monotonic clock from ms since 1970: spans of a process in one trace share it, as the system's clock may be set meanwhile. */
  readonly #clockOffset: number;
  readonly #onEnd: (span: Span) => void;

  /** @param onEnd gets a recorded span when it has ended */
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
    this.traceId = from?.traceId ?? randomId();
    this.isParentRemote = from !== undefined && !(from instanceof Span);
    this.parentId = from?.id;
    this.recorded = recorded;
    this.#clockOffset = from instanceof Span ? from.#clockOffset : Date.now() - performance.now();
    this.#onEnd = onEnd;
    this.startedAt = this.#now();
  }

  #now(): number {
    return this.#clockOffset + performance.now();
  }

  set(attributes: Attributes): void {
    if (this.recorded) Object.assign(this.attributes, attributes);
  }

  /** Marks it as failed, by the kind of error alone: the text of a statement's error may contain values. */
  fail(error: unknown): void {
    this.failed = true;
    const { code, name } = error as { code?: unknown; name?: unknown };
    this.set({ 'error.type': String(code ?? name ?? typeof error) });
  }

  /** Records an error by its kind and stack. Its text, which may name a file or a person, is in the log, under the trace's id. */
  recordError(error: unknown): void {
    if (!this.recorded || this.events.length >= maxEvents) return;
    const attributes = {
      'exception.type': error instanceof Error ? error.name : typeof error,
      'exception.stacktrace': error instanceof Error ? framesOf(error) : undefined,
    };
    this.events.push({ name: 'exception', at: this.#now(), attributes });
  }

  end(): void {
    if (this.endedAt !== undefined) return;
    this.endedAt = this.#now();
    if (this.recorded) this.#onEnd(this);
  }
}

/** The lines of a stack that name places. */
function framesOf({ stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return frames.join('\n').slice(0, maxText);
}

/** W3C Trace Context: version, trace, parent (neither all zeros), flags. Later versions may append to it. */
const traceparentForm =
  /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxTraceparent = 256;

/** Reads a `traceparent`, which may come from anybody; undefined where it is invalid. */
export function parseTraceparent(text: unknown): CarriedParent | undefined {
  if (typeof text !== 'string' || text.length > maxTraceparent) return undefined;
  const [, version, traceId = '', id = '', flags = '', more] = traceparentForm.exec(text) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return undefined;
  return { traceId, id, recorded: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function traceparentOf({ traceId, id, recorded }: CarriedParent): string {
  return `00-${traceId}-${id}-${recorded ? '01' : '00'}`;
}
