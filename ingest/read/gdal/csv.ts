import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

/* What GDAL has to be told of a table with areas as text (WKT), found out from its beginning. */

/** Where the areas of a table are. */
export interface AreaColumn {
  name: string;
  /** The code of the reference system that its texts begin with, as PostGIS writes them: "SRID=2193;POLYGON ((...))". */
  srid: string | undefined;
}

const areaText =
  /^\s*(?:SRID=(?<srid>\d{1,6});\s*)?(?:(?:MULTI)?(?:POLYGON|SURFACE)|CURVEPOLYGON|GEOMETRYCOLLECTION)/i;
/** Where several columns have areas. */
const usualName = /^(?:wkt|geom|geometry|the_geom|shape)$/i;
/** GDAL is told the name in a list, with * for anything. */
const awkwardName = /[,*"\\\0\ufffd]/;

/** The column whose texts begin as areas do. @param start of the file, as much as is looked at */
export function areaColumn(start: string): AreaColumn | undefined {
  const [header, ...rows] = records(start.replace(/^\ufeff/, ''));
  const columns = (header ?? []).flatMap((title, i): AreaColumn[] => {
    const name = title.trim();
    if (name === '' || awkwardName.test(name)) return [];
    for (const row of rows) {
      const match = areaText.exec(row[i] ?? '');
      if (match) return [{ name, srid: match.groups?.srid }];
    }
    return [];
  });
  return columns.find(({ name }) => usualName.test(name)) ?? columns[0];
}

/** Of each value of a row as much as tells what it is. */
const longestValue = 200;

/** The rows of a table whose values are parted by what its first line has most of. The last may be cut short. */
function records(text: string): string[][] {
  const [line = ''] = text.split(/\r?\n/, 1);
  const count = (mark: string) => line.split(mark).length;
  const [separator = ','] = [',', ';', '\t', '|'].sort((a, b) => count(b) - count(a));
  const rows: string[][] = [];
  let row: string[] = [];
  let value = '';
  let quoted = false;
  for (const mark of text) {
    if (mark === '"') quoted = !quoted;
    else if (!quoted && (mark === separator || mark === '\n')) {
      row.push(value);
      value = '';
      if (mark === '\n') {
        rows.push(row);
        row = [];
      }
    } else if (mark !== '\r' && value.length < longestValue) value += mark;
  }
  rows.push([...row, value]);
  return rows;
}

/** More than the mark of a reference system and the word after it are long, in bytes. */
const overlap = 64;

/** Copies a table with blanks in the place of "SRID=2193;" before geometries, which GDAL does not know. Other codes stay. */
export async function withoutSrid(from: string, target: string, srid: string): Promise<void> {
  const mark = /SRID=(\d{1,9});(?=\s{0,9}(?:MULTI|POLY|CURVE|SURF|GEOM|POINT|LINE))/gi;
  const file = await open(target, 'wx');
  try {
    let rest = '';
    for await (const chunk of createReadStream(from, { highWaterMark: 1024 * 1024 })) {
      const text = (rest + (chunk as Buffer).toString('latin1')).replace(mark, (found, code) =>
        code === srid ? ' '.repeat(found.length) : found,
      );
      const end = Math.max(0, text.length - overlap);
      await file.write(Buffer.from(text.slice(0, end), 'latin1'));
      rest = text.slice(end);
    }
    await file.write(Buffer.from(rest, 'latin1'));
  } finally {
    await file.close();
  }
}
