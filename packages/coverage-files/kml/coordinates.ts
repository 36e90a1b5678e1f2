/*
 * Reads the text of a <coordinates> element, "lng,lat[,altitude]" with white space between (KML 2.3, 10.8 and 16.6), as a stream: a ring may
 * have millions of vertices, and a DOM took five to ten times as long. Accepts spaces beside commas ("174.1, -41.2, 0"), a comma after the
 * last number and no-break spaces where they are unambiguous.
 */

export interface VertexBudget {
  left: number;
}

const maxTokenLength = 1024;
const noBytes = Buffer.alloc(0);
const exactPowers = Array.from({ length: 23 }, (_, i) => 10 ** i);

export class CoordinateReader {
  malformed = false;
  /** True where there were more than the budget allows; the rest is dropped. */
  tooMany = false;
  readonly #budget: VertexBudget;
  #points = new Float64Array(16);
  #length = 0;
  /** The beginning of numbers that may continue in the next piece. */
  #carry = noBytes;
  #count = 0;
  #x = 0;
  /** True after a comma or white space behind the last number. */
  #comma = false;
  #space = false;
  /** True where white space followed a comma within the position. */
  #spaced = false;

  constructor(budget: VertexBudget) {
    this.#budget = budget;
  }

  push(piece: string): void {
    this.pushBytes(Buffer.from(inAscii(piece), 'latin1'));
  }

  /** @param piece in ASCII. Bytes are three times as fast as characters. */
  pushBytes(piece: Buffer): void {
    let end = piece.length;
    while (end > 0 && !isSpace(piece[end - 1] as number)) end--;
    let start = 0;
    if (this.#carry.length > 0 && end > 0) {
      while (!isSpace(piece[start] as number)) start++;
      const whole = Buffer.concat([this.#carry, piece.subarray(0, start)]);
      this.#carry = noBytes;
      this.#read(whole, 0, whole.length);
    }
    this.#read(piece, start, end);
    if (end < piece.length) this.#carry = Buffer.concat([this.#carry, piece.subarray(end)]);
    if (this.#carry.length > maxTokenLength) {
      this.malformed = true;
      this.#carry = noBytes;
    }
  }

  finish(): Float64Array {
    this.#read(this.#carry, 0, this.#carry.length);
    this.#carry = noBytes;
    if (this.#count === 1) this.malformed = true;
    this.#count = 0;
    return this.#points.subarray(0, this.#length);
  }

  #read(bytes: Buffer, start: number, end: number): void {
    let i = start;
    while (i < end) {
      const code = bytes[i] as number;
      if (isSpace(code)) {
        this.#space = true;
        i++;
      } else if (code === 0x2c) {
        this.#comma = true;
        this.#space = false;
        i++;
      } else {
        i = this.#readNumber(bytes, i, end);
      }
    }
  }

  #readNumber(bytes: Buffer, start: number, end: number): number {
    // Fifteen digits and a power of ten up to 22 are exact, so one division rounds like Number().
    let mantissa = 0;
    let digits = 0;
    let decimals = -1;
    let plain = true;
    let i = start;
    const negative = bytes[i] === 0x2d;
    if (negative) i++;
    for (; i < end; i++) {
      const code = bytes[i] as number;
      if (code >= 0x30 && code <= 0x39) {
        mantissa = mantissa * 10 + (code - 0x30);
        if (mantissa > 0) digits++;
        if (decimals >= 0) decimals++;
      } else if (code === 0x2e && decimals < 0) {
        decimals = 0;
      } else if (code === 0x2c || isSpace(code)) {
        break;
      } else {
        plain = false;
      }
    }
    const hasDigits = i - start > (negative ? 1 : 0) + (decimals >= 0 ? 1 : 0);
    let value: number;
    if (plain && hasDigits && digits <= 15 && decimals <= 22) {
      value = decimals > 0 ? mantissa / (exactPowers[decimals] as number) : mantissa;
      if (negative) value = -value;
    } else {
      const token = bytes.toString('latin1', start, i);
      value = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(token) ? Number(token) : Number.NaN;
    }
    this.#take(value, i < end && bytes[i] === 0x2c);
    return i;
  }

  #take(value: number, commaFollows: boolean): void {
    if (!Number.isFinite(value)) this.malformed = true;
    const afterComma = this.#comma;
    const afterSpace = this.#space;
    const adjacent = afterComma && !afterSpace;
    this.#comma = false;
    this.#space = false;
    if (this.#count === 1) {
      if (!afterComma) this.malformed = true;
      this.#spaced = afterSpace;
      this.#add(this.#x, value);
      this.#count = 2;
      return;
    }
    if (this.#count === 2 && afterComma) {
      // "1,2, 3,4": the comma before the space is superfluous. "1, 2, 3 4, 5, 6": it is not.
      if (adjacent || this.#spaced || !commaFollows) {
        this.#count = 3;
        return;
      }
    }
    // A fourth number in a position, or a list of commas only, is ambiguous.
    if (this.#count === 3 && afterComma && (adjacent || this.#spaced)) this.malformed = true;
    this.#x = value;
    this.#count = 1;
  }

  #add(x: number, y: number): void {
    if (this.#budget.left <= 0) {
      this.tooMany = true;
      return;
    }
    this.#budget.left--;
    if (this.#length + 2 > this.#points.length) {
      const larger = new Float64Array(this.#points.length * 2);
      larger.set(this.#points);
      this.#points = larger;
    }
    this.#points[this.#length++] = x;
    this.#points[this.#length++] = y;
  }
}

/** White space of XML in bytes. */
const isSpace = (code: number) => code <= 0x20 || code === 0x7f;

/** Characters that word processors and web pages use for white space. */
const otherSpaces = /[\x80-\xa0\u2000-\u200f\u2028\u2029\u202f\u205f\u3000\ufeff]/g;

/** With "?" for characters that coordinates cannot have. */
const inAscii = (text: string) => text.replace(otherSpaces, ' ').replace(/[^\0-\x7f]/g, '?');
