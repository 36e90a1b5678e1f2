import { Readable } from 'node:stream';
import { commandActor } from '../../access/actor.ts';
import { parseManifest } from '../../coverage/submissions/manifest.ts';
import { recordSubmission } from '../../coverage/submissions/submit.ts';
import type { Database } from '../../platform/database/database.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { type Place, providerNamed } from './service.ts';
import { type TestTower, towerList } from './terrain.ts';

/** Submits towers for the service to model, without an API. @param said in the manifest @returns the submission's id */
export async function submitTowers(
  database: Database,
  { config }: Pick<Place, 'config'>,
  provider: string,
  towers: readonly TestTower[],
  said: object,
): Promise<string> {
  const { name, bytes } = towerList(towers);
  const stored = await (await openStorage(config)).store(name, Readable.from([bytes]));
  const own = { provider: providerNamed(provider), technology: 'wireless', processed_by: 'service' };
  const { id } = await recordSubmission(database, {
    file: { ...stored, name },
    manifest: parseManifest({ ...own, ...said }),
    ...{ kind: 'towers', actor: commandActor, again: true },
  });
  return id;
}
