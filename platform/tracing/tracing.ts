import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import type { SpanExporter } from './exporter.ts';
import { readTracingSettings, type TracingSettings } from './settings.ts';
import { type CarriedParent, parseTraceparent, Span, type SpanOptions, traceparentOf } from './span.ts';

/* Without traces, all of this is a comparison with undefined: requests, statements and files are only wrapped with them. */

let tracer: { settings: TracingSettings; exporter: SpanExporter } | undefined;

const current = new AsyncLocalStorage<Span | undefined>();

/**
 * Begins to trace this process, if OpenTelemetry's variables ask for it. Call it before opening anything traced.
 * @param logger gets problems of the variables, and failures of the collector
 */
export async function startTracing(env: NodeJS.ProcessEnv, logger?: Logger): Promise<void> {
  const { settings, problems } = readTracingSettings(env);
  if (problems.length > 0) logger?.warn({ problems }, 'variables of OpenTelemetry cannot be used');
  if (!settings || tracer) return;
  const { SpanExporter } = await import('./exporter.ts');
  tracer = { settings, exporter: new SpanExporter(settings, logger) };
}

/** Sends the last spans, within seconds. */
export async function stopTracing(): Promise<void> {
  const ended = tracer;
  tracer = undefined;
  await ended?.exporter.close();
}

export const isTracing = (): boolean => tracer !== undefined;

/** The current span; undefined where it is not recorded. */
export function currentSpan(): Span | undefined {
  const span = tracer && current.getStore();
  return span?.recorded ? span : undefined;
}

/** A step of the current span, which the caller ends; undefined where the span is not recorded. */
export function beginSpan(name: string, options: SpanOptions = {}): Span | undefined {
  const parent = currentSpan();
  return parent && newSpan(name, options, parent, true);
}

/** Runs work as a step of the current span. */
export function inSpan<T>(name: string, options: SpanOptions, work: (span?: Span) => Promise<T>): Promise<T> {
  return within(beginSpan(name, options), work);
}

/** Runs work that several spans share, as a step of one of the first, linked to the others. @param spans undefined: not recorded */
export function inSharedSpan<T>(
  name: string,
  spans: () => readonly (Span | undefined)[],
  work: () => Promise<T>,
): Promise<T> {
  if (!tracer) return work();
  const [parent, ...links] = spans().filter((span) => span !== undefined);
  // Independent of the current span, which happened to start it.
  return current.run(undefined, () => within(parent && newSpan(name, { links }, parent, true), work));
}

/** Begins a trace with a caller's request. Its `traceparent` names the parent alone: the recording is decided here. The caller of this ends it. */
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

/** Runs a job as a step of the trace that sent it, if `traceparent` names one. */
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

/** The trace's fields in a job that it sends. */
export function carriedTrace(): { traceparent?: string } {
  const span = tracer && current.getStore();
  return span ? { traceparent: traceparentOf(span) } : {};
}

export const runIn = <T>(span: Span, work: () => T): T => current.run(span, work);

/** Records a fault with the current span. */
export function recordFault(error: unknown): void {
  currentSpan()?.recordError(error);
}

/** The current trace's fields in lines of the log. */
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
