import { open } from 'node:fs/promises';

export interface Image {
  width: number;
  height: number;
  /** Rows from the top, a strip at a time: red in the lowest byte, then green, blue and alpha. */
  strips(): AsyncGenerator<{ y: number; height: number; pixels: Uint32Array }>;
}

/** Bytes of the header, comments included, that are looked at. */
const maxHeaderBytes = 4096;
/** Bytes of pixels that are read at a time. */
const stripBytes = 16 * 1024 * 1024;
const opaque = 0xff000000;

/**
 * Opens a portable pixmap or greymap of 8 bits, as SPLAT! writes its maps (Netpbm, ppm(5) and pgm(5), "raw"); undefined for other files.
 * @throws Error where it is not whole, or of more bits
 */
export async function openNetpbm(path: string): Promise<Image | undefined> {
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxHeaderBytes), 0, maxHeaderBytes, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    const found =
      /^P(?<kind>[56])(?:\s|#[^\n]*\n){1,999}(?<width>\d+)(?:\s|#[^\n]*\n){1,999}(?<height>\d+)(?:\s|#[^\n]*\n){1,999}(?<max>\d+)\s/.exec(
        head,
      );
    if (!found?.groups) return undefined;
    const { kind, max } = found.groups;
    const width = Number(found.groups.width);
    const height = Number(found.groups.height);
    const start = found[0].length;
    const samples = kind === '6' ? 3 : 1;
    if (max !== '255') throw new Error(`its colours go to ${max}, not to 255`);
    if (width === 0 || height === 0 || start + samples * width * height > (await handle.stat()).size)
      throw new Error('not as many pixels as it promises');
    return { width, height, strips: () => strips(path, start, width, height, samples) };
  } finally {
    await handle.close();
  }
}

async function* strips(
  path: string,
  start: number,
  width: number,
  height: number,
  samples: number,
): ReturnType<Image['strips']> {
  const handle = await open(path);
  try {
    const rowBytes = samples * width;
    const rows = Math.max(1, Math.floor(stripBytes / rowBytes));
    for (let y = 0; y < height; y += rows) {
      const count = Math.min(rows, height - y);
      const bytes = Buffer.alloc(count * rowBytes);
      await handle.read(bytes, 0, bytes.length, start + y * rowBytes);
      const pixels = new Uint32Array(width * count);
      for (let i = 0, at = 0; i < pixels.length; i++, at += samples) {
        const red = bytes[at] as number;
        const green = samples === 3 ? (bytes[at + 1] as number) : red;
        const blue = samples === 3 ? (bytes[at + 2] as number) : red;
        pixels[i] = opaque | (blue << 16) | (green << 8) | red;
      }
      yield { y, height: count, pixels };
    }
  } finally {
    await handle.close();
  }
}
