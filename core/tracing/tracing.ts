import type { Reporter } from './exporter.ts';
import { readTracingSettings } from './settings.ts';
import { type CarriedParent, parseTraceparent, type Span, type SpanOptions, traceparentOf } from './span.ts';
import type { Tracer } from './tracer.ts';

/*
 * Traces, where OpenTelemetry's variables ask for them. Without, all of this is a comparison with undefined, and whatever would have to
 * look at each call (requests, statements, files) is put in place only where traces are on.
 */

let tracer: Tracer | undefined;

/**
 * Begins to trace this process, where the environment says so. Before anything is opened that is to be traced.
 * @returns what is wrong with the values of the environment
 */
export async function startTracing(env: NodeJS.ProcessEnv): Promise<string[]> {
  const { settings, problems } = readTracingSettings(env);
  if (settings && !tracer) {
    const { Tracer } = await import('./tracer.ts');
    tracer = new Tracer(settings);
  }
  return problems;
}

/** Sends the last spans, within seconds. */
export async function stopTracing(): Promise<void> {
  const ended = tracer;
  tracer = undefined;
  await ended?.exporter.close();
}

export const isTracing = (): boolean => tracer !== undefined;

/** @param logger hears of a collector that takes nothing */
export function reportTracingTo(logger: Reporter): void {
  tracer?.exporter.reportTo(logger);
}

/** The span of what runs; undefined where it is not recorded. */
export function currentSpan(): Span | undefined {
  const span = tracer?.current;
  return span?.recorded ? span : undefined;
}

/** A step of the current span, which the caller ends; undefined where that is not recorded. */
export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  const parent = currentSpan();
  return parent && tracer?.child(name, options, parent);
}

/** Does a step of the current span. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  const span = beginSpan(name, options);
  return span ? within(span, () => work(span)) : work();
}

/**
 * Does a step that several spans share. It is one of the first, and linked to the others.
 * @param spans of those that wait for it, undefined where they are not recorded
 */
export function inSharedSpan<T>(
  name: string,
  spans: () => readonly (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const [parent, ...links] = spans().filter((span) => span !== undefined);
  // Not as a step of whatever it was that made it begin.
  return parent ? within(tracer.child(name, { links }, parent), work) : tracer.run(undefined, work);
}

/**
 * Begins a trace with a request of a caller, whose `traceparent` counts as that and no more: whether to record is decided here.
 * The caller of this ends it.
 */
export function beginRequest(name: string, options: SpanOptions, traceparent: unknown): Span | undefined {
  const parent = tracer?.heedsParents ? parseTraceparent(traceparent) : undefined;
  return tracer?.root(name, options, parent);
}

/** Does a job, as a step of the trace that has sent it, where `carried` tells of one. */
export async function inJobSpan<T>(
  name: string,
  options: SpanOptions,
  carried: CarriedParent | undefined,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const span = tracer?.root(name, options, carried, true);
  return span ? within(span, () => work(span)) : work();
}

/** What a job carries of the trace that sends it. */
export function carriedTrace(): { traceparent?: string } {
  const span = tracer?.current;
  return span ? { traceparent: traceparentOf(span) } : {};
}

/** Runs something with a span as the current one. */
export function runIn<T>(span: Span | undefined, work: () => T): T {
  return tracer && span ? tracer.run(span, work) : work();
}

/** Notes a fault with the current span. */
export function recordFault(error: unknown): void {
  tracer?.current?.recordError(error);
}

/** What lines of the log have of the current trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = currentSpan();
  return span ? { trace_id: span.traceId, span_id: span.id } : {};
}

async function within<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await runIn(span, work);
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
