/* The meaning of a category or of a raster's class: its status and its speeds. Contains no components. */

import { computedValue, fieldOf, set, type Value } from '../shared/field-value.ts';
import type { Availability, Meaning, SpeedField, Speeds } from '../shared/schemas.ts';

/** The highest speed that a manifest may name. Mbps */
export const maxMbps = 1_000_000;
export const maximums = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'] as const;
export const minimums = ['bandwidth_min_mbps', 'bandwidth_up_min_mbps'] as const;
/** Each minimum with its maximum, which must not be lower. */
export const speedPairs = minimums.map((min, i) => [min, maximums[i] as SpeedField] as const);

/** `covered`: with the availability of the whole file. */
export type Status = 'covered' | Availability | 'none';

export function statusOf({ coverage, availability }: Meaning): Status {
  return coverage === false ? 'none' : (availability ?? 'covered');
}

export function isLater(status: string): boolean {
  return status === 'planned' || status === 'underway';
}

/** The same meaning with another status. Without coverage its speeds are kept for another choice. */
export function withStatus<T extends Meaning>(of: T, status: Status): T {
  if (status === 'none') return { ...of, coverage: false };
  const { coverage: _, availability: __, planned_date: date, ...others } = of;
  const later = isLater(status) && date !== undefined ? { planned_date: date } : {};
  return { ...others, ...(status === 'covered' ? {} : { availability: status }), ...later } as T;
}

/** What a manifest says of it: nothing else where it is no coverage. */
export function stated(meaning: Meaning): Meaning {
  return meaning.coverage === false ? { coverage: false } : meaning;
}

export function speedOf(of: Value<Meaning>, name: SpeedField): Value<number | undefined> {
  const speeds: Value<Speeds> = computedValue(
    () => of.value.speeds ?? {},
    (speeds) => set(of, { ...of.value, speeds }),
  );
  return fieldOf(speeds, name) as Value<number | undefined>;
}

export function dateOf(of: Value<Meaning>): Value<string> {
  return computedValue(
    () => of.value.planned_date ?? '',
    (date) => {
      const { planned_date: _, ...others } = of.value;
      set(of, date ? { ...others, planned_date: date } : others);
    },
  );
}
