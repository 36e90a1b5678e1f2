import type { Example, Problem } from '../core/coverage/submissions/report.ts';
import type { Database } from '../core/database/database.ts';
import { type BatchMessage, type LayerEndMessage, maxExamples } from './messages.ts';
import type { BatchOutcome } from './normalise.ts';
import type { DropReason } from './read/format.ts';
import { type Position, type ReferenceSystem, toLngLat } from './reference-system.ts';
import { dropText } from './report.ts';

/** Collects what was dropped, repaired and clipped, and the first features of each. */
export class Problems {
  readonly #problems = new Map<string, Problem>();

  /** What the database made of a batch. */
  addBatch(layer: string, batch: Pick<BatchMessage, 'ids' | 'names'>, { outcomes }: BatchOutcome): void {
    for (const { kind, reason, count, examples } of outcomes) {
      this.#add(
        kind,
        reason,
        count,
        examples.map(({ index, position }) =>
          example(layer, batch.ids[index] as number, batch.names?.[index], position),
        ),
      );
    }
  }

  /** What the reader dropped of a layer. */
  async addLayer(
    database: Database,
    layer: string,
    dropped: LayerEndMessage['dropped'],
    system: ReferenceSystem | undefined,
  ): Promise<void> {
    for (const [reason, { count, examples }] of Object.entries(dropped)) {
      const positions = examples.flatMap(({ position }): Position[] => (position ? [position] : []));
      const places = system ? await toLngLat(database, system, positions) : [];
      let placed = 0;
      this.#add(
        'dropped',
        reason,
        count,
        examples.map(({ feature, name, value, position }) =>
          example(layer, feature, name, position ? places[placed++] : undefined, value),
        ),
      );
    }
  }

  dropped(): Partial<Record<DropReason, number>> {
    return Object.fromEntries(this.#dropped().map(({ reason, count }) => [reason, count]));
  }

  /** Dropped first, then repaired, then clipped; the most frequent of each first. */
  list(): Problem[] {
    const kinds = ['dropped', 'repaired', 'clipped'];
    return [...this.#problems.values()].sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.count - a.count,
    );
  }

  inWords(): string {
    return this.#dropped()
      .map(({ count, reason }) => `${count} ${dropText(reason)}`)
      .join(', ');
  }

  /** Texts that could not be used, each once. */
  values(): string[] {
    return [
      ...new Set(this.#dropped().flatMap(({ examples }) => examples.flatMap(({ value }) => value ?? []))),
    ];
  }

  #dropped(): Problem[] {
    return this.list().filter(({ kind }) => kind === 'dropped');
  }

  #add(kind: Problem['kind'], reason: string, count: number, examples: readonly Example[]): void {
    const key = `${kind} ${reason}`;
    const problem = this.#problems.get(key) ?? { kind, reason, count: 0, examples: [] };
    problem.count += count;
    problem.examples.push(...examples.slice(0, maxExamples - problem.examples.length));
    this.#problems.set(key, problem);
  }
}

function example(
  layer: string,
  feature: number,
  name: string | undefined,
  position: { lng: number; lat: number } | undefined,
  value?: string,
): Example {
  const { lat, lng } = position ?? {};
  return { layer, feature, name, value, lat: rounded(lat), lng: rounded(lng) };
}

/** To the centimetre. */
const rounded = (degrees: number | undefined) => degrees && Math.round(degrees * 1e7) / 1e7;
