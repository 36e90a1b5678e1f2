import { spawnSync } from 'node:child_process';
import { installDebianPackages } from './debian.ts';

const debianPackages = ['gdal-bin', 'python3-gdal'];
/** Debian's, whatever else is called python3 on the PATH: the modules are installed for this one. */
export const python = '/usr/bin/python3';

/** GDAL for Python, installed first where that can be done; undefined where it is there, else what is missing, in words. */
export function findOrInstallGdal(): string | undefined {
  if (hasGdal()) return undefined;
  const refusal = installDebianPackages(debianPackages, 'GDAL and its Python module are');
  if (refusal) return refusal;
  return hasGdal() ? undefined : `apt-get could not install ${debianPackages.join(' and ')}`;
}

function hasGdal(): boolean {
  return spawnSync(python, ['-c', 'from osgeo import gdal, ogr, osr']).status === 0;
}
