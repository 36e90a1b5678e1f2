/* The supported ones of OpenTelemetry's standard variables: docs/administrator/monitoring.md lists them. */

export interface TracingSettings {
  /** The address for spans, in OTLP's JSON over HTTP. */
  url: string;
  headers: Record<string, string>;
  gzip: boolean;
  timeoutMs: number;
  /** The attributes of the service, by OpenTelemetry's names. */
  resource: Record<string, string>;
  /** The share of traces that is recorded, from 0 to 1. */
  ratio: number;
  heedsParents: boolean;
  delayMs: number;
  maxWaiting: number;
  maxBatch: number;
}

/** By sampler; undefined: the ratio of OTEL_TRACES_SAMPLER_ARG. */
const ratios = new Map([
  ['always_on', 1],
  ['always_off', 0],
  ['traceidratio', undefined],
]);

/** Reads the variables. By OpenTelemetry's rule, an unusable one is ignored, or traces are off. Problems omit values, which may be secrets. */
export function readTracingSettings(env: NodeJS.ProcessEnv) {
  const problems: string[] = [];
  const of = (name: string) => env[name]?.trim() || undefined;
  /** A variable of the exporter, which may have one for traces alone. */
  const exporter = (name: string) =>
    of(`OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? of(`OTEL_EXPORTER_OTLP_${name}`);
  const number = (name: string, given: string | undefined, fallback: number, min: number, max: number) => {
    const value = Number(given ?? fallback);
    if (value >= min && value <= max) return value;
    problems.push(`${name} must be between ${min} and ${max}`);
    return fallback;
  };
  const integer = (name: string, fallback: number, max: number) =>
    Math.floor(number(name, of(name), fallback, 1, max));

  const kind = of('OTEL_TRACES_EXPORTER');
  const endpoint = exporter('ENDPOINT');
  const isOff = of('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' || kind === 'none' || (!kind && !endpoint);
  if (isOff) return { settings: undefined, problems };
  if (kind && kind !== 'otlp') problems.push('OTEL_TRACES_EXPORTER must be otlp or none');
  if (exporter('PROTOCOL') === 'grpc') {
    problems.push('OTEL_EXPORTER_OTLP_PROTOCOL must be one over HTTP, which collectors take at port 4318');
  }
  const url = addressOf(of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'), of('OTEL_EXPORTER_OTLP_ENDPOINT'));
  if (!url) problems.push('the endpoint must be an address with http or https, and without a password');
  const headers = pairs(exporter('HEADERS'));
  if (!headers) problems.push('OTEL_EXPORTER_OTLP_HEADERS must look like name=value,name=value');
  if (problems.length > 0 || !url || !headers) return { settings: undefined, problems };

  const sampler = (of('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on').replace(/^parentbased_/, '');
  if (!ratios.has(sampler)) problems.push('OTEL_TRACES_SAMPLER is not known, and all is recorded');
  const given = number('OTEL_TRACES_SAMPLER_ARG', of('OTEL_TRACES_SAMPLER_ARG'), 1, 0, 1);
  const name = of('OTEL_SERVICE_NAME');
  const described = pairs(of('OTEL_RESOURCE_ATTRIBUTES'));
  if (!described) problems.push('OTEL_RESOURCE_ATTRIBUTES must look like name=value,name=value');
  const maxWaiting = integer('OTEL_BSP_MAX_QUEUE_SIZE', 2_048, 100_000);
  const settings: TracingSettings = {
    url,
    headers,
    gzip: exporter('COMPRESSION') === 'gzip',
    timeoutMs: number('OTEL_EXPORTER_OTLP_TIMEOUT', exporter('TIMEOUT'), 10_000, 1, 60_000),
    resource: { 'service.name': 'covermap', ...described, ...(name && { 'service.name': name }) },
    ratio: ratios.has(sampler) ? (ratios.get(sampler) ?? given) : 1,
    heedsParents: /(^|,)\s*tracecontext\s*(,|$)/.test(of('OTEL_PROPAGATORS') ?? 'tracecontext'),
    delayMs: integer('OTEL_BSP_SCHEDULE_DELAY', 5_000, 600_000),
    maxWaiting,
    maxBatch: Math.min(maxWaiting, integer('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 10_000)),
  };
  return { settings, problems };
}

/** The address for traces, used unchanged; that for all signals gets a path for each. */
function addressOf(ofTraces: string | undefined, ofAll = 'http://localhost:4318'): string | undefined {
  const text = ofTraces ?? ofAll;
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  if (!ofTraces) url.pathname = `${url.pathname.endsWith('/') ? url.pathname : `${url.pathname}/`}v1/traces`;
  return url.href;
}

/** `name=value,name=value`, with values encoded as in addresses; undefined for any other form. */
function pairs(text = ''): Record<string, string> | undefined {
  const found: Record<string, string> = {};
  for (const part of text.split(',').filter((one) => one.trim() !== '')) {
    const at = part.indexOf('=');
    const name = part.slice(0, at).trim();
    // The characters of HTTP's header names, which names of attributes share.
    if (at < 1 || !/^[\w.!#$%&'*+^`|~/-]+$/.test(name)) return undefined;
    try {
      found[name] = decodeURIComponent(part.slice(at + 1).trim());
    } catch {
      return undefined;
    }
  }
  return found;
}
