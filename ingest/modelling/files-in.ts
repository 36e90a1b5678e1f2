import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** The files of a folder and of those within, in order, as paths in it. Symbolic links are followed, but to each folder once. @throws as `readdir` does */
export async function filesIn(folder: string): Promise<string[]> {
  const files: string[] = [];
  const seen = new Set<string>();
  const look = async (within: string): Promise<void> => {
    const place = path.join(folder, within);
    const real = await realpath(place);
    if (seen.has(real)) return;
    seen.add(real);
    for (const entry of await readdir(place, { withFileTypes: true })) {
      const name = path.join(within, entry.name);
      // Of a link to nothing is told when it is opened.
      const target = entry.isSymbolicLink() ? await stat(path.join(folder, name)).catch(() => entry) : entry;
      if (target.isDirectory()) await look(name);
      else files.push(name);
    }
  };
  await look('');
  return files.sort();
}
