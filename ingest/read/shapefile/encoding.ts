import iconv from 'iconv-lite';

/** Language driver ids (byte 29 of a dBASE header) by code page, as programs that write shapefiles use them. */
const driversByCodePage: Record<number, number[]> = {
  437: [1, 9, 11, 13, 15, 17, 21, 24, 25, 27],
  737: [106, 134],
  850: [2, 10, 14, 16, 18, 20, 22, 26, 29, 37, 55],
  852: [31, 34, 35, 64, 100, 135],
  857: [107, 136],
  860: [36],
  861: [103],
  863: [28, 108],
  865: [8, 23, 102],
  866: [38, 101],
  874: [80, 124],
  932: [19, 123],
  936: [77, 122],
  949: [78, 121],
  950: [79, 120],
  1250: [200],
  1251: [201],
  1252: [3, 87, 88, 89],
  1253: [203],
  1254: [202],
  1257: [204],
};

const codePageByDriver = new Map(
  Object.entries(driversByCodePage).flatMap(([codePage, drivers]) =>
    drivers.map((driver): [number, string] => [driver, `cp${codePage}`]),
  ),
);

const fallback = 'windows-1252';

export interface DetectedEncoding {
  /** A name that iconv-lite knows. */
  name: string;
  /** What the `.cpg` file says, where that names no encoding. */
  unknown: string | undefined;
}

/** The encoding that the `.cpg` file names, else the language driver (byte 29 of the dBASE header), else Windows-1252. */
export function detectEncoding(cpg: string | undefined, languageDriver: number): DetectedEncoding {
  const named = cpg?.replace(/^\ufeff/, '').trim();
  const name = named ? nameOf(named) : undefined;
  return {
    name: name ?? codePageByDriver.get(languageDriver) ?? fallback,
    unknown: named && !name ? named : undefined,
  };
}

/** `UTF-8`, `65001`, `ANSI 1252`, `OEM 850`, `CP1252`, `ISO-8859-1`, `88591`, `LDID/87`, ... as iconv-lite names them. */
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

/** iconv-lite also has what is no character encoding. */
const noCharacters = /^(hex|base64|binary|internal|utf7imap)$/i;

function known(name: string): string | undefined {
  return iconv.encodingExists(name) && !noCharacters.test(name) ? name : undefined;
}
