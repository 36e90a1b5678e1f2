import { open } from 'node:fs/promises';
import type { GeoTIFFImage } from 'geotiff';
import { Damage, exportAgain } from '../errors.ts';

export class TiffError extends Damage {}

/** An unsupported compression or layout of samples. */
export class TiffNotSupported extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

const contradictory = 'what it says of itself does not fit together';

/** Images in one file: the data, its mask, its overviews and theirs. */
const maxImages = 64;

export type TiffFile = Awaited<ReturnType<typeof openTiffFile>>;

/** Opens a TIFF or BigTIFF file with the `geotiff` package, which gets no bytes beyond its end. @throws TiffError */
export async function openTiffFile(path: string) {
  // Imported if needed: it would be a tenth of the start of every reading.
  const { GeoTIFF } = await import('geotiff');
  const handle = await open(path);
  try {
    const { size: fileSize } = await handle.stat();
    /** @throws TiffError if the file ends before */
    const read = async (offset: number, length: number) => {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await handle.read(bytes, 0, length, offset);
      if (bytesRead < length) throw new TiffError('it ends early');
      return bytes;
    };
    /** The package asks for as much as a directory might take: what is not there, it fails to read. */
    const fetchSlice = async ({ offset, length }: { offset: number; length: number }) => {
      if (!(offset >= 0 && offset < fileSize)) throw new TiffError('it ends early');
      const bytes = await read(offset, Math.min(length, fileSize - offset));
      return { data: bytes.buffer, offset, length: bytes.length };
    };
    const source = {
      ...{ fileSize, fetchSlice, close: () => handle.close() },
      fetch: (slices: { offset: number; length: number }[]) =>
        Promise.all(slices.map(async (slice) => (await fetchSlice(slice)).data)),
    };
    const file = await byPackage(GeoTIFF.fromSource(source), 'it does not begin as a TIFF file does');
    return {
      /** Its images, in order. @throws TiffError */
      async images(): Promise<TiffImage[]> {
        const found: TiffImage[] = [];
        while (found.length < maxImages) {
          try {
            const image = await byPackage(file.getImage(found.length).catch(ofUnknownType), contradictory);
            found.push({ ...valuesOf(image), image, read, fileSize, littleEndian: file.littleEndian });
          } catch (error) {
            // Only the first one must be complete; the package has no other sign of the last.
            if (found.length > 0 && error instanceof TiffError) break;
            throw error;
          }
        }
        return found;
      },
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** TIFF 6.0 (section 2) has readers pass over fields of types that they do not know. The package does not. */
function ofUnknownType(error: unknown): never {
  const { message } = error as Error;
  if (/^Invalid planar configuration/.test(message))
    throw new TiffNotSupported('a field of its directory has a value that is not read here', exportAgain);
  if (!/^Invalid field type/.test(message)) throw error;
  throw new TiffNotSupported('a field of its directory is of a type that is not read here', exportAgain);
}

/** Translates what the package throws, errors and texts, to {@link TiffError}. */
export const byPackage = <T>(work: Promise<T>, why: string): Promise<T> =>
  work.catch((error) => {
    const isKnown =
      error instanceof Damage ||
      error instanceof TiffNotSupported ||
      (error instanceof Error && 'code' in error);
    throw isKnown ? error : new TiffError(why, { cause: error });
  });

export interface TiffImage extends ReturnType<typeof valuesOf> {
  image: GeoTIFFImage;
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
  fileSize: number;
  littleEndian: boolean;
}

/** The values that describe one image, by tag. All that read throw TiffError. */
function valuesOf({ fileDirectory }: GeoTIFFImage) {
  const value = (tag: number): Promise<unknown> => byPackage(fileDirectory.loadValue(tag), contradictory);

  /** The values of a tag, at most the first `max` of them. */
  async function numbers(tag: number, max = Infinity): Promise<Float64Array | undefined> {
    const found = await value(tag);
    if (typeof found === 'number') return Float64Array.of(found);
    const isList = Array.isArray(found) || (ArrayBuffer.isView(found) && 'subarray' in found);
    return isList ? Float64Array.from((found as number[]).slice(0, max)) : undefined;
  }

  async function text(tag: number): Promise<string | undefined> {
    const found = await value(tag);
    return found instanceof Uint8Array ? new TextDecoder('utf-8').decode(found) : found?.toString();
  }

  return {
    ...{ numbers, text },
    has: (tag: number) => fileDirectory.hasTag(tag),
    /** The first value of a tag. */
    number: async (tag: number): Promise<number | undefined> => (await numbers(tag, 1))?.[0],
  };
}
