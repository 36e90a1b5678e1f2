import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** The files of a folder and its subfolders, in order, as relative paths. Follows symbolic links, but to each folder once. @throws as `readdir` */
export async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  const visited = new Set<string>();
  const visit = async (within: string): Promise<void> => {
    const place = path.join(folder, within);
    const real = await realpath(place);
    if (visited.has(real)) return;
    visited.add(real);
    for (const entry of await readdir(place, { withFileTypes: true })) {
      const name = path.join(within, entry.name);
      // A dangling link is reported when it is opened.
      const target = entry.isSymbolicLink() ? await stat(path.join(folder, name)).catch(() => entry) : entry;
      if (target.isDirectory()) await visit(name);
      else files.push(name);
    }
  };
  await visit('');
  return files.sort();
}
