import { open, stat } from 'node:fs/promises';
import { bytesAt, firstBytes } from '../file-set.ts';

export interface Image {
  width: number;
  height: number;
  /** Rows from the top, a strip at a time: red in the lowest byte, then green, blue and alpha. */
  strips(): AsyncGenerator<{ y: number; height: number; pixels: Uint32Array }>;
}

const maxHeaderBytes = 4096;
const stripBytes = 16 * 1024 * 1024;
const opaque = 0xff000000;
/** Its kind, width, height and highest colour, with blanks and comments between. */
const header =
  /^P([56])(?:\s|#[^\n]*\n){1,999}(\d+)(?:\s|#[^\n]*\n){1,999}(\d+)(?:\s|#[^\n]*\n){1,999}(\d+)\s/;

/** Opens a raw 8 bit pixmap or greymap from SPLAT! (Netpbm, ppm(5) and pgm(5)); undefined for other files. @throws Error if truncated, or of more bits */
export async function openNetpbm(path: string): Promise<Image | undefined> {
  const found = header.exec((await firstBytes(path, maxHeaderBytes)).toString('latin1'));
  if (!found) return undefined;
  const [{ length: start }, kind, ...numbers] = found;
  const [width, height, max] = numbers.map(Number) as [number, number, number];
  const samples = kind === '6' ? 3 : 1;
  if (max !== 255) throw new Error(`its colours go to ${max}, not to 255`);
  if (width === 0 || height === 0 || start + samples * width * height > (await stat(path)).size)
    throw new Error('not as many pixels as it promises');
  return { width, height, strips: () => strips(path, start, width, height, samples) };
}

async function* strips(path: string, start: number, width: number, height: number, samples: number) {
  const handle = await open(path);
  try {
    const rowBytes = samples * width;
    const rows = Math.max(1, Math.floor(stripBytes / rowBytes));
    for (let y = 0; y < height; y += rows) {
      const count = Math.min(rows, height - y);
      const bytes = await bytesAt(handle, count * rowBytes, start + y * rowBytes);
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
