import { archiveAllowance, openArchive } from './archive.ts';
import { FileError } from './errors.ts';
import { extensionOf, type FileEntry, type FileSet } from './file-set.ts';

/* Archives within an archive: a zipped KMZ, the zipped geodatabases of a portal's download. */

const maxNested = 200;

export const archivesIn = ({ entries }: FileSet) =>
  entries.filter(({ path }) => /^(zip|kmz)$/.test(extensionOf(path)));

/**
 * Opens the archives in a set, one level deep; paths begin with that of the archive. Closes `files` with it.
 * @returns undefined where the set has no archive
 * @throws FileError as {@link openArchive}, whose limits are for all archives together
 */
export async function openNestedArchives(files: FileSet): Promise<FileSet | undefined> {
  const archives = archivesIn(files);
  if (archives.length === 0) return undefined;
  if (archives.length > maxNested) {
    throw new FileError(
      'archive_too_large',
      `The archive holds ${archives.length} further archives; at most ${maxNested} are opened.`,
      'Put the files themselves into one archive, or submit the archives one by one.',
    );
  }
  const opened: FileSet[] = [files];
  const close = () => {
    for (const set of opened) set.close();
  };
  try {
    const allowance = archiveAllowance(archives.reduce((sum, { size }) => sum + size, 0));
    const entries: FileEntry[] = [];
    for (const archive of archives) {
      const inner = await openArchive(await archive.unpack(), files.scratch, allowance);
      opened.push(inner);
      for (const entry of inner.entries) entries.push({ ...entry, path: `${archive.path}/${entry.path}` });
    }
    return { entries, scratch: files.scratch, close };
  } catch (error) {
    for (const set of opened.slice(1)) set.close();
    throw error;
  }
}
