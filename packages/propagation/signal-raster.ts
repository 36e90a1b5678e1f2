import sharp from 'sharp';
import type { Grid, SignalRows } from './grid-file.ts';

/** Reads the GeoTIFF of a prediction's signal (`writeSignal`) into memory: 4 bytes a pixel. @param grid its own, to the last bit */
export async function readSignal(file: string, grid: Grid): Promise<SignalRows> {
  const { data, info } = await sharp(file, { limitInputPixels: false })
    .extractChannel(0)
    .raw({ depth: 'float' })
    .toBuffer({ resolveWithObject: true });
  const { width, height } = grid;
  if (info.width !== width || info.height !== height) throw new Error('the signal is not of this grid');
  const powers = new Float32Array(data.buffer, data.byteOffset, width * height);
  return {
    grid,
    read: (row, power) => power.set(powers.subarray(row * width, (row + 1) * width)),
  };
}
