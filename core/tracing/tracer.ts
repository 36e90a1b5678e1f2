import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SpanExporter } from './exporter.ts';
import type { TracingSettings } from './settings.ts';
import { type CarriedParent, Span, type SpanOptions } from './span.ts';

/** Makes spans, knows which is the current one of what runs, and has those that ended sent. */
export class Tracer {
  readonly exporter: SpanExporter;
  readonly heedsParents: boolean;
  readonly #ratio: number;
  readonly #current = new AsyncLocalStorage<Span | undefined>();

  constructor({ resource, ratio, heedsParents, ...settings }: TracingSettings) {
    this.heedsParents = heedsParents;
    this.#ratio = ratio;
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    this.exporter = new SpanExporter(
      {
        ...settings,
        resource: {
          'service.version': version,
          'service.instance.id': randomUUID(),
          'telemetry.sdk.language': 'nodejs',
          ...resource,
        },
      },
      version,
    );
  }

  get current(): Span | undefined {
    return this.#current.getStore();
  }

  run<T>(span: Span | undefined, work: () => T): T {
    return this.#current.run(span, work);
  }

  /**
   * A span of which nothing in this process is the parent.
   * @param trusted whether the parent's process decides if the trace is recorded: ours, not a caller
   */
  root(name: string, options: SpanOptions, parent?: CarriedParent, trusted = false): Span {
    const recorded = parent && trusted ? parent.recorded : Math.random() < this.#ratio;
    return new Span(name, options, parent, recorded, (ended) => this.exporter.add(ended));
  }

  child(name: string, options: SpanOptions, parent: Span): Span {
    return new Span(name, options, parent, parent.recorded, (ended) => this.exporter.add(ended));
  }
}
