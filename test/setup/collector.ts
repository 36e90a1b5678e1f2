import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { listening } from './listen.ts';

/** A span as a collector receives it, in OTLP's JSON, its attributes by name. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Record<string, string | number | boolean>;
  events: { name: string; attributes: Record<string, string | number | boolean> }[];
  status: { code?: number };
  resource: Record<string, string | number | boolean>;
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;

type KeyValues = { key: string; value: Record<string, string | number | boolean> }[];

const byName = (attributes: KeyValues) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.intValue !== undefined ? Number(value.intValue) : (Object.values(value)[0] as string),
    ]),
  );

/** A receiver of OTLP over HTTP on a free port. */
export async function startCollector() {
  const hanging = new Set<ServerResponse>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString();
    collector.requests.push({ path: request.url ?? '', headers: request.headers, text });
    if (collector.answers === 'hangs') return void hanging.add(response);
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
    url: '',
    spans: [] as ReceivedSpan[],
    requests: [] as { path: string; headers: IncomingHttpHeaders; text: string }[],
    /** The status of its answers, or none at all while it hangs. */
    answers: 200 as number | 'hangs',
    async until(good: (spans: readonly ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> {
      for (const deadline = Date.now() + 60_000; ; await sleep(50)) {
        if (good(collector.spans)) return collector.spans;
        if (Date.now() > deadline) {
          throw new Error(`never came: ${collector.spans.map(({ name }) => name).join(', ')}`);
        }
      }
    },
    async close() {
      for (const response of hanging) response.destroy();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  collector.url = await listening(server);
  return collector;
}
