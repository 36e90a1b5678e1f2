/** Degrees, WGS 84. */
export type Box = [west: number, south: number, east: number, north: number];

/** The box around positions, as [lng, lat], or boxes; undefined where there are none. */
export function boundsOf(places: readonly (readonly number[])[]): Box | undefined {
  if (places.length === 0) return undefined;
  const lngs = places.flatMap((place) => place.filter((_, i) => i % 2 === 0));
  const lats = places.flatMap((place) => place.filter((_, i) => i % 2 === 1));
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
