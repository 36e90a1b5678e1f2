import { stat } from 'node:fs/promises';
import path from 'node:path';
import { filesIn } from '@covermap/propagation/files-in.ts';
import type { ElevationModel, UnusableModel } from '@covermap/propagation/terrain.ts';
import { IngestError } from '../errors.ts';
import { type ReaderLimits, readResult } from '../reader.ts';

/* The elevation models of a folder. A process reads them once, and again when files are added, removed or changed. */

/** The max files whose stamps are read; a model has few files beside it. */
const maxFiles = 50_000;

/** `state`: the stamps of all files. */
let known: { folder: string; state: string; models: Promise<ElevationModel[]> } | undefined;

/** The models of a folder, each with a stamp of its file. @param report called once with unusable files @throws as `readResult` */
export async function terrainModels(
  folder: string,
  limits: ReaderLimits,
  report: (unusable: readonly UnusableModel[]) => void = () => undefined,
): Promise<ElevationModel[]> {
  const stamps = await stampsOf(folder);
  const state = JSON.stringify([...stamps]);
  if (known?.folder !== folder || known.state !== state) {
    // Concurrent requests wait for the same promise.
    const work = { kind: 'terrain' as const, file: folder, measured: 0 };
    const models = readResult(work, limits).then((listed) => {
      if (listed.unusable.length > 0) report(listed.unusable);
      return listed.models.map((model) => ({ ...model, stamp: stamps.get(stemOf(model.name)) ?? '' }));
    });
    const index = { folder, state, models };
    known = index;
    models.catch(() => {
      if (known === index) known = undefined;
    });
  }
  return known.models;
}

/** A model's name without extension; that of a file beside it, such as an overview or an .aux.xml, is the same. */
const stemOf = (name: string) =>
  name.replace(/(?:\.aux\.xml|\.ovr|\.msk){1,3}$/i, '').replace(/\.[^./]*$/, '');

/** The names, sizes and times of a model and of the files beside it, by its stem. */
async function stampsOf(folder: string): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  const names = await filesIn(folder).catch((error) => {
    const message = `The folder ${folder} cannot be read: ${(error as Error).message}`;
    throw new IngestError('terrain_unusable', message);
  });
  for (const name of names.slice(0, maxFiles)) {
    const found = await stat(path.join(folder, name)).catch(() => undefined);
    const before = stamps.get(stemOf(name)) ?? '';
    if (found) stamps.set(stemOf(name), `${before}${path.extname(name)} ${found.size} ${found.mtimeMs} `);
  }
  return stamps;
}
