import type { Example, Problem } from '../core/coverage/submissions/report.ts';
import type { Database } from '../core/database/database.ts';
import type { BatchMessage, LayerEndMessage } from './messages.ts';
import { type BatchOutcome, note } from './normalise.ts';
import type { DropReason } from './read/format.ts';
import { type Position, type ReferenceSystem, toLngLat } from './reference-system.ts';
import { dropText } from './report.ts';

/** Collects what was dropped, repaired and clipped, and the first features of each. */
export class Problems {
  readonly #problems: Problem[] = [];

  /** What the database made of a batch. */
  addBatch(layer: string, batch: Pick<BatchMessage, 'ids' | 'names'>, { outcomes }: BatchOutcome): void {
    for (const outcome of outcomes) {
      const examples = outcome.examples.map(({ index, position }) =>
        example(layer, batch.ids[index] as number, batch.names?.[index], position),
      );
      note(this.#problems, { ...outcome, examples });
    }
  }

  /** What the reader dropped of a layer. */
  async addLayer(
    database: Database,
    layer: string,
    dropped: LayerEndMessage['dropped'],
    system: ReferenceSystem | undefined,
  ): Promise<void> {
    for (const [reason, { count, examples: first }] of Object.entries(dropped)) {
      const positions = first.flatMap(({ position }): Position[] => (position ? [position] : []));
      const places = system ? await toLngLat(database, system, positions) : [];
      let placed = 0;
      const examples = first.map(({ feature, name, value, position }) =>
        example(layer, feature, name, position ? places[placed++] : undefined, value),
      );
      note(this.#problems, { kind: 'dropped', reason, count, examples });
    }
  }

  dropped(): Partial<Record<DropReason, number>> {
    return Object.fromEntries(this.#dropped().map(({ reason, count }) => [reason, count]));
  }

  /** Dropped first, then repaired, then clipped; the most frequent of each first. */
  list(): Problem[] {
    const kinds = ['dropped', 'repaired', 'clipped'];
    return [...this.#problems].sort(
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
