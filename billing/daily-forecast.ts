import type { Day } from '../platform/nz-time.ts';

/* What a customer will ask on the days to come, by its days so far: a level, its trend, and how its weekdays differ. */

/** How many days of the past count. */
export const historyDays = 56;
/** The weight of a day halves with this age: what is new counts more. */
const halfLifeDays = 28;
/** A weekday that was seen seldom is drawn to the others, as if it had been seen like them this often. */
const priorWeekdays = 0.1;
const rounds = 5;

const weekdayOf = (day: Day): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/**
 * The queries to expect on each of some days.
 * @param past queries of consecutive whole days, oldest first @param days consecutive, the first follows the past's last
 */
export function expectedQueries(
  past: readonly { date: Day; queries: number }[],
  days: readonly Day[],
): number[] {
  const count = past.length;
  /** Days before the last one; its weight. */
  const times = past.map((_, i) => i - count + 1);
  const weights = times.map((time) => 0.5 ** (-time / halfLifeDays));
  const weekdays = past.map(({ date }) => weekdayOf(date));
  let factors = Array<number>(7).fill(1);
  let line = { level: 0, slope: 0 };
  for (let round = 0; round < rounds; round++) {
    const levels = past.map(({ queries }, i) => queries / (factors[weekdays[i] as number] as number));
    line = fittedLine(times, levels, weights);
    const trend = times.map((time) => Math.max(0, line.level + line.slope * time));
    const prior = priorWeekdays * (trend.reduce((sum, one) => sum + one, 0) / Math.max(1, count));
    if (prior === 0) break;
    factors = factors.map((_, weekday) => {
      const ofIt = (values: readonly number[]) =>
        values.reduce((sum, one, i) => (weekdays[i] === weekday ? sum + one : sum), 0);
      return (ofIt(past.map(({ queries }) => queries)) + prior) / (ofIt(trend) + prior);
    });
    const mean = factors.reduce((sum, one) => sum + one, 0) / 7;
    factors = factors.map((one) => one / mean);
  }
  return days.map((day, i) => {
    const level = Math.max(0, line.level + line.slope * (i + 1));
    return level * (factors[weekdayOf(day)] as number);
  });
}

/** The weighted line through values. A slope that may be chance is flattened, the more the likelier that is. */
function fittedLine(times: readonly number[], values: readonly number[], weights: readonly number[]) {
  const sum = (of: (i: number) => number) => values.reduce((total, _, i) => total + of(i), 0);
  const weight = sum((i) => weights[i] as number);
  const mean = sum((i) => (weights[i] as number) * (values[i] as number)) / weight;
  const middle = sum((i) => (weights[i] as number) * (times[i] as number)) / weight;
  const spread = sum((i) => (weights[i] as number) * ((times[i] as number) - middle) ** 2);
  if (values.length < 3 || spread === 0) return { level: mean, slope: 0 };
  const steep =
    sum((i) => (weights[i] as number) * ((times[i] as number) - middle) * (values[i] as number)) / spread;
  const residual = (i: number) => (values[i] as number) - mean - steep * ((times[i] as number) - middle);
  const variance = sum((i) => (weights[i] as number) * residual(i) ** 2) / weight / spread;
  const slope = steep === 0 ? 0 : steep * Math.max(0, 1 - (shrinkage * variance) / steep ** 2);
  return { level: mean - slope * middle, slope };
}
const shrinkage = 1;
