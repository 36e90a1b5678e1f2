import { createReadStream, createWriteStream, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pulse } from './pulse.ts';

/** A file that was handed in, by itself or in an archive. */
export interface FileEntry {
  /** With forward slashes, as the archive has it. Only a name: nothing is ever written to such a path. */
  path: string;
  /** Bytes once unpacked, as the archive says; reading fails where that is not so. */
  size: number;
  /** The unpacked bytes, checked against the archive's checksum at their end. Can be called again. */
  read(): AsyncGenerator<Uint8Array>;
  /**
   * Where the unpacked file lies on this machine, for libraries that need to seek in it. Unpacked into the scratch folder
   * when first asked for; whoever reads the file in removes that folder.
   */
  unpack(): Promise<string>;
}

/** What was handed in: the files of an archive, or the one file. */
export interface FileSet {
  entries: FileEntry[];
  /** A folder of this reading alone. */
  scratch: string;
  close(): void;
}

const chunkSize = 256 * 1024;

/** A file by itself, as a set of one. */
export function looseFile(file: string, name: string, scratch: string): FileSet {
  const entry: FileEntry = {
    path: path.basename(name),
    size: statSync(file).size,
    async *read() {
      for await (const chunk of createReadStream(file, { highWaterMark: chunkSize })) {
        pulse();
        yield chunk as Buffer;
      }
    },
    unpack: async () => file,
  };
  return { entries: [entry], scratch, close: () => undefined };
}

/** Writes the unpacked bytes of a file to a path of our choosing. */
export async function unpackTo(entry: Pick<FileEntry, 'read'>, target: string): Promise<void> {
  await pipeline(Readable.from(entry.read()), createWriteStream(target, { flags: 'wx' }));
}

/** The ending of a file's name in lower case, without the dot. */
export function endingOf(name: string): string {
  return path.posix.extname(name).slice(1).toLowerCase();
}
