import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import yauzl from 'yauzl';
import { Damage, damageOf, type FaultCode, FileError } from './errors.ts';
import { extensionOf, type FileEntry, type FileSet, unpackTo } from './file-set.ts';
import { pulse } from './process/pulse.ts';

const maxEntries = 10_000;
const maxBytes = 20 * 2 ** 30;
/** Deflate's limit is 1:1032; coverage data stays below a tenth of that. */
const maxRatio = 200;
const ratioMattersFrom = 100 * 2 ** 20;

/** Compression methods of the zip format (APPNOTE 4.4.5). */
const stored = 0;
const deflated = 8;
const inflateChunk = 256 * 1024;

/** Limits what one or several archives may unpack to. The returned function counts, and throws `archive_too_large`. */
export function archiveAllowance(packedBytes: number): (unpackedBytes: number) => void {
  let entries = 0;
  let total = 0;
  return (bytes) => {
    entries++;
    total += bytes;
    const tooDense = total > ratioMattersFrom && total > packedBytes * maxRatio;
    if (entries <= maxEntries && total <= maxBytes && !tooDense) return;
    throw new FileError(
      'archive_too_large',
      `The archive unpacks to more than is accepted (${maxEntries} files, ${maxBytes / 2 ** 30} GiB, ${maxRatio} times its size).`,
    );
  };
}

/**
 * Opens a zip file. Files are unpacked under names of this project, so names in the archive do no harm.
 * @param allowance shared by several archives
 * @throws FileError `archive_empty`, `archive_damaged`, `archive_encrypted`, `archive_unsafe`, `archive_too_large`
 */
export async function openArchive(
  file: string,
  scratch: string,
  allowance?: ReturnType<typeof archiveAllowance>,
): Promise<FileSet> {
  let zip: yauzl.ZipFile;
  const entries: FileEntry[] = [];
  try {
    zip = await yauzl.openPromise(file, { lazyEntries: true, autoClose: false });
  } catch (error) {
    throw damaged(error, 'its list of files, which comes last in an archive, is missing or damaged');
  }
  try {
    const take = allowance ?? archiveAllowance(zip.fileSize);
    for await (const entry of zip.eachEntry()) {
      entry.fileName = nameOf(entry);
      if (entry.fileName.endsWith('/') || isResourceFork(entry.fileName)) continue;
      take(entry.uncompressedSize);
      if (isLink(entry)) {
        throw new FileError(
          'archive_unsafe',
          `The zip archive has a link, ${entry.fileName}, in place of a file.`,
        );
      }
      entries.push(fileEntry(zip, entry, file, scratch));
    }
  } catch (error) {
    zip.close();
    throw damaged(error, 'its list of files is damaged');
  }
  if (entries.length === 0) {
    zip.close();
    throw new FileError('archive_empty', 'The zip archive holds no files.');
  }
  return { entries, scratch, close: () => zip.close() };
}

/** The flag of names in UTF-8 (APPNOTE 4.4.4, bit 11), and the extra field with such a name (4.6.9). */
const utf8Flag = 0x800;
const unicodePath = 0x7075;

/**
 * The name of an entry, in NFC. Without the flag it is in code page 437 by the standard, but macOS writes UTF-8, with macrons as combining marks.
 * Letters of other encodings are UTF-8 by accident only.
 */
function nameOf({ fileName, fileNameRaw, generalPurposeBitFlag, extraFields }: yauzl.Entry): string {
  const isDeclared =
    (generalPurposeBitFlag & utf8Flag) !== 0 || extraFields.some(({ id }) => id === unicodePath);
  const name =
    isDeclared || !isUtf8(fileNameRaw) ? fileName : fileNameRaw.toString('utf8').replaceAll('\\', '/');
  return name.normalize('NFC');
}

let unpackedFiles = 0;

function fileEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string, scratch: string): FileEntry {
  let unpacked: Promise<string> | undefined;
  const read = () => readEntry(zip, entry, file);
  return {
    path: entry.fileName,
    size: entry.uncompressedSize,
    read,
    unpack() {
      const target = path.join(scratch, `unpacked-${++unpackedFiles}${safeExtension(entry.fileName)}`);
      unpacked ??= unpackTo({ read }, target).then(() => target);
      return unpacked;
    },
  };
}

/** A safe extension, for libraries that depend on it. */
function safeExtension(name: string): string {
  const extension = extensionOf(name);
  return /^[a-z0-9]{1,8}$/.test(extension) ? `.${extension}` : '';
}

async function* readEntry(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) {
    throw new FileError('archive_encrypted', `${entry.fileName} in the archive is encrypted.`);
  }
  let stream: Readable | undefined;
  try {
    stream = await openUnpacked(zip, entry, file);
    let checksum = 0;
    let size = 0;
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length;
      // The limits rely on the sizes in the archive.
      if (size > entry.uncompressedSize)
        throw new Damage(`${entry.fileName} is longer than the archive says`);
      checksum = zlib.crc32(chunk, checksum);
      pulse();
      yield chunk;
    }
    if (size < entry.uncompressedSize) throw new Damage(`${entry.fileName} is shorter than the archive says`);
    if (checksum !== entry.crc32) throw new Damage(`${entry.fileName} does not match its checksum`);
  } catch (error) {
    throw damaged(error, `${entry.fileName} in it cannot be unpacked`);
  } finally {
    stream?.destroy();
  }
}

/** Unpacks in larger chunks than yauzl, in two thirds of the time. Every stream allocates its chunk, so none is larger than the file. */
async function openUnpacked(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): Promise<Readable> {
  if (entry.compressionMethod !== deflated && entry.compressionMethod !== stored) {
    throw new FileError(
      'archive_method_unknown',
      `${entry.fileName} in the archive is packed in a way that cannot be read here (method ${entry.compressionMethod}).`,
    );
  }
  const { fileDataStart: start } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  // Replaces yauzl's own stream: if destroyed while it waits, that throws an uncatchable error.
  const raw: Readable =
    entry.compressedSize === 0
      ? Readable.from([])
      : createReadStream(file, {
          start,
          end: start + entry.compressedSize - 1,
          highWaterMark: Math.min(inflateChunk, entry.compressedSize),
        });
  if (entry.compressionMethod === stored) return raw;
  const inflate = zlib.createInflateRaw({
    chunkSize: Math.max(64, Math.min(inflateChunk, entry.uncompressedSize + 1)),
  });
  raw.on('error', (error) => inflate.destroy(error));
  inflate.on('close', () => raw.destroy());
  return raw.pipe(inflate);
}

/** Unix stores the file type in the upper half of the attributes (APPNOTE 4.4.15). */
const isLink = ({ externalFileAttributes }: yauzl.Entry) =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

/** Messages of yauzl about intact archives that are not supported. */
const notRead: [pattern: RegExp, code: FaultCode, message: string, hint?: string][] = [
  [
    /relative path|absolute path|invalid characters in fileName/,
    'archive_unsafe',
    'The zip archive has a file name that leads out of it.',
    'Make the archive again from within the folder that holds the files.',
  ],
  [/encrypt/i, 'archive_encrypted', 'The zip archive is encrypted.'],
  [
    /multi-disk/,
    'archive_damaged',
    'The zip archive is one part of several.',
    'Make one archive of all files, without splitting it.',
  ],
];

/** @param where the damaged part, unless the error is our own */
function damaged(error: unknown, where: string): unknown {
  if (error instanceof FileError) return error;
  const known = notRead.find(([pattern]) => pattern.test((error as Error).message));
  if (known) return new FileError(known[1], known[2], known[3]).causedBy(error);
  return new FileError(
    'archive_damaged',
    `The zip archive is damaged or was cut short: ${damageOf(error, where)}.`,
  ).causedBy(error);
}

/** Files that macOS adds beside each file, with the same extension. */
const isResourceFork = (path: string) => /(^|\/)(__MACOSX\/|\._)/.test(path);

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
