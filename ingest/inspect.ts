import type { Database } from '../core/database/database.ts';
import type { LoadTask } from './load.ts';
import type { Inspection } from './messages.ts';
import { readFile } from './reader.ts';

/**
 * Inspects an uploaded file: its layers, their attributes, and what of a manifest it says itself.
 * @throws IngestError where it can be read neither as coverage nor as towers
 */
export async function inspectFile(
  database: Database,
  task: Pick<LoadTask, 'file' | 'name' | 'serviceArea' | 'limits' | 'signal'>,
): Promise<Inspection> {
  const { file, name, serviceArea, limits, signal } = task;
  const { rows: technologies } = await database.query<{ name: string; label: string }>(
    'select name, label from technology',
  );
  const work = { kind: 'inspection' as const, file, name, technologies, serviceArea };
  let found: Inspection | undefined;
  for await (const message of readFile(work, limits, signal)) {
    if (message.type === 'inspection') found = message.found;
  }
  if (!found) throw new Error('the reader ended without a result');
  return found;
}
