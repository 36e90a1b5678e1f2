import type { Bounds } from '../core/config.ts';
import type { InspectedLayer } from '../core/coverage/submissions/inspection.ts';
import type { Database } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import { liesOutside, rasterOutside } from './extent.ts';
import type { LoadTask } from './load.ts';
import type { Inspection } from './messages.ts';
import { readFile } from './reader.ts';
import { isNoPlaceInDegrees, referenceSystemChoices, referenceSystems } from './reference-system.ts';

type FileInspection = Inspection<InspectedLayer>;

/**
 * Inspects an uploaded file: its layers, their attributes, and what of a manifest it says itself.
 * @throws IngestError where it can be read neither as coverage nor as towers
 */
export async function inspectFile(
  database: Database,
  task: Pick<LoadTask, 'file' | 'name' | 'serviceArea' | 'limits' | 'signal'>,
): Promise<FileInspection> {
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
  return placed(database, found, serviceArea);
}

/** With the reference systems of the layers, and what these say of where the layers lie. */
async function placed(
  database: Database,
  { layers, ...found }: Inspection,
  serviceArea: Bounds,
): Promise<FileInspection> {
  let { manifest, warnings } = found;
  const named: FileInspection['layers'] = [];
  const elsewhere: Inspection['warnings'] = [];
  const systemOf = referenceSystems(database, serviceArea);
  for (const { definition, positions, extent, ...layer } of layers) {
    const system =
      definition === undefined
        ? undefined
        : await systemOf(definition).catch((error) => {
            if (!(error instanceof IngestError)) throw error;
            warnings.push({ code: error.code, message: error.message });
          });
    // Impossible degrees are as good as no reference system.
    if (system && (system.projected || positions.length === 0 || !positions.every(isNoPlaceInDegrees))) {
      named.push({ ...layer, reference_system: system.name });
    } else {
      const choices = await referenceSystemChoices(database, positions, serviceArea);
      named.push({ ...layer, reference_system: null, reference_system_choices: choices });
    }
    if (system && extent && (await liesOutside(database, system, extent, serviceArea))) {
      const { code, message } = rasterOutside(layer.name, system);
      elsewhere.push({ code, message });
    }
  }
  // Outside the service area, nobody needs to say what pixels mean.
  if (elsewhere.length > 0 && elsewhere.length === layers.length) {
    const { classes: _, ...rest } = manifest;
    manifest = rest;
    warnings = warnings.filter(({ code }) => code !== 'classes_needed');
  }
  return { ...found, layers: named, manifest, warnings: [...warnings, ...elsewhere] };
}
