/** A text that no spreadsheet runs: an apostrophe precedes the first character of a formula, also in wide letters. Amounts may begin with a minus. */
export const harmlessInSpreadsheet = (text: string): string =>
  /^[=+\-@\t\r\n＝＋－＠]/.test(text) && !/^-[\d.]+$/.test(text) ? `'${text}` : text;

const blanks = /[ \t]*/y;
/** Up to the next comma or the end. */
const blanksToEnd = /[ \t]*(?=,|$)/y;

/** The trimmed fields of a line of CSV (RFC 4180), many times as fast as a parser of streams; undefined for an incomplete record. */
export function csvFields(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',').map((field) => field.trim());
  const fields: string[] = [];
  for (let at = 0; at <= line.length; at++) {
    blanks.lastIndex = at;
    blanks.test(line);
    const begin = blanks.lastIndex + 1;
    const close = line[begin - 1] === '"' ? closingQuote(line, begin) : -1;
    blanksToEnd.lastIndex = close + 1;
    if (close >= 0 && blanksToEnd.test(line)) {
      fields.push(line.slice(begin, close).replaceAll('""', '"'));
      at = blanksToEnd.lastIndex;
    } else {
      const comma = line.indexOf(',', at);
      const end = comma === -1 ? line.length : comma;
      const field = line.slice(at, end);
      if (field.includes('"')) return undefined;
      fields.push(field.trim());
      at = end;
    }
  }
  return fields;
}

/** The first quote from a position on that is not doubled; -1 where there is none. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}
