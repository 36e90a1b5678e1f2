import path from 'node:path';
import { type ManifestInput, parseManifest } from '../../coverage/submissions/manifest.ts';
import { submitLocalFile } from '../../coverage/submissions/submit.ts';
import { readerLimits } from '../../ingest/reader.ts';
import { type LoadTask, loadFile } from '../../ingest/rows/load.ts';
import type { Database } from '../../platform/database/database.ts';
import { keptScratch } from '../../platform/scratch.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { defaultManifest, type Place, providerNamed } from './service.ts';

/** Submits a file and loads it as a worker does, without what follows. @returns what came of it, and the submission's id */
export async function loadAlone(
  { config }: Place,
  database: Database,
  file: string,
  manifest: Partial<ManifestInput>,
  draw: LoadTask['draw'] = async () => undefined,
) {
  const name = path.basename(file);
  const described = parseManifest({ ...defaultManifest, provider: providerNamed('Loaded'), ...manifest });
  const known = { path: file, name };
  const { id } = await submitLocalFile(database, await openStorage(config), known, described);
  const { serviceArea, plausibility } = config;
  const limits = readerLimits(config);
  const own = { submissionId: id, scratchDir: keptScratch(config), onProgress: () => undefined, draw };
  const task = { ...own, file, name, manifest: described, serviceArea, limits, plausibility };
  return { id, ...(await loadFile(database, task)) };
}
