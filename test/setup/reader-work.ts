import path from 'node:path';
import { readAsItIs } from '@covermap/coverage-files/test/source.ts';
import type { CoverageWork } from '../../ingest/messages.ts';
import { readConfig } from '../../platform/config.ts';
import { technologies } from './technologies.ts';

/** The reading of a file of fibre, whose attributes nobody has described. */
export function coverageWork(file: string, rules: Partial<CoverageWork['rules']> = {}): CoverageWork {
  return {
    ...{
      kind: 'coverage',
      file,
      name: path.basename(file),
      options: readAsItIs,
      crs: undefined,
      exclusions: [],
    },
    rules: {
      technology: 'fibre',
      technologies,
      today: '2026-11-22',
      availability: 'available',
      speeds: {},
      attributes: {},
      ...rules,
    },
    serviceArea: readConfig({}).serviceArea,
  };
}

/** Limits that nothing reaches. */
export const limits = { memoryMb: 1024, deadlineMs: 300_000, stalledMs: 300_000 };
