import type { SourceAttributes, SourceLayer } from '@covermap/coverage-files/format.ts';
import { isSurelySpeed, parseSpeed } from './speed-text.ts';

/* Numbers taken for speeds that may be codes: few whole ones, each beside the same text of another attribute. */

/** A list of codes has no more. */
const maxCodes = 20;
/** The max attributes of texts that are compared with each one of speeds, and the max pairs found. */
const maxAttributes = 200;
const maxFound = 8;

export interface NumbersBesideTexts {
  /** The attribute of the numbers, and that of the texts. */
  numbersOf: string;
  textsOf: string;
  numbers: string[];
  /** The text of each number. */
  texts: string[];
}

/** Compares the speeds of a layer's features with its texts. @param others indexes of the attributes that nothing uses @param speeds of those that hold speeds */
export function numbersBesideTexts(
  { fields, kinds }: Pick<SourceLayer, 'fields' | 'kinds'>,
  others: readonly number[],
  speeds: readonly number[],
) {
  const nameOf = (field: number) => fields[field] as string;
  const texts = others.filter((field) => kinds?.[field] === undefined).slice(0, maxAttributes);
  /** The pairs in which each number has had one text so far. */
  let pairs = speeds.flatMap((speed) => texts.map((text) => ({ speed, text, codes: new Codes() })));
  return {
    observe(attributes: SourceAttributes): void {
      if (pairs.length === 0) return;
      pairs = pairs.filter(({ speed, text, codes }) =>
        codes.observe(attributes.text(speed), attributes.text(text)),
      );
    },
    /** For each attribute of texts, the first speeds that they question. */
    found(): NumbersBesideTexts[] {
      const found = texts.flatMap((text) => {
        const beside = pairs.filter((pair) => pair.text === text);
        // The speeds are in the texts, so they are no codes.
        if (beside.some(({ codes }) => codes.areExplained())) return [];
        const asked = beside.find(({ codes }) => codes.mayBeCodes());
        return asked
          ? [{ numbersOf: nameOf(asked.speed), textsOf: nameOf(text), ...asked.codes.columns() }]
          : [];
      });
      return found.slice(0, maxFound);
    },
  };
}

class Codes {
  readonly #textOf = new Map<string, string>();
  readonly #texts = new Set<string>();
  /** How many features have both. */
  #features = 0;

  /** @returns false once a number has two texts, or a text two numbers, or the numbers are no codes */
  observe(number: string | null, text: string | null): boolean {
    if (number === null || text === null || text.trim() === '') return true;
    this.#features++;
    const beside = this.#textOf.get(number);
    if (beside !== undefined) return beside === text;
    this.#textOf.set(number, text);
    this.#texts.add(text);
    const { size } = this.#textOf;
    return size <= maxCodes && this.#texts.size === size && /^\s*\d+(?:\.0*)?\s*$/.test(number);
  }

  /** Tells if each text contains its number as a speed. */
  areExplained = () => [...this.#textOf].every(([number, text]) => says(text, Number(number)));

  /** Tells if the texts contain other speeds, or the numbers look like codes. */
  mayBeCodes(): boolean {
    const { numbers, texts } = this.columns();
    if (texts.length === 0 || texts.every(isNumber)) return false;
    // In a file of few features, each may have a name and a speed of its own, such as 10 and 20, or 3 and 4.
    const areRepeated = this.#features >= 2 * numbers.length;
    return texts.every(isSurelySpeed) || areCodes(numbers.map(Number), areRepeated);
  }

  columns = () => ({ numbers: [...this.#textOf.keys()], texts: [...this.#textOf.values()] });
}

const isNumber = (text: string) => Number.isFinite(Number(text));

/** Tells if a text contains a number as a speed: "up to 10 Mbps", "Wireless 10M". */
function says(text: string, number: number): boolean {
  const { max, min, other } = parseSpeed(text) ?? {};
  if ([max, min, other].includes(number)) return true;
  return [...text.matchAll(/(?<!\d)(\d{1,7}(?:\.\d{1,3})?)\s?[mg]/gi)].some(
    ([, digits]) => Number(digits) === number,
  );
}

/** Tells if numbers may be codes of a list: 1, 2, 3, or 0, 1, 2; and, where they are repeated, with few gaps or in tens. */
function areCodes(numbers: readonly number[], areRepeated: boolean): boolean {
  const { length } = numbers;
  const [min, max] = [Math.min(...numbers), Math.max(...numbers)];
  if (length < 2) return false;
  if (!areRepeated) return min <= 1 && max === min + length - 1;
  return max <= length + 2 || (numbers.every((one) => one % 10 === 0) && max <= 10 * length);
}
