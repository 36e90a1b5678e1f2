import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type FaultCode, FileError } from './errors.ts';
import { pulse } from './process/pulse.ts';

/** An uploaded file, by itself or in an archive. */
export interface FileEntry {
  /** With forward slashes, as in the archive. Only a name: nothing is written to such a path. */
  path: string;
  /** Unpacked bytes according to the archive; reading fails if it is wrong. */
  size: number;
  /** The unpacked bytes; the archive's checksum is verified at the end. Can be called again. */
  read(): AsyncGenerator<Uint8Array>;
  /** The path of the unpacked file, for libraries that seek. Unpacked into the scratch folder on first use. */
  unpack(): Promise<string>;
}

/** The files of an archive, or the one file. */
export interface FileSet {
  entries: FileEntry[];
  /** A folder of this reading alone, removed by the caller. */
  scratch: string;
  close(): void;
}

const chunkSize = 256 * 1024;

export const looseFile = (file: string, name: string, scratch: string): FileSet => ({
  entries: [looseEntry(file, name)],
  scratch,
  close: () => undefined,
});

/** A file on this machine under another name. */
export function looseEntry(file: string, name: string): FileEntry {
  const { size } = statSync(file);
  async function* read() {
    for await (const chunk of readChunks(file, size, chunkSize)) {
      pulse();
      yield chunk;
    }
  }
  return { path: path.basename(name), size, read, unpack: async () => file };
}

/** Reads a file in chunks, none larger than the file: every stream allocates its chunk. */
export function readChunks(file: string, size: number, chunk: number): AsyncIterable<Buffer> {
  return createReadStream(file, { highWaterMark: Math.max(1, Math.min(chunk, size)) });
}

/** Writes a file's bytes, or converted ones, to a path of our own. */
export async function unpackTo(entry: { read(): AsyncIterable<Uint8Array> }, target: string): Promise<void> {
  await pipeline(Readable.from(entry.read()), createWriteStream(target, { flags: 'wx' }));
}

/** The extension of a file's name in lower case, without the dot. */
export const extensionOf = (name: string) => path.posix.extname(name).slice(1).toLowerCase();

const byPath = new WeakMap<FileSet, Map<string, FileEntry>>();

/** The file beside another with the first of the extensions, in any case: `name.ending` or `name.tif.ending`. */
export function beside(
  files: FileSet,
  entry: FileEntry,
  extensions: readonly string[],
): FileEntry | undefined {
  const keyOf = (file: string) => path.posix.normalize(file).normalize('NFC').toLowerCase();
  let known = byPath.get(files);
  if (!known) {
    // The first of equal names counts.
    known = new Map(files.entries.toReversed().map((one) => [keyOf(one.path), one]));
    byPath.set(files, known);
  }
  const stems = [entry.path.slice(0, -path.posix.extname(entry.path).length || undefined), entry.path];
  for (const ending of extensions) {
    for (const stem of stems) {
      const found = known.get(keyOf(`${stem}.${ending}`));
      if (found) return found;
    }
  }
  return undefined;
}

/** The first bytes of a local file, or bytes from a position; fewer at its end. */
export async function firstBytes(file: string, length: number, position = 0): Promise<Buffer> {
  const handle = await open(file);
  try {
    return await bytesAt(handle, length, position);
  } finally {
    await handle.close();
  }
}

/** Bytes of an open file from a position; fewer at its end. */
export async function bytesAt(handle: FileHandle, length: number, position: number) {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** The text of a small companion file, in UTF-8, or in UTF-16 with a byte order mark. Longer ones throw the code. */
export async function readText(
  entry: FileEntry,
  maxBytes = 64 * 1024,
  code: FaultCode = 'side_file_too_long',
) {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of entry.read()) {
    size += chunk.length;
    if (size > maxBytes) throw new FileError(code, `${entry.path} is far too long for what it is.`);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  const mark = bytes.toString('hex', 0, 2);
  return new TextDecoder(mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8').decode(bytes);
}
