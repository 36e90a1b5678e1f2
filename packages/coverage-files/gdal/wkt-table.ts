import { parse } from 'csv-parse/sync';
import { type FileEntry, unpackTo } from '../file-set.ts';

/* Finds the column of a CSV file with polygons as WKT, which GDAL must be told. */

export interface AreaColumn {
  name: string;
  /** The EPSG code before PostGIS's geometries: "SRID=2193;POLYGON ((...))". */
  srid: string | undefined;
}

const areaText =
  /^\s*(?:SRID=(?<srid>\d{1,6});\s*)?(?:(?:MULTI)?(?:POLYGON|SURFACE)|CURVEPOLYGON|GEOMETRYCOLLECTION)/i;
const usualName = /^(?:wkt|geom|geometry|the_geom|shape)$/i;
/** Names that GDAL would misread in its list of columns. */
const awkwardName = /[,*"\\\0\ufffd]/;

/** The number of a table's columns, and the one whose texts begin like WKT polygons. @param start of the file */
export function areaColumn(start: string): { columns: number; area: AreaColumn | undefined } {
  const [header, ...rows] = records(start);
  const columns = (header ?? []).flatMap((title, i): AreaColumn[] => {
    const name = title.trim();
    if (name === '' || awkwardName.test(name)) return [];
    for (const row of rows) {
      const match = areaText.exec(row[i] ?? '');
      if (match) return [{ name, srid: match.groups?.srid }];
    }
    return [];
  });
  const area = columns.find(({ name }) => usualName.test(name)) ?? columns[0];
  return { columns: header?.length ?? 0, area };
}

/** Records by the most frequent delimiter of the first line. The last one may be cut off. */
function records(text: string): string[][] {
  const [line = ''] = text.split(/\r?\n/, 1);
  const count = (mark: string) => line.split(mark).length;
  const [delimiter = ','] = [',', ';', '\t', '|'].sort((a, b) => count(b) - count(a));
  const lines = { delimiter, record_delimiter: ['\r\n', '\n'], bom: true };
  // The second closes a quoted text that is cut off.
  for (const whole of [text, `${text}"`]) {
    try {
      return parse(whole, { ...lines, relax_quotes: true, relax_column_count: true });
    } catch {}
  }
  return [];
}

/** In bytes, longer than "SRID=...;" and the next word. */
const overlap = 64;

/** Copies a table with blanks for "SRID=2193;" before geometries, which GDAL does not know. Other codes stay. */
export async function withoutSrid(entry: FileEntry, target: string, srid: string): Promise<void> {
  const mark = /SRID=(\d{1,9});(?=\s{0,9}(?:MULTI|POLY|CURVE|SURF|GEOM|POINT|LINE))/gi;
  async function* read() {
    let rest = '';
    for await (const chunk of entry.read()) {
      const text = (rest + Buffer.from(chunk).toString('latin1')).replace(mark, (found, code) =>
        code === srid ? ' '.repeat(found.length) : found,
      );
      const end = Math.max(0, text.length - overlap);
      yield Buffer.from(text.slice(0, end), 'latin1');
      rest = text.slice(end);
    }
    yield Buffer.from(rest, 'latin1');
  }
  await unpackTo({ read }, target);
}
