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

// A comma before one or two last digits is that of a country where the decimal point is one.
const number = String.raw`([+-]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+,\d{1,2}(?!\d)|\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)`;
const unit = String.raw`(?:\s*(k|m|g)(?:bit|b)?(?:\s*(?:ps|\/\s*s))?)?`;
/** What people write around a number and mean the number: the most or the least that is offered there. */
const about = String.raw`(?:(?:up\s*to|at\s*least|from|[<>~\u2248\u2264\u2265]=?)\s*)?`;
const orMore = String.raw`(?:\s*\+)?`;
const down = String.raw`(?:\s*(?:down(?:load)?|dl|d)\b)?`;
const up = String.raw`(?:\s*(?:up(?:load)?|ul|u)\b)?`;
const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const words = new RegExp(
  `^${about}${number}${orMore}${unit}${orMore}${down}(?:\\s*(-|\u2013|to|/|\\\\|:|\\|)\\s*${about}${number}${orMore}${unit}${orMore}${up})?$`,
  'i',
);

/**
 * Reads a speed as people write it: "50", "50 Mbps", "1 Gbit/s", "1,000", "100/20" (download and upload), "50-100 Mbps"
 * (the least and the most), "> 50", "100 down / 20 up". A text's own unit counts before the one that is assumed.
 * @returns undefined where it is none of these
 */
export function parseSpeed(text: string, assumed: SpeedUnit = 'mbps'): SpeedText | undefined {
  // Nearly all are plain numbers.
  if (plain.test(text)) return { max: toMbps(text, undefined, assumed) };
  const match = words.exec(text);
  if (!match) return undefined;
  const [, first = '', firstUnit, separator, second, secondUnit] = match;
  // "100/20 Mbps": the unit stands for both.
  const one = toMbps(first, firstUnit ?? secondUnit, assumed);
  if (separator === undefined || second === undefined) return { max: one };
  const two = toMbps(second, secondUnit ?? firstUnit, assumed);
  return /^[/\\:|]$/.test(separator) ? { max: one, other: two } : { min: one, max: two };
}

function toMbps(digits: string, letter: string | undefined, assumed: SpeedUnit): number {
  const own = letter && (`${letter.toLowerCase()}bps` as SpeedUnit);
  return Math.round(Number(decimal(digits)) * mbpsPerUnit[own || assumed] * 1000) / 1000;
}

function decimal(digits: string): string {
  return /^[+-]?\d+,\d{1,2}$/.test(digits) ? digits.replace(',', '.') : digits.replaceAll(',', '');
}
