import { type Manifest, parseManifest } from './manifest.ts';

/** What an inspection says, as far as it can leave questions open; docs/operator-api.md has all of it. */
export interface InspectedFile {
  kind: 'coverage' | 'towers';
  layers: { reference_system: string | null }[];
  manifest: { attributes?: Record<string, unknown>; [field: string]: unknown };
  speeds_missing: string[];
  warnings: { code: string }[];
  towers: { count: number } | null;
}

/**
 * What was said of a file before it was whole, together with what the file says itself; undefined where something has
 * still to be asked. What somebody said counts before the file.
 */
export function withInspection(answers: Manifest, inspection: InspectedFile): Manifest | undefined {
  const { kind, layers, manifest: found, speeds_missing, warnings, towers } = inspection;
  if (kind === 'towers') {
    return answers.processed_by === 'service' && towers && towers.count > 0 ? answers : undefined;
  }
  const codes = warnings.map(({ code }) => code);
  if (codes.includes('outside_service_area')) return undefined;
  if (codes.includes('classes_needed') && !answers.classes) return undefined;
  if (answers.crs === undefined && layers.some((layer) => layer.reference_system === null)) return undefined;
  const isSaid = (speed: string) => answers.speeds[speed as keyof typeof answers.speeds] !== undefined;
  if (!answers.classes && !answers.tiers && !speeds_missing.every(isSaid)) return undefined;
  // A speed that somebody said of everywhere: a field of the file is not used for it then.
  const overruled = Object.fromEntries(Object.keys(answers.speeds).map((speed) => [speed, null]));
  return parseManifest({
    ...found,
    ...answers,
    attributes: { ...found.attributes, ...overruled, ...answers.attributes },
  });
}
