import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { serviceActor } from '../access/actor.ts';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { importRegister } from '../registry/import.ts';

const sample = new URL('../samples/register.csv', import.meta.url);
const sampleName = 'samples/register.csv';

/** Imports the register of the samples, with dates of every state; again after an hour, unless another one was imported. */
export async function seedRegister(database: Database): Promise<void> {
  const { rows } = await database.query(sql`
    select from register_import
    where file_name <> ${sampleName} or imported_at > clock_timestamp() - interval '1 hour' limit 1`);
  if (rows[0]) return;
  const bytes = Buffer.from(datedRegister(await readFile(sample, 'utf8'), Date.now()));
  const outcome = await importRegister(
    database,
    { name: sampleName, size: bytes.length, chunks: Readable.from([bytes]) },
    { changesOnly: false, acceptGone: true, onProgress: () => undefined, actor: serviceActor },
  );
  if (outcome.state === 'refused') {
    const { line, message } = outcome.faults[0] as { line: number; message: string };
    throw new Error(`${sampleName}, line ${line}: ${message}`);
  }
}

/** The register with dates in place of the columns registered_days_ago and cancelled_days_ago. @param now ms since 1970 */
function datedRegister(text: string, now: number): string {
  const [, ...lines] = text.trim().split('\n');
  const date = (days: string | undefined) =>
    days ? new Date(Math.floor(now / 1000) * 1000 - Number(days) * 86_400_000).toISOString() : '';
  const dated = lines.map((line) => {
    const [domain, registered, cancelled] = line.split(',');
    return `${domain},${date(registered)},${date(cancelled)}\n`;
  });
  return `domain,registered,cancelled\n${dated.join('')}`;
}
