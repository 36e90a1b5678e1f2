import type { SpeedUnit } from '../core/coverage/speeds.ts';

/** What a text says of speeds, in Mbps. */
export interface SpeedText {
  max: number;
  /** Where it is a range. */
  min?: number;
  /** Where it goes on with the other direction, as in "100/20". */
  other?: number;
}

const mbpsPerUnit: Record<SpeedUnit, number> = { kbps: 0.001, mbps: 1, gbps: 1000 };

/** A longer text says something else. */
const maxLength = 64;

/*
 * A text is read from left to right, piece by piece, and no piece is read again: the time is linear in its length. Blanks
 * before a piece belong to it.
 */

/** All that a number can be made of, judged afterwards by {@link forms}. */
const number = /\s*([+-]?[\d.,]+(?:e[+-]?\d+)?)/iy;
// "10,100" and "5,1" are two speeds as likely as one number, and no speed here. A comma is between thousands before 000 ("1,000"),
// or where two of them part groups of three digits; it is the decimal mark of other countries after a 0 alone ("0,75").
const forms =
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+|0,\d+|\d{1,3},000(?:\.\d+)?|\d{1,3}(?:,\d{3}){2,9}(?:\.\d+)?)(?:e[+-]?\d+)?$/i;
const unit = /\s*(k|m|g)(?:bit|b)?(?:\s*(?:ps|\/\s*s))?/iy;
/** What people write around a number and mean the number: the most or the least that is offered there. */
const about = /\s*(?:up\s*to|at\s*least|from|[<>~\u2248\u2264\u2265]=?)/iy;
const orMore = /\s*\+/y;
const down = /\s*(?:down(?:load)?|dl|d)\b/iy;
const up = /\s*(?:up(?:load)?|ul|u)\b/iy;
const separator = /\s*(-|\u2013|to|\/|\\|:|\|)/iy;

/**
 * Reads a speed as people write it: "50", "50 Mbps", "1 Gbit/s", "1,000", "100/20" (download and upload), "50-100 Mbps"
 * (the least and the most), "> 50", "100 down / 20 up". A text's own unit counts before the one that is assumed.
 * @returns undefined where it is none of these, or longer than 64 characters
 */
export function parseSpeed(text: string, assumed: SpeedUnit = 'mbps'): SpeedText | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  const pieces = new Pieces(trimmed);
  const first = speedIn(pieces, down);
  if (!first) return undefined;
  if (pieces.ended) return { max: toMbps(first.digits, first.unit, assumed) };
  const between = pieces.take(separator);
  const second = between && speedIn(pieces, up);
  if (!second || !pieces.ended) return undefined;
  // "100/20 Mbps": the unit stands for both.
  const one = toMbps(first.digits, first.unit ?? second.unit, assumed);
  const two = toMbps(second.digits, second.unit ?? first.unit, assumed);
  // "100/-9999": programs write that where they have none.
  if (two < 0) return { max: one };
  return /^[/\\:|]$/.test(between) ? { max: one, other: two } : { min: one, max: two };
}

function speedIn(
  pieces: Pieces,
  direction: RegExp,
): { digits: string; unit: string | undefined } | undefined {
  pieces.take(about);
  const digits = pieces.take(number);
  if (digits === undefined || !forms.test(digits)) return undefined;
  pieces.take(orMore);
  const letter = pieces.take(unit);
  pieces.take(orMore);
  pieces.take(direction);
  return { digits, unit: letter };
}

/** A text that is read from left to right. */
class Pieces {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get ended(): boolean {
    return this.#at === this.#text.length;
  }

  /** What the sticky expression captures, or else matches, where the text goes on with it. */
  take(piece: RegExp): string | undefined {
    piece.lastIndex = this.#at;
    const match = piece.exec(this.#text);
    if (!match) return undefined;
    this.#at = piece.lastIndex;
    return match[1] ?? match[0];
  }
}

/** Whether a text stands for a speed that nobody gave: below 0, as programs write it (-9999), or one of people's marks. */
export function isNotGiven(text: string): boolean {
  const trimmed = text.trim().toLowerCase();
  if (['-', '--', 'n/a', 'na', 'null', '<null>', 'none', 'nan', 'unknown', 'tbc', 'tbd'].includes(trimmed))
    return true;
  return trimmed.length <= maxLength && trimmed.startsWith('-') && (parseSpeed(trimmed)?.max ?? 0) < 0;
}

function toMbps(digits: string, letter: string | undefined, assumed: SpeedUnit): number {
  const own = letter && (`${letter.toLowerCase()}bps` as SpeedUnit);
  return Math.round(Number(decimal(digits)) * mbpsPerUnit[own || assumed] * 1000) / 1000;
}

const decimal = (digits: string) =>
  /^[+-]?0,\d+$/.test(digits) ? digits.replace(',', '.') : digits.replaceAll(',', '');
