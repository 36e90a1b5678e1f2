import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { SpanExporter } from './exporter.ts';
import { readTracingSettings, type TracingSettings } from './settings.ts';
import { type CarriedParent, parseTraceparent, Span, type SpanOptions, traceparentOf } from './span.ts';

/* Without traces, all of this is a comparison with undefined: what looks at each request, statement or file is put in place only with them. */

let tracer: { settings: TracingSettings; exporter: SpanExporter } | undefined;

/** The span of what runs, recorded or not. */
const current = new AsyncLocalStorage<Span | undefined>();

/**
 * Begins to trace this process, where OpenTelemetry's variables ask for it, before anything is opened that is to be traced.
 * @returns what is wrong with their values
 */
export async function startTracing(env: NodeJS.ProcessEnv): Promise<string[]> {
  const { settings, problems } = readTracingSettings(env);
  if (settings && !tracer) {
    const { SpanExporter } = await import('./exporter.ts');
    tracer = { settings, exporter: new SpanExporter(settings) };
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
export function reportTracingTo(logger: Logger): void {
  tracer?.exporter.reportTo(logger);
}

/** The span of what runs; undefined where it is not recorded. */
export function currentSpan(): Span | undefined {
  const span = tracer && current.getStore();
  return span?.recorded ? span : undefined;
}

/** A step of the current span, which the caller ends; undefined where that is not recorded. */
export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  const parent = currentSpan();
  return parent && newSpan(name, options, parent, true);
}

/** Does a step of the current span. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  return within(beginSpan(name, options), work);
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
  return current.run(undefined, () => within(parent && newSpan(name, { links }, parent, true), work));
}

/**
 * Begins a trace with a request of a caller, whose `traceparent` counts as that and no more: whether to record is decided here.
 * The caller of this ends it.
 */
export function beginRequest(name: string, options: SpanOptions, traceparent: unknown): Span | undefined {
  if (!tracer) return undefined;
  const { heedsParents, ratio } = tracer.settings;
  return newSpan(
    name,
    options,
    heedsParents ? parseTraceparent(traceparent) : undefined,
    Math.random() < ratio,
  );
}

/** Does a job, as a step of the trace that has sent it, where `traceparent` tells of one. */
export async function inJobSpan<T>(
  name: string,
  options: SpanOptions,
  traceparent: string | undefined,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const sender = parseTraceparent(traceparent);
  return within(
    newSpan(name, options, sender, sender?.recorded ?? Math.random() < tracer.settings.ratio),
    work,
  );
}

/** What a job carries of the trace that sends it. */
export function carriedTrace(): { traceparent?: string } {
  const span = tracer && current.getStore();
  return span ? { traceparent: traceparentOf(span) } : {};
}

/** Runs something with a span as the current one. */
export const runIn = <T>(span: Span, work: () => T): T => current.run(span, work);

/** Notes a fault with the current span. */
export function recordFault(error: unknown): void {
  currentSpan()?.recordError(error);
}

/** What lines of the log have of the current trace. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  const span = currentSpan();
  return span ? { trace_id: span.traceId, span_id: span.id } : {};
}

function newSpan(
  name: string,
  options: SpanOptions,
  from: Span | CarriedParent | undefined,
  recorded: boolean,
) {
  const exporter = tracer?.exporter;
  return new Span(name, options, from, recorded, (ended) => exporter?.add(ended));
}

async function within<T>(span: Span | undefined, work: (span?: Span) => Promise<T>): Promise<T> {
  if (!span) return work();
  try {
    return await current.run(span, () => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}
