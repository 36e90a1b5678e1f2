/** The beginnings of formulas inside a field for a spreadsheet that splits at semicolons, tabs or bars, even within RFC 4180's quotes. */
const formulaWithin = /([;|\t\r\n][ "]*)(?=[=+\-@＝＋－＠])/g;

/**
 * A text that no spreadsheet runs: an apostrophe precedes the first character of a formula, also in wide letters, and also behind the separators of
 * spreadsheets in other languages. Amounts may begin with a minus.
 */
export function harmlessInSpreadsheet(text: string): string {
  if (/^-[\d.]+$/.test(text)) return text;
  const begun = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return begun.replace(formulaWithin, "$1'");
}

/** A field of a line of CSV (RFC 4180), harmless as {@link harmlessInSpreadsheet}. */
export function csvField(value: string | number | bigint | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const harmless = harmlessInSpreadsheet(value);
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Spreadsheets write semicolons where a comma is the decimal sign, and tabs into their clipboard. */
export const separators = [',', ';', '\t'] as const;

/** The separator that a spreadsheet declares in a first line of its own, as `sep=;`; undefined for any other line. Trimming removes a tab. */
export function declaredSeparator(line: string): string | undefined {
  const match = /^"?sep=([^"]?)"?$/i.exec(line.trim());
  return match ? match[1] || '\t' : undefined;
}

/** True for the first line of a file in UTF-16, as a spreadsheet's "Unicode text", that was read as UTF-8. */
export const isWide = (firstLine: string): boolean => /^\ufffd\ufffd|\0/.test(firstLine);

const afterBlanks = (line: string, from: number): number => {
  let at = from;
  while (line[at] === ' ') at++;
  return at;
};

/** The trimmed fields of a line of CSV (RFC 4180), many times as fast as a parser of streams; undefined for an incomplete record. */
export function csvFields(line: string, separator = ','): string[] | undefined {
  if (!line.includes('"')) return line.split(separator).map((field) => field.trim());
  const fields: string[] = [];
  for (let at = 0; at <= line.length; at++) {
    const begin = afterBlanks(line, at) + 1;
    const close = line[begin - 1] === '"' ? closingQuote(line, begin) : -1;
    const next = line.indexOf(separator, Math.max(at, close));
    const end = next === -1 ? line.length : next;
    if (close >= 0 && afterBlanks(line, close + 1) === end) {
      fields.push(line.slice(begin, close).replaceAll('""', '"'));
    } else {
      const field = line.slice(at, end);
      if (field.includes('"')) return undefined;
      fields.push(field.trim());
    }
    at = end;
  }
  return fields;
}

/** The first quote from a position on that is not doubled; -1 where there is none. */
function closingQuote(line: string, from: number): number {
  let at = line.indexOf('"', from);
  while (at >= 0 && line[at + 1] === '"') at = line.indexOf('"', at + 2);
  return at;
}
