import { readFile, stat } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { PropagationError } from './errors.ts';

/* `classes.csv`: the height of each class, and a receiver's loss deep in it. By height, the loss follows Recommendation ITU-R P.452-16, 4.5. */

export const classTable = 'classes.csv';
const maxTableBytes = 1024 * 1024;
const maxClasses = 1000;
/** Classes are pixels of 16 bits. */
export const maxClassCode = 32_767;
/** In metres, and in dB. */
const [maxHeight, maxLoss] = [500, 60];
const maxName = 100;

export interface ClutterClass {
  code: number;
  name: string | null;
  /** In metres. */
  height: number;
  /** The loss of a receiver near the ground, in dB. */
  loss: number;
}

/** A receiver's loss in a class, in dB: half of the class's at 0.625 of its height, almost none above it. @param receiver metres above the ground */
export function clutterLoss(
  { height, loss }: Pick<ClutterClass, 'height' | 'loss'>,
  receiver: number,
): number {
  return height > 0 ? (loss / 2) * (1 - Math.tanh(6 * (receiver / height - 0.625))) : 0;
}

/** The columns of the table. Others are ignored. */
const columns = ['class', 'height_m', 'loss_db'] as const;

/** Reads the table: each class once, with numbers within their limits. @throws PropagationError `clutter_unusable` */
export async function readClutterClasses(file: string): Promise<ClutterClass[]> {
  let rows: Record<string, string>[];
  try {
    const { size } = await stat(file);
    if (size > maxTableBytes) throw clutterUnusable(`${classTable} is larger than a table can be`);
    rows = parse(await readFile(file, 'utf8'), {
      bom: true,
      columns: (names: string[]) => names.map((name) => name.trim().toLowerCase()),
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof PropagationError) throw error;
    throw clutterUnusable(`${classTable} cannot be read: ${(error as Error).message}`);
  }
  if (rows.length === 0 || rows.length > maxClasses)
    throw clutterUnusable(`${classTable} has ${rows.length} classes, and can have 1 to ${maxClasses}`);
  const missing = columns.filter((column) => !(column in (rows[0] as object)));
  if (missing.length > 0) throw clutterUnusable(`${classTable} has no column ${missing.join(', ')}`);
  const known = new Set<number>();
  return rows.map((row, i) => {
    const number = (column: (typeof columns)[number], max: number) => {
      const text = row[column] as string;
      const value = Number(text);
      if (text !== '' && value >= 0 && value <= max) return value;
      throw clutterUnusable(
        `${classTable}, row ${i + 1}: ${column} is "${text.slice(0, 40)}", and can be 0 to ${max}`,
      );
    };
    const [code, height, loss] = [
      number('class', maxClassCode),
      number('height_m', maxHeight),
      number('loss_db', maxLoss),
    ];
    if (!Number.isInteger(code))
      throw clutterUnusable(`${classTable}, row ${i + 1}: a class is a whole number`);
    if (known.has(code)) throw clutterUnusable(`${classTable}, row ${i + 1}: class ${code} comes again`);
    known.add(code);
    return { code, name: row.name?.slice(0, maxName) || null, height, loss };
  });
}

export const clutterUnusable = (reason: string): PropagationError =>
  new PropagationError('clutter_unusable', `The land cover cannot be used: ${reason}.`);
