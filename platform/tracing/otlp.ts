import { type Attributes, type Span, spanKinds } from './span.ts';

/* OTLP's JSON (opentelemetry-proto, `ExportTraceServiceRequest`): ids in hexadecimal, 64-bit integers as texts, enumerations as numbers. */

/** Flags of a span: W3C's, and two that say that its parent is known to be of another process. */
const flags = { sampled: 0x1, isKnown: 0x100, isRemote: 0x200 };
const statusError = 2;

/** The body of a request to a collector. @param resource the service's attributes */
export function exportRequest(resource: Attributes, spans: readonly Span[]): string {
  const scopeSpans = [{ scope: { name: 'covermap' }, spans: spans.map(spanOf) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: keyValues(resource) }, scopeSpans }] });
}

function spanOf(span: Span) {
  const ofOwn = flags.sampled | flags.isKnown;
  return {
    traceId: span.traceId,
    spanId: span.id,
    parentSpanId: span.parentId,
    flags: ofOwn | (span.isParentRemote ? flags.isRemote : 0),
    name: span.name,
    kind: spanKinds[span.kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt ?? span.startedAt),
    attributes: keyValues(span.attributes),
    events: span.events.map(({ name, at, attributes }) => ({
      ...{ name, timeUnixNano: nanoseconds(at), attributes: keyValues(attributes) },
    })),
    links: span.links.map(({ traceId, id }) => ({ traceId, spanId: id, flags: ofOwn })),
    status: span.failed ? { code: statusError } : {},
  };
}

/** @param ms since 1970, more digits than a number of nanoseconds has room for */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}

function keyValues(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
