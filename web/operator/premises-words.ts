/* Sentences about the premises that publishing a file changes. Contains no components. */

import type { PremisesChange, SubmissionDataset, SuburbPremises } from '../shared/schemas.ts';
import { count, number, speed, when } from '../shared/words.ts';

const premises = (many: number) => count(many, 'premises', 'premises');

/** "1,204 premises would lose service, 312 would be slower."; undefined where none would. */
export function lossWords({ lost, slower, planned_lost: planned }: PremisesChange): string | undefined {
  const [first, ...others] = [
    [lost, 'would lose service'],
    [slower, 'would be slower'],
    [planned, 'would be planned no longer'],
  ].filter(([many]) => many !== 0) as [number, string][];
  if (!first) return undefined;
  const rest = others.map(([many, what]) => `${number(many)} ${what}`);
  return `${[`${premises(first[0])} ${first[1]}`, ...rest].join(', ')}.`;
}

/** What there is from others where service is lost; empty where none is. */
export function othersWords({ lost, postponed, others }: PremisesChange): string {
  if (lost === 0) return '';
  const later = postponed > 0 ? ` ${number(postponed)} are still planned.` : '';
  if (!others) return `Counting what others offer there …${later}`;
  const { served, unserved, as_of: asOf } = others;
  const sentence =
    unserved === 0
      ? 'All that lose it are still served by others'
      : served === 0
        ? 'Nobody else serves those that lose it'
        : `${number(served)} of those that lose it are still served by others, ${number(unserved)} are left with nothing`;
  return `${sentence} (${when(asOf)}).${later}`;
}

/** "Kowhai, Rimu". */
export function suburbName({ suburb, town }: Pick<SuburbPremises, 'suburb' | 'town'>): string {
  return [suburb, town === suburb ? '' : town].filter(Boolean).join(', ') || 'Without a suburb';
}

/** "300 Mbps now, no service afterwards". */
export function speedsWords(before: number | null, after: number | null): string {
  const words = (mbps: number | null) => (mbps === null ? 'no service' : speed(mbps));
  return `${words(before)} now, ${words(after)} afterwards`;
}

type Compared = Pick<SubmissionDataset, 'change' | 'premises'>;

/** True where the ground is compared with what is live, and only premises are still being counted. */
export const isOnlyCounting = (datasets: readonly Compared[]) =>
  datasets.some(({ premises }) => premises?.state === 'counting') &&
  datasets.every(({ change }) => change === null || change.current);
