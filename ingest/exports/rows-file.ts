import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { wholeLines } from '../../platform/text-chunks.ts';

/*
 * What an export reads from the database, on its way to the process that writes the file: areas, each as the index of its tier and its length (two
 * unsigned numbers of 32 bits, little-endian) and its WKB; premises as lines of JSON.
 */

const headBytes = 8;
/** Of one address with its ids of other systems. */
const maxLineBytes = 1024 * 1024;

/** An address: its tier's index, id, text, ids of other systems, latitude and longitude in degrees. */
export type PremisesRow = [
  tier: number,
  id: string,
  address: string,
  aliases: string,
  lat: number,
  lng: number,
];

/** A new file, written as fast as the disk takes it. @throws errors of the disk */
export function rowsFile(file: string) {
  const stream = createWriteStream(file, { flags: 'wx' });
  const ended = finished(stream);
  ended.catch(() => undefined);
  const write = async (bytes: Uint8Array | string) => {
    if (stream.errored) throw stream.errored;
    if (!stream.write(bytes)) await Promise.race([once(stream, 'drain'), ended]);
  };
  return {
    areas: (tier: number, areas: readonly Uint8Array[]) =>
      write(
        Buffer.concat(
          areas.flatMap((wkb) => {
            const head = Buffer.alloc(headBytes);
            head.writeUInt32LE(tier, 0);
            head.writeUInt32LE(wkb.length, 4);
            return [head, wkb];
          }),
        ),
      ),
    premises: (rows: readonly PremisesRow[]) => write(rows.map((row) => `${JSON.stringify(row)}\n`).join('')),
    async end() {
      stream.end();
      await ended;
    },
    /** Ends it, complete or not. */
    close: () => void stream.destroy(),
  };
}

export async function* areasIn(file: string): AsyncGenerator<{ tier: number; wkb: Uint8Array }> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : (chunk as Buffer);
    let at = 0;
    while (at + headBytes <= bytes.length) {
      const end = at + headBytes + bytes.readUInt32LE(at + 4);
      if (end > bytes.length) break;
      yield { tier: bytes.readUInt32LE(at), wkb: bytes.subarray(at + headBytes, end) };
      at = end;
    }
    rest = bytes.subarray(at);
  }
}

export async function* premisesIn(file: string): AsyncGenerator<PremisesRow[]> {
  const tooLong = () => new Error('a line of premises is too long');
  for await (const lines of wholeLines(createReadStream(file), maxLineBytes, tooLong))
    yield lines.map((line) => JSON.parse(line));
}
