import iconv from 'iconv-lite';

/**
 * Code pages by the language driver id in byte 29 of a dBASE header, as the tools that write shapefiles use it. An id
 * that is not here says nothing.
 */
const codePageByDriver: Record<number, number> = {
  1: 437,
  2: 850,
  3: 1252,
  8: 865,
  9: 437,
  10: 850,
  11: 437,
  13: 437,
  14: 850,
  15: 437,
  16: 850,
  17: 437,
  18: 850,
  19: 932,
  20: 850,
  21: 437,
  22: 850,
  23: 865,
  24: 437,
  25: 437,
  26: 850,
  27: 437,
  28: 863,
  29: 850,
  31: 852,
  34: 852,
  35: 852,
  36: 860,
  37: 850,
  38: 866,
  55: 850,
  64: 852,
  77: 936,
  78: 949,
  79: 950,
  80: 874,
  87: 1252,
  88: 1252,
  89: 1252,
  100: 852,
  101: 866,
  102: 865,
  103: 861,
  106: 737,
  107: 857,
  108: 863,
  120: 950,
  121: 949,
  122: 936,
  123: 932,
  124: 874,
  134: 737,
  135: 852,
  136: 857,
  200: 1250,
  201: 1251,
  202: 1254,
  203: 1253,
  204: 1257,
};

const fallback = 'windows-1252';

export interface DetectedEncoding {
  /** A name that iconv-lite knows. */
  name: string;
  /** What the `.cpg` file says, where that names no encoding. */
  unknown: string | undefined;
}

/**
 * The encoding of a dBASE file: what the `.cpg` file beside it names, else its language driver, else Windows-1252.
 * @param cpg the content of the `.cpg` file
 * @param languageDriver byte 29 of the header
 */
export function detectEncoding(cpg: string | undefined, languageDriver: number): DetectedEncoding {
  const named = cpg?.replace(/^\ufeff/, '').trim();
  const name = named ? nameOf(named) : undefined;
  const codePage = codePageByDriver[languageDriver];
  return {
    name: name ?? (codePage === undefined ? fallback : `cp${codePage}`),
    unknown: named && !name ? named : undefined,
  };
}

/** `UTF-8`, `65001`, `ANSI 1252`, `OEM 850`, `CP1252`, `ISO-8859-1`, `88591`, `LDID/87`, ... as iconv-lite names them. */
function nameOf(text: string): string | undefined {
  const driver = /^LDID\/(\d+)$/i.exec(text)?.[1];
  if (driver !== undefined) {
    const codePage = codePageByDriver[Number(driver)];
    return codePage === undefined ? undefined : `cp${codePage}`;
  }
  const iso = /^(?:ISO)?[-_ ]?8859[-_ ]?(\d{1,2})$/i.exec(text)?.[1];
  if (iso !== undefined) return known(`iso-8859-${Number(iso)}`);
  const number = /^(?:ANSI|OEM|CP|WINDOWS|MS|IBM)?[-_ ]*(\d{3,5})$/i.exec(text)?.[1];
  if (number === '65001') return 'utf-8';
  if (number !== undefined) return known(`cp${number}`);
  return known(text);
}

/** iconv-lite also has what is no character encoding. */
const noCharacters = /^(hex|base64|binary|internal|utf7imap)$/i;

function known(name: string): string | undefined {
  return iconv.encodingExists(name) && !noCharacters.test(name) ? name : undefined;
}
