import { createWriteStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import { CovermapError } from '../platform/errors.ts';
import { makeScratch, removeScratch } from '../platform/scratch.ts';

/** The file itself, or for the folder of a geodatabase a zip that `remove` deletes. @throws CovermapError `usage` for another folder */
export async function asOneFile(given: string) {
  const found = await stat(given).catch(() => undefined);
  const name = path.basename(given);
  if (!found?.isDirectory()) return { path: given, name, remove: async () => undefined };
  const files = (await readdir(given, { withFileTypes: true })).filter((entry) => entry.isFile());
  if (!files.some((entry) => /\.gdbtable$/i.test(entry.name))) {
    const hint = 'Name a file; put files that belong together into one zip.';
    throw new CovermapError('usage', `${given} is a folder, and no file geodatabase (.gdb).`, hint);
  }
  const folder = await makeScratch();
  const target = path.join(folder, `${name}.zip`);
  const zip = new yazl.ZipFile();
  for (const { name: file } of files)
    zip.addFile(path.join(given, file), `${name}/${file}`, { compress: false });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(target));
  return { path: target, name: `${name}.zip`, remove: () => removeScratch(folder) };
}
