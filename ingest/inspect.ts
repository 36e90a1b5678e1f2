import type { Bounds } from '../core/config.ts';
import type { Database } from '../core/database/database.ts';
import { IngestError } from './errors.ts';
import type { InspectedLayer, Inspection } from './messages.ts';
import { type ReaderLimits, readFile } from './reader.ts';
import { resolveReferenceSystem } from './reference-system.ts';
import { readTowers } from './towers.ts';

/** What is in a file, for the form that describes it; the fields are described in docs/operator-api.md. */
export interface FileInspection {
  kind: 'coverage' | 'towers';
  layers: (Omit<InspectedLayer, 'definition'> & { reference_system: string | null })[];
  manifest: Inspection['manifest'];
  speeds_missing: string[];
  warnings: Inspection['warnings'];
  towers: { count: number; problems: string[] } | null;
}

const noTowers = ['towers_unreadable', 'tower_columns_missing', 'towers_too_many'];

/**
 * Looks into a file that nobody has described: its layers, their attributes, and what of a manifest it says itself.
 * @param file a path on this machine
 * @param name what the file was called where it came from
 * @throws IngestError where it can be read neither as coverage nor as towers
 */
export async function inspectFile(
  database: Database,
  {
    file,
    name,
    serviceArea,
    limits,
    signal,
  }: { file: string; name: string; serviceArea: Bounds; limits: ReaderLimits; signal?: AbortSignal },
): Promise<FileInspection> {
  let unreadable: unknown;
  try {
    const found = await look(database, file, name, limits, signal);
    if (!found.onlyPoints) return await asCoverage(database, found, serviceArea);
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    unreadable = error;
  }
  const towers = await asTowers(file, serviceArea);
  if (towers) return towers;
  throw unreadable ?? noAreas();
}

async function look(
  database: Database,
  file: string,
  name: string,
  limits: ReaderLimits,
  signal: AbortSignal | undefined,
): Promise<Inspection> {
  const { rows: technologies } = await database.query<{ name: string; label: string }>(
    'select name, label from technology',
  );
  const rules = { availability: 'available' as const, speeds: {}, attributes: {}, technologies };
  const reading = {
    file,
    name,
    options: { layers: undefined, classes: undefined, smoothing: false },
    rules: { ...rules, technology: undefined, planned_date: undefined, tiers: undefined, classes: undefined },
    mostCrossings: undefined,
    inspect: true,
  };
  for await (const message of readFile(reading, limits, signal)) {
    if (message.type === 'inspection') return message.inspection;
  }
  throw new Error('the reader thread ended without a word of what it saw');
}

async function asCoverage(
  database: Database,
  { layers, manifest, speedsMissing, warnings }: Inspection,
  serviceArea: Bounds,
): Promise<FileInspection> {
  const named: FileInspection['layers'] = [];
  for (const { definition, ...layer } of layers) {
    const system =
      definition === undefined
        ? undefined
        : await resolveReferenceSystem(database, definition, serviceArea).catch((error) => {
            if (!(error instanceof IngestError)) throw error;
            warnings.push({ code: error.code, message: error.message });
          });
    named.push({ ...layer, reference_system: system?.name ?? null });
  }
  return {
    kind: 'coverage',
    layers: named,
    manifest,
    speeds_missing: speedsMissing,
    warnings,
    towers: null,
  };
}

async function asTowers(file: string, serviceArea: Bounds): Promise<FileInspection | undefined> {
  const shell = {
    kind: 'towers' as const,
    layers: [],
    manifest: { technology: 'wireless' },
    speeds_missing: [],
    warnings: [],
  };
  try {
    const towers = await readTowers(file, {}, serviceArea);
    return { ...shell, towers: { count: towers.length, problems: [] } };
  } catch (error) {
    if (!(error instanceof IngestError) || noTowers.includes(error.code)) return undefined;
    return { ...shell, towers: { count: 0, problems: [error.message] } };
  }
}

function noAreas(): IngestError {
  return new IngestError(
    'no_areas',
    'The file holds points or lines, and no areas.',
    'Hand in the areas that are covered; or tower data with the columns that are needed.',
  );
}
