import { createServer, type IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import { listening } from './listen.ts';

type Attributes = Record<string, string | number | boolean>;

/** A span as a collector receives it, in OTLP's JSON, its attributes by name. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attributes;
  events: { name: string; attributes: Attributes }[];
  status: { code?: number };
  resource: Attributes;
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

type KeyValues = { key: string; value: Attributes }[];

const byName = (attributes: KeyValues): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)]));
const plain = ({ intValue, ...value }: Attributes) =>
  intValue === undefined ? (Object.values(value)[0] as string) : Number(intValue);

/** A receiver of OTLP over HTTP on a free port. */
export async function startCollector() {
  const server = createServer(async (request, response) => {
    const bytes = await buffer(request);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    collector.requests.push({ path: request.url ?? '', headers: request.headers, text });
    if (collector.answers === 'hangs') return;
    if (collector.answers === 200) {
      for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
        for (const span of scopeSpans.flatMap(({ spans }: { spans: unknown[] }) => spans)) {
          collector.spans.push({
            ...span,
            attributes: byName(span.attributes),
            events: span.events.map((one: { attributes: KeyValues }) => ({
              ...one,
              attributes: byName(one.attributes),
            })),
            resource: byName(resource.attributes),
          });
        }
      }
    }
    response.writeHead(collector.answers, { 'content-type': 'application/json' }).end('{}');
  });
  const collector = {
    url: await listening(server),
    spans: [] as ReceivedSpan[],
    requests: [] as { path: string; headers: IncomingHttpHeaders; text: string }[],
    /** The status of its answers, or none at all while it hangs. */
    answers: 200 as number | 'hangs',
    until: (good: (spans: readonly ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> =>
      vi.waitFor(
        () => {
          const { spans } = collector;
          if (!good(spans)) throw new Error(`never came: ${spans.map(({ name }) => name).join(', ')}`);
          return spans;
        },
        { timeout: 60_000 },
      ),
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return collector;
}
