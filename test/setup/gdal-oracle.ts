import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ManifestInput } from '../../coverage/submissions/manifest.ts';
import { python } from './gdal.ts';

const folder = path.join(import.meta.dirname, '../oracle');

/** A file that GDAL wrote, and what PROJ and GEOS say of points in it. */
export interface OracleCase {
  name: string;
  driver: string;
  system: string;
  file: string;
  manifest: Partial<ManifestInput>;
  raster: boolean;
  points: [lng: number, lat: number, covered: boolean][];
}

/**
 * Writes the files of test/oracle/cases.jsonl.
 * @param target an empty folder
 * @param names only these of them
 */
export function makeOracleCases(target: string, names: readonly string[] = []): OracleCase[] {
  const script = [path.join(folder, 'make-cases.py'), path.join(folder, 'cases.jsonl'), target, ...names];
  const { status, stderr } = spawnSync(python, script, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`the cases could not be made: ${stderr}`);
  const cases = JSON.parse(readFileSync(path.join(target, 'expected.json'), 'utf8')) as OracleCase[];
  return cases.map((one) => ({ ...one, file: path.join(target, one.file) }));
}

/** A reference system that PROJ knows, and where it says that positions in it lie. */
export interface OracleSystem {
  code: string;
  name: string;
  /** By dialect. */
  definitions: Record<string, string>;
  /** None where PROJ cannot use it. */
  positions: [x: number, y: number, lng: number, lat: number][];
}

/** Every system of New Zealand that PROJ knows. */
export function listSystems(): OracleSystem[] {
  const script = [path.join(folder, 'list-systems.py')];
  const { status, stdout, stderr } = spawnSync(python, script, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`the systems could not be listed: ${stderr}`);
  return JSON.parse(stdout) as OracleSystem[];
}
