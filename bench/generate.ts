import { wgs84Prj } from '../test/setup/shapes.ts';
import { named, type Point, writeShapefile, zip } from '../test/setup/write-shapefile.ts';

/** Where the generated areas lie: most of the country. */
export const generatedArea = { west: 168, south: -46, east: 177, north: -36 };

/**
 * A zipped shapefile of wavy discs on a grid over the country, which overlap their neighbours a little, with a speed
 * attribute of seven values.
 */
export async function generateCoverage(features: number, vertices: number, compress = true): Promise<Buffer> {
  const { west, south, east, north } = generatedArea;
  const columns = Math.ceil(Math.sqrt(features));
  const [width, height] = [(east - west) / columns, (north - south) / columns];
  const files = writeShapefile({
    prj: wgs84Prj,
    fields: [{ name: 'SPEED', type: 'N', length: 8 }],
    features: Array.from({ length: features }, (_, i) => {
      const [x, y] = [west + ((i % columns) + 0.5) * width, south + (Math.floor(i / columns) + 0.5) * height];
      const ring = Array.from({ length: vertices - 1 }, (_, j): Point => {
        const angle = (-2 * Math.PI * j) / (vertices - 1);
        const radius = 0.6 * (0.9 + 0.1 * Math.sin(7 * angle + i));
        return [x + radius * width * Math.cos(angle), y + radius * height * Math.sin(angle)];
      });
      return { rings: [[...ring, ring[0] as Point]], attributes: { SPEED: 10 * (1 + (i % 7)) } };
    }),
  });
  return zip(named('coverage', files), { compress });
}

/** Pixels, a byte each: smooth areas of the classes 1 to 4, and of 0, which is no data. */
export function generatePixels(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(width * height);
  const wave = (length: number, count: number) =>
    Float64Array.from({ length: count }, (_, i) => Math.sin(i / length));
  const [byX, byY, bySum] = [wave(97, width), wave(83, height), wave(151, width + height)];
  const fine = wave(23, width + 2 * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const level =
        (byX[x] as number) + (byY[y] as number) + (bySum[x + y] as number) + (fine[x + 2 * y] as number) / 2;
      bytes[y * width + x] = Math.min(4, Math.max(0, Math.floor(1.5 * level + 1.5)));
    }
  }
  return bytes;
}
