import type { ValueKind } from '@covermap/coverage-files/format.ts';
import type { SpeedUnit } from '../../coverage/speeds.ts';

/** The speeds in a text, in Mbps. */
export interface SpeedText {
  max: number;
  min?: number;
  /** The speed in the other direction, as in "100/20". */
  other?: number;
}

const mbpsPerUnit: Record<SpeedUnit, number> = { kbps: 0.001, mbps: 1, gbps: 1000 };
const mbpsPerBit = 1e-6;

const maxLength = 64;

/* Parses a text piece by piece without going back, in linear time. Leading blanks belong to a piece. */

/** Possible characters of a number; {@link numberIn} decides. */
const number = /\s*([+-]?[\d.,']+(?: \d{3}(?!\d)){0,9}(?:[.,]\d+)?(?:e[+-]?\d+)?)/iy;
const unit =
  /\s*(?:(?<prefix>kilo|mega|giga|[kmg])(?:bits?|bs|b)?|bits?|b(?=ps))(?<rate>\s*(?:ps|p\/s|\/\s*s(?:ec)?|per\s+sec(?:ond)?))?(?![a-z])/iy;
/** Spellings that may mean bytes or bits: "MB/s". "MBPS" and "MBIT" are bits in capitals. */
const maybeBytes = /^\s*[kKmMgG](?:ilo|ega|iga)?B(?!PS|ITS?)/;
/** Words around a number that do not change it: the most or the least on offer. */
const about =
  /\s*(?:up\s*to|at\s*(?:least|most)|from|about|around|approx(?:imately|\.)?|circa|ca\.|typically|max(?:imum|\.)?(?![a-z])|min(?:imum|\.)?(?![a-z])|[<>~\u2248\u2264\u2265]=?)/iy;
const orMore = /\s*\+/y;
const asMost =
  /\s*(?:\(\s*(?:max|min|maximum|minimum|peak|typical|approx)\.?\s*\)|(?:max|min|maximum|minimum|peak)(?![a-z])\.?)/iy;
const down = /\s*(?:down(?:load)?|dl|d)\b/iy;
const up = /\s*(?:up(?:load)?|ul|u)\b/iy;
const separator = /\s*(-|\u2013|to|\/|\\|:|\|)/iy;

/**
 * Parses a speed: "50", "50 Mbps", "1 Gbit/s", "1,000", "100/20" (download and upload), "50-100 Mbps" (min and max), "> 50", "100 down
 * 20 up". A text's own unit precedes the assumed one.
 * @returns undefined for other texts, for more than 64 characters, and where two numbers are possible: the operator decides
 */
export function parseSpeed(
  text: string,
  assumed: SpeedUnit = 'mbps',
  kind?: ValueKind,
): SpeedText | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  if (kind !== undefined && trimmed !== '' && Number.isFinite(Number(trimmed))) {
    if (kind === 'number or yes' && /^[01]$/.test(trimmed)) return undefined;
    return { max: toMbps(Number(trimmed), undefined, assumed) };
  }
  const pieces = piecesOf(plainLetters(trimmed));
  const first = speedIn(pieces, down);
  if (!first) return undefined;
  if (pieces.isOver()) return { max: toMbps(first.value, first.factor, assumed) };
  const between = pieces.take(separator)?.[1];
  const second = between && speedIn(pieces, up);
  if (!second || !pieces.isOver()) return undefined;
  // "100/20 Mbps": the unit is for both.
  const firstMbps = toMbps(first.value, first.factor ?? second.factor, assumed);
  const secondMbps = toMbps(second.value, second.factor ?? first.factor, assumed);
  // "100/-9999": some programs write that for a missing number.
  if (secondMbps < 0) return { max: firstMbps };
  return /^[/\\:|]$/.test(between)
    ? { max: firstMbps, other: secondMbps }
    : { min: firstMbps, max: secondMbps };
}

interface Speed {
  value: number;
  /** The factor of the unit; undefined without a unit. */
  factor: number | undefined;
}

function speedIn(pieces: Pieces, direction: RegExp): Speed | undefined {
  pieces.take(about);
  const value = numberIn(pieces.take(number)?.[1] ?? '');
  if (value === undefined) return undefined;
  pieces.take(orMore);
  const found = pieces.take(unit);
  if (found && (maybeBytes.test(found[0]) || isNoRate(found))) return undefined;
  pieces.take(orMore);
  pieces.take(asMost);
  pieces.take(direction);
  return { value, factor: found && factorOf(found) };
}

/** Bits without a time. */
const isNoRate = ({ groups }: RegExpExecArray) => groups?.prefix === undefined && groups?.rate === undefined;

function factorOf({ groups }: RegExpExecArray): number | undefined {
  const letter = groups?.prefix?.[0]?.toLowerCase();
  return letter === undefined ? mbpsPerBit : mbpsPerUnit[`${letter}bps` as SpeedUnit];
}

/**
 * An unambiguous number. A mark before three digits may separate thousands or decimals: it is clear where there are two of it, where the other mark
 * follows, or where no number begins so. "1,000" is a thousand here; "1.000" is not clear, nor is "2,500", which may be two speeds.
 */
function numberIn(text: string): number | undefined {
  const [, sign = '', digits = '', exponent = ''] = /^([+-]?)([\d.,' ]+)(e[+-]?\d+)?$/i.exec(text) ?? [];
  const whole = thousands(digits) ?? decimal(digits);
  return whole === undefined ? undefined : Number(`${sign}${whole}${exponent}`);
}

/** Forms with thousands separators, as a plain number. */
const grouped: readonly [form: RegExp, decimalMark: string][] = [
  [/^\d{1,3},000$/, '.'],
  [/^\d{1,3}(?:,\d{3}){2,9}(?:\.\d+)?$/, '.'],
  [/^\d{1,3},\d{3}\.\d*$/, '.'],
  [/^\d{1,3}(?:\.\d{3}){2,9}(?:,\d+)?$/, ','],
  [/^\d{1,3}\.\d{3},\d+$/, ','],
  [/^\d{1,3}(?:'\d{3}){1,9}(?:\.\d+)?$/, '.'],
  [/^\d{1,3}(?:'\d{3}){1,9},\d+$/, ','],
  [/^\d{1,3} 000$/, '.'],
  [/^\d{1,3}(?: \d{3}){2,9}(?:\.\d+)?$/, '.'],
  [/^\d{1,3}(?: \d{3}){1,9},\d+$/, ','],
  [/^\d{1,3} \d{3}\.\d+$/, '.'],
];

function thousands(digits: string): string | undefined {
  const mark = grouped.find(([form]) => form.test(digits))?.[1];
  if (mark === undefined) return undefined;
  return mark === '.' ? digits.replace(/[, ']/g, '') : digits.replace(/[. ']/g, '').replace(',', '.');
}

function decimal(digits: string): string | undefined {
  if (/^(?:\d+\.?|\d*\.\d+)$/.test(digits)) return /^[1-9]\d{0,2}\.\d{3}$/.test(digits) ? undefined : digits;
  return /^0,\d+$/.test(digits) ? digits.replace(',', '.') : undefined;
}

/** Replaces wide letters and digits by ASCII, and unifies blanks, apostrophes and minus signs. */
const plainLetters = (text: string) =>
  text
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[\u2019\u02bc]/g, "'")
    .replace(/[\u2212\u2010\u2011]/g, '-')
    .replace(/\s+/g, ' ');

type Pieces = ReturnType<typeof piecesOf>;

/** Takes pieces from the left of a text. */
function piecesOf(text: string) {
  let at = 0;
  return {
    isOver: () => at === text.length,
    /** The match of the sticky expression at the current position. */
    take(piece: RegExp): RegExpExecArray | undefined {
      piece.lastIndex = at;
      const match = piece.exec(text);
      if (match) at = piece.lastIndex;
      return match ?? undefined;
    },
  };
}

/** Tells if a text is nothing but a speed: with the unit of a rate, or of both directions, the faster first, as in "100/20". */
export function isSurelySpeed(text: string): boolean {
  const { max = 0, other } = parseSpeed(text) ?? {};
  if (/[kmg]b|bit|bps/i.test(text)) return max > 0;
  // Dates and parts of addresses have such marks, too.
  return other !== undefined && /\d\s?[/|\\]\s?\d/.test(text) && max >= other && other > 0;
}

/** Tells if a text stands for a missing speed: below 0, as programs write it (-9999), or one of people's marks. */
export function isNotGiven(text: string, kind?: ValueKind): boolean {
  const trimmed = text.trim().toLowerCase();
  if (['-', '--', 'n/a', 'na', 'null', '<null>', 'none', 'nan', 'unknown', 'tbc', 'tbd'].includes(trimmed))
    return true;
  if (!/^[-\u2212]/.test(trimmed) || trimmed.length > maxLength) return false;
  // Whichever number it is.
  return /^.[\d.,]+$/.test(trimmed) || (parseSpeed(trimmed, 'mbps', kind)?.max ?? 0) < 0;
}

const toMbps = (value: number, factor: number | undefined, assumed: SpeedUnit) =>
  Math.round(value * (factor ?? mbpsPerUnit[assumed]) * 1000) / 1000;
