import type { ValueKind } from '@covermap/coverage-files/format.ts';
import type { Subject } from './contradictions.ts';
import { isNever } from './known-fields.ts';
import { isNotGiven, isSurelySpeed } from './speed-text.ts';
import {
  isBareAnswer,
  type KnownTechnology,
  parseAvailability,
  parseDate,
  parseTechnology,
} from './words.ts';

/* Recognises the subject of an attribute by its values, whatever its name. */

/** The max distinct texts by which an attribute is judged. */
export const maxTexts = 100;

/** Speeds that providers sell, in Mbps. */
const soldMbps = new Set([
  ...[
    1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 24, 25, 30, 35, 40, 50, 60, 70, 75, 80, 90, 100, 120, 150, 200,
  ],
  ...[250, 300, 350, 400, 450, 500, 600, 700, 750, 800, 900, 940, 950, 1000, 1500, 2000, 2500, 4000, 5000],
  ...[8000, 10_000],
]);
/** If all numbers are smaller, they may as well count other things. */
const surelyMbps = 100;
/** Names of other quantities with the same numbers: distances of buffers, frequencies, percentages. */
const otherQuantities =
  /dist|buff|radius|freq|[mg]hz|height|elev|alt|pop|house|dwell|premis|address|pct|percent|length|power|azim|year|price|cost|fee/i;
/** Fewer or more distinct numbers may be of anything. */
const [minNumbers, maxNumbers] = [2, 12];

/** The subject of an attribute, by its distinct texts; undefined for none. */
export function subjectOfValues(
  { name, kind, texts }: { name: string; kind?: ValueKind; texts: Iterable<string> },
  technologies: readonly KnownTechnology[],
): Subject | undefined {
  const given = [...texts].filter((text) => text.trim() !== '' && !isNotGiven(text, kind));
  if (given.length === 0) return undefined;
  // Half is enough: "Stage 3" may stand beside "Existing" and "Future".
  const half = (is: (text: string) => boolean) => 2 * given.filter(is).length >= given.length;
  if (half((text) => isTechnology(text, technologies))) return 'technology';
  if (half((text) => parseAvailability(text) !== undefined && !isBareAnswer(text))) return 'availability';
  if (half(isSurelySpeed)) return 'speeds';
  if (given.every((text) => parseDate(text) !== undefined))
    return isNever('planned_date', name) ? undefined : 'planned_date';
  return areSold(given) && !isNever('speeds', name) && !otherQuantities.test(name) ? 'speeds' : undefined;
}

/** A text of nothing but technologies: "Fixed Wireless (LTE)", "FTTP/GPON". */
function isTechnology(text: string, technologies: readonly KnownTechnology[]): boolean {
  const parts = text.split(/[(),;/&]/).filter((part) => part.trim() !== '');
  return parts.length > 0 && parts.every((part) => parseTechnology(part, technologies, { codes: false }));
}

function areSold(texts: readonly string[]): boolean {
  const numbers = texts.map(Number);
  const isFew = numbers.length >= minNumbers && numbers.length <= maxNumbers;
  return isFew && numbers.every((one) => soldMbps.has(one)) && Math.max(...numbers) >= surelyMbps;
}
