import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Language driver ids (byte 29 of a dBASE header) by code page, as used by programs that write shapefiles. */
const driversByCodePage: Record<number, number[]> = {
  ...{ 437: [1, 9, 11, 13, 15, 17, 21, 24, 25, 27], 737: [106, 134] },
  ...{ 850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55], 852: [31, 34, 35, 64, 100, 135], 857: [107, 136] },
  ...{ 860: [36], 861: [103], 863: [28, 108], 865: [8, 23, 102], 866: [38, 101], 874: [80, 124] },
  ...{ 932: [19, 123], 936: [77, 122], 949: [78, 121], 950: [79, 120] },
  ...{ 1250: [200], 1251: [201], 1252: [3, 87, 88, 89], 1253: [203], 1254: [202], 1257: [204] },
};

const codePageByDriver = new Map(
  Object.entries(driversByCodePage).flatMap(([codePage, drivers]) =>
    drivers.map((driver): [number, string] => [driver, `cp${codePage}`]),
  ),
);

const fallback = 'windows-1252';

/**
 * The encoding by the `.cpg` file, else by the language driver (byte 29 of the dBASE header), else UTF-8 if the texts are, else Windows-1252.
 * @returns iconv-lite's name, and the `.cpg` file's text if it names no encoding
 */
export function detectEncoding(cpg: string | undefined, languageDriver: number, textsAreUtf8 = false) {
  const named = cpg?.replace(/^\ufeff/, '').trim();
  const name = named ? nameOf(named) : undefined;
  return {
    name: name ?? codePageByDriver.get(languageDriver) ?? (textsAreUtf8 ? 'utf-8' : fallback),
    unknown: named && !name ? named : undefined,
  };
}

/** Tells if the header of a table names the encoding of its texts. */
export const saysEncoding = (languageDriver: number) => codePageByDriver.has(languageDriver);

/** Checks the bytes of texts, field by field, for UTF-8: texts whose only bytes beyond ASCII are multibyte letters are not so by accident. */
export class Utf8Check {
  #hasLetters = false;
  #isBroken = false;

  /** @param field may be cut off within a letter */
  add(field: Buffer): void {
    if (this.#isBroken || isAscii(field)) return;
    const cut = [0, 1, 2, 3].find(
      (bytes) =>
        isCut(field.subarray(field.length - bytes)) && isUtf8(field.subarray(0, field.length - bytes)),
    );
    if (cut === undefined) this.#isBroken = true;
    else this.#hasLetters ||= !isAscii(field.subarray(0, field.length - cut));
  }

  get isUtf8(): boolean {
    return this.#hasLetters && !this.#isBroken;
  }
}

/** Tells if bytes are empty, or an incomplete letter. */
function isCut([first = 0, ...rest]: Buffer): boolean {
  const length = first >= 0xf5 ? 0 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  return first === 0 || (rest.length + 1 < length && rest.every((byte) => byte >> 6 === 2));
}

/** iconv-lite's name of `UTF-8`, `65001`, `ANSI 1252`, `OEM 850`, `CP1252`, `ISO-8859-1`, `88591`, `LDID/87`, ... */
function nameOf(text: string): string | undefined {
  const driver = /^LDID\/(\d+)$/i.exec(text)?.[1];
  if (driver !== undefined) return codePageByDriver.get(Number(driver));
  const iso = /^(?:ISO)?[-_ ]?8859[-_ ]?(\d{1,2})$/i.exec(text)?.[1];
  if (iso !== undefined) return known(`iso-8859-${Number(iso)}`);
  const number = /^(?:ANSI|OEM|CP|WINDOWS|MS|IBM)?[-_ ]*(\d{3,5})$/i.exec(text)?.[1];
  if (number === '65001') return 'utf-8';
  if (number !== undefined) return known(`cp${number}`);
  return known(text);
}

/** Names in iconv-lite that are no character encodings. */
const noCharacters = /^(hex|base64|binary|internal|utf7imap)$/i;

function known(name: string): string | undefined {
  return iconv.encodingExists(name) && !noCharacters.test(name) ? name : undefined;
}
