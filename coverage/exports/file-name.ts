import { today } from '../../platform/nz-time.ts';
import type { CoverageExport } from './exports.ts';

const maxNameLength = 60;

/** The name of an export's file, in any script: `kauri-fibre-all-2026-05-01.gpkg`. */
export function exportFileName({
  provider,
  technology,
  day,
  format,
}: Pick<CoverageExport, 'provider' | 'technology' | 'day' | 'format'>): string {
  const words = provider.name
    .normalize('NFC')
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]/u)
    .filter((word) => word !== '');
  const name = [...words.join('-')].slice(0, maxNameLength).join('') || 'coverage';
  const what = format === 'csv' ? 'premises' : 'coverage';
  return `${name}-${technology ?? 'all'}-${what}-${day ?? today()}.${format === 'geopackage' ? 'gpkg' : 'zip'}`;
}
