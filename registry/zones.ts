import { commandActor } from '../access/actor.ts';
import { record } from '../access/audit.ts';
import type { Database, Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { CovermapError } from '../platform/errors.ts';
import { isFault, readLabel } from './names.ts';

/**
 * The managed zones, in the order of answers. `letters`: those of their names besides a to z, digits and the hyphen. `moderated`: names are for
 * those whom the zone is for.
 */
export async function listZones(db: Queryable) {
  const { rows } = await db.query<{ zone: string; letters: string; moderated: boolean }>(
    'select name as zone, letters, moderated from zone order by position',
  );
  return rows;
}

/**
 * Sets the letters of a zone's names besides a to z, digits and the hyphen. Registered names keep theirs.
 * @returns both in their stored form: in lower case, each letter once @throws CovermapError `letters_invalid`, `zone_unknown`
 */
export async function setLetters(db: Database, zone: string, letters: string) {
  const stored = { zone: zone.toLowerCase(), letters: readLetters(letters) };
  await db.transaction(async (connection) => {
    const { rowCount } = await connection.query(sql`
      update zone set letters = ${stored.letters} where name = ${stored.zone}`);
    if (rowCount === 0) {
      throw new CovermapError(
        'zone_unknown',
        `There is no zone ${zone}.`,
        'List them with: npm run admin -- zone list',
      );
    }
    await record(connection, commandActor, { action: 'zone_letters_changed', details: stored });
  });
  return stored;
}

function readLetters(text: string): string {
  const letters = new Set(text.normalize('NFC').toLowerCase());
  for (const letter of letters) {
    // In the middle, as a mark is not the first of a label.
    const label = readLabel(`a${letter}a`);
    if (isFault(label) || label.unicode !== `a${letter}a`) {
      throw new CovermapError(
        'letters_invalid',
        `"${letter}" is not a letter that a name can have besides a to z, digits and the hyphen.`,
        'Give the letters without anything between them, as in āēīōū.',
      );
    }
  }
  return [...letters].join('');
}
