import { spawnSync } from 'node:child_process';
import { findOrInstall } from './debian.ts';

/** Debian's, whatever else is called python3 on the PATH: the modules are installed for this one. */
export const python = '/usr/bin/python3';

/** GDAL for Python, installed first where that can be done; undefined where it is there, else what is missing, in words. */
export function findOrInstallGdal(): string | undefined {
  const hasGdal = () =>
    spawnSync(python, ['-c', 'from osgeo import gdal, ogr, osr']).status === 0 || undefined;
  const found = findOrInstall(hasGdal, ['gdal-bin', 'python3-gdal'], 'GDAL and its Python module are');
  return found === true ? undefined : found;
}
