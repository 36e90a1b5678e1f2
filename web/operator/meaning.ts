/* The meaning of a category or of a raster's class: its status and its speeds. Contains no components. */

import { computedValue, fieldOf, set, type Value } from '../shared/field-value.ts';
import {
  type Availability,
  type Meaning,
  type SpeedField,
  type Speeds,
  speedFields,
} from '../shared/schemas.ts';

/** The highest speed that a manifest may name. Mbps */
const maxMbps = 1_000_000;
export const maximums = ['bandwidth_max_mbps', 'bandwidth_up_max_mbps'] as const;
export const minimums = ['bandwidth_min_mbps', 'bandwidth_up_min_mbps'] as const;

/** The problems by the id of their control. */
export type Problems = Partial<Record<string, string>>;

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

/** The meaning as a manifest states it: without other fields where it is no coverage. */
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

export function rowControl(row: number, field: SpeedField | 'status' | 'date' | 'limit' | 'colour'): string {
  return `class-${row}-${field}`;
}

/** The problems of a row of a table. @param needed the speeds that coverage needs */
export function meaningProblems(
  meaning: Meaning,
  row: number,
  today: string,
  needed: readonly SpeedField[],
): Problems {
  const { speeds = {}, planned_date: date } = meaning;
  const status = statusOf(meaning);
  if (status === 'none') return {};
  const words = {
    missing: 'Enter a speed',
    above: 'Above the maximum',
    zero: 'More than 0 Mbps',
    outside: 'A number of Mbps',
  };
  const problems: Problems = {};
  for (const [name, fault] of speedFaults(speeds, needed)) problems[rowControl(row, name)] = words[fault];
  if (isLater(status) && date && date < today) problems[rowControl(row, 'date')] = 'This day is in the past';
  return problems;
}

type SpeedFault = 'missing' | 'above' | 'zero' | 'outside';

/** The fields of speeds that are wrong, each with its fault. */
export function speedFaults(
  speeds: { [Field in SpeedField]?: number | undefined },
  needed: readonly SpeedField[],
): [SpeedField, SpeedFault][] {
  const faultOf = (name: SpeedField): SpeedFault | undefined => {
    const mbps = speeds[name];
    if (mbps === undefined) return needed.includes(name) ? 'missing' : undefined;
    if (!(mbps >= 0 && mbps <= maxMbps)) return 'outside';
    if (name.includes('_max_')) return mbps === 0 ? 'zero' : undefined;
    const max = speeds[name.replace('_min_', '_max_') as SpeedField];
    return max !== undefined && mbps > max ? 'above' : undefined;
  };
  return speedFields.flatMap((name): [SpeedField, SpeedFault][] => {
    const fault = faultOf(name);
    return fault ? [[name, fault]] : [];
  });
}
