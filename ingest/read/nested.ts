import { IngestError } from '../errors.ts';
import { ArchiveAllowance, openArchive } from './archive.ts';
import { endingOf, type FileEntry, type FileSet } from './file-set.ts';

/*
 * Archives within an archive: a KMZ that was zipped to be sent by mail, the zipped geodatabases of a portal's download.
 */

/** More are no delivery of coverage. */
const mostNested = 200;

/**
 * What the archives among the files hold, as one set: the path of each file begins with that of its archive, so that
 * what lay together stays together. One level deep; archives in those are files like others. `files` is closed with it.
 * @returns undefined where none of the files is an archive
 * @throws IngestError as {@link openArchive} does; the limits are for all of them together
 */
export async function openNestedArchives(files: FileSet): Promise<FileSet | undefined> {
  const archives = files.entries.filter(({ path }) => /^(zip|kmz)$/.test(endingOf(path)));
  if (archives.length === 0) return undefined;
  if (archives.length > mostNested) {
    throw new IngestError(
      'archive_too_large',
      `The archive holds ${archives.length} further archives; at most ${mostNested} are opened.`,
      'Put the files themselves into one archive, or hand the archives in one by one.',
    );
  }
  const opened: FileSet[] = [files];
  const close = () => {
    for (const set of opened) set.close();
  };
  try {
    const allowance = new ArchiveAllowance(archives.reduce((sum, { size }) => sum + size, 0));
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
