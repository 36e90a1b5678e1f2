import type { Random } from '@covermap/testing/random.ts';

/** Ground by latitude and longitude, in metres. */
export type Heights = (lat: number, lng: number) => number;

/** Hills in the middle of New Zealand, and sea where they would be lower. @param shortest of their waves, in metres */
export function hills(random: Random, shortest: number): Heights {
  const waves = Array.from({ length: 24 }, () => {
    const length = shortest * (30_000 / shortest) ** random.next();
    const direction = 2 * Math.PI * random.next();
    const wave = (2 * Math.PI) / length;
    const [x, y] = [wave * Math.cos(direction), wave * Math.sin(direction)];
    return { x, y, phase: 7 * random.next(), size: 0.012 * length };
  });
  return (lat, lng) => {
    const [x, y] = [lng * 83_600, lat * 111_000];
    return Math.max(
      0,
      waves.reduce((sum, wave) => sum + wave.size * Math.sin(wave.x * x + wave.y * y + wave.phase), 250),
    );
  };
}

/** The name of the tile in which a place of New Zealand is. */
export const tileName = (lat: number, lng: number): string => `S${Math.ceil(-lat)}E${Math.floor(lng)}.hgt`;

/**
 * A tile of SRTM, whole metres.
 * @param south and `west`: of its corner, in degrees
 * @param perDegree 1200: of three seconds, 3600: of one
 */
export function srtmTile(south: number, west: number, heights: Heights, perDegree = 1200): Buffer {
  const side = perDegree + 1;
  const bytes = Buffer.alloc(side * side * 2);
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++) {
      const height = heights(south + 1 - row / perDegree, west + column / perDegree);
      bytes.writeInt16BE(Math.round(height), (row * side + column) * 2);
    }
  return bytes;
}
