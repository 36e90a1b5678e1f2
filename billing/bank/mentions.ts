/* Numbers of invoices in what a payer wrote: "INV 12", "12", "INV12 13", "INV1213", and cut off. */

/** Words after which a number is meant as one of an invoice: `invoices`, cut anywhere, and what stands between. */
const before = new Set('inv invo invoi invoic invoice invoices invs no nos nr num number bill'.split(' '));
const between = new Set(['and', 'plus', 'to']);

export interface Mentions {
  /** After a word such as INV. */
  explicit: Set<number>;
  /** Any other number. */
  bare: Set<number>;
  /** Digits as they stand, to be taken apart. */
  digits: string[];
}

/** @param texts what the payer wrote, field by field: a list of numbers goes on in the next one @param others texts that also hold the bank's numbers */
export function mentionsIn(texts: readonly string[], others: string): Mentions {
  const found: Mentions = { explicit: new Set(), bare: new Set(), digits: [] };
  collect(texts.join(' '), found, true);
  collect(others, found, false);
  return found;
}

function collect(text: string, { explicit, bare, digits }: Mentions, takesBare: boolean): void {
  const plain = text.toLowerCase().replace(/\b\d{2}-\d{4}-\d{7}-\d{2,3}\b/g, ' ');
  let isList = false;
  for (const token of plain.match(/[a-z]+|\d+/g) ?? []) {
    if (!/^\d/.test(token)) {
      isList = before.has(token) || (isList && between.has(token));
      continue;
    }
    const number = token.length <= 9 ? Number(token) : 0;
    if (number > 0 && isList) explicit.add(number);
    else if (number > 0 && takesBare) bare.add(number);
    if (isList || takesBare) digits.push(token);
  }
}

/** The numbers, of two or three of these, that digits are when written without a space. */
export function takenApart(digits: string, numbers: readonly number[]): number[] | undefined {
  const split = (rest: string, left: number): number[] | undefined => {
    if (rest === '') return [];
    if (left === 0) return undefined;
    for (const number of numbers) {
      if (!rest.startsWith(String(number))) continue;
      const others = split(rest.slice(String(number).length), left - 1);
      if (others && !others.includes(number)) return [number, ...others];
    }
    return undefined;
  };
  const found = split(digits, 3);
  return found && found.length > 1 ? found : undefined;
}
