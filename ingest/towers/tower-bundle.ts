import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { openArchive } from '@covermap/coverage-files/archive.ts';
import { extensionOf, firstBytes, unpackTo } from '@covermap/coverage-files/file-set.ts';
import { isPatternFile, maxPatternBytes } from '@covermap/propagation/msi.ts';
import { IngestError } from '../errors.ts';

/* A list of towers alone, or in a zip archive with the antenna patterns that it names. */

const lists = ['csv', 'json', 'geojson'];
/** Read as a list only if there is no other, as it may be a readme. */
const texts = ['txt'];
/** Names that are safe in a folder. */
const plainName = /^[\w .()+-]{1,100}$/;
const maxPatterns = 1000;
const maxListBytes = 32 * 1024 * 1024;

/** The reason why a file is no pattern of an archive. @param before the names of others, in lower case */
function reasonAgainst(name: string, size: number, before: ReadonlySet<string>): string | undefined {
  if (before.has(name.toLowerCase())) return 'another has its name; upper and lower case are the same';
  if (!plainName.test(name))
    return 'its name has more than letters, digits, spaces and . _ - + ( ), or more than 100 of them';
  if (size > maxPatternBytes) return `it is larger than ${maxPatternBytes / 1024 / 1024} MB`;
  return before.size < maxPatterns ? undefined : `an archive has up to ${maxPatterns} of them`;
}

/**
 * @returns the path of the list, and of a folder of pattern files under their own names, which may be empty
 * @throws IngestError `towers_unreadable` where an archive has no list, `tower_lists_several`, `pattern_unusable`, or an error of archives
 */
export async function openTowerBundle(file: string, scratch: string) {
  const folder = path.join(scratch, 'patterns');
  await mkdir(folder, { recursive: true });
  if ((await firstBytes(file, 4)).toString('latin1') !== 'PK\u0003\u0004')
    return { list: file, patterns: folder };
  const archive = await openArchive(file, scratch);
  try {
    const withEnding = (endings: string[]) =>
      archive.entries.filter((entry) => endings.includes(extensionOf(entry.path)));
    const listFiles = withEnding(lists);
    const found = listFiles.length > 0 ? listFiles : withEnding(texts);
    const [list] = found;
    if (found.length > 1) throw new IngestError('tower_lists_several');
    if (!list || list.size > maxListBytes) {
      const what = list ? 'a list that is too large' : 'no list';
      const message = `The archive holds ${what} of towers: one .csv or .geojson is needed.`;
      throw new IngestError('towers_unreadable', message);
    }
    const names = new Set<string>();
    for (const entry of archive.entries) {
      const name = path.posix.basename(entry.path);
      if (!isPatternFile(name)) continue;
      const reason = reasonAgainst(name, entry.size, names);
      if (reason !== undefined) {
        const message = `The antenna pattern ${name} cannot be used: ${reason}.`;
        throw new IngestError(
          'pattern_unusable',
          message,
          'Make the archive again without it, or with it mended.',
        );
      }
      names.add(name.toLowerCase());
      await unpackTo(entry, path.join(folder, name));
    }
    return { list: await list.unpack(), patterns: folder };
  } finally {
    archive.close();
  }
}
