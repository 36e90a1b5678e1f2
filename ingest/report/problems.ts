import type { Example, Problem } from '../../coverage/submissions/report.ts';
import type { DropReason } from '../drop-reasons.ts';
import type { Loss } from '../messages.ts';
import { dropText } from './report.ts';

export const maxExamples = 10;

const kinds = ['dropped', 'repaired', 'clipped'] as const;

/** Counts dropped, repaired and clipped features, with the first examples of each. */
export class Problems {
  readonly #problems: Problem[] = [];

  /** Adds to the count of the same kind and reason. @param examples the first features */
  note({ kind, reason, count }: Omit<Problem, 'examples'>, examples: readonly Example[]): void {
    let problem = this.#problems.find((one) => one.kind === kind && one.reason === reason);
    if (!problem) {
      problem = { kind, reason, count: 0, examples: [] };
      this.#problems.push(problem);
    }
    problem.count += count;
    problem.examples.push(...examples.slice(0, maxExamples - problem.examples.length));
  }

  dropped(): Partial<Record<DropReason, number>> {
    return Object.fromEntries(this.#dropped().map(({ reason, count }) => [reason, count]));
  }

  /** Dropped first, then repaired, then clipped; the most frequent of each first. */
  list(): Problem[] {
    return [...this.#problems].sort(
      (a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || b.count - a.count,
    );
  }

  inWords(): string {
    return this.#dropped()
      .map(({ count, reason }) => `${count} ${dropText(reason)}`)
      .join(', ');
  }

  values(): string[] {
    return [
      ...new Set(this.#dropped().flatMap(({ examples }) => examples.flatMap(({ value }) => value ?? []))),
    ];
  }

  #dropped(): Problem[] {
    return this.list().filter(({ kind }) => kind === 'dropped');
  }
}

/** A feature in a report. @param position in degrees */
export function exampleOf(
  { layer, feature, name, value }: Pick<Example, 'layer' | 'feature' | 'name' | 'value'>,
  position: { lng: number; lat: number } | undefined,
): Example {
  const { lat, lng } = position ?? {};
  return { layer, feature, name, value, lat: rounded(lat), lng: rounded(lng) };
}

/** So few are named in a sentence. */
const maxNamed = 3;

export const noLoss = (): Loss => ({ count: 0, areaM2: 0, examples: [] });

export function addLoss(loss: Loss, example: Loss['examples'][number], areaM2 = 0): void {
  loss.count++;
  loss.areaM2 += areaM2;
  if (loss.examples.length < maxNamed) loss.examples.push(example);
}

/** To the centimetre. */
const rounded = (degrees: number | undefined) => degrees && Math.round(degrees * 1e7) / 1e7;
