/** The number of corners of a polygon's outer ring, which an application may have closed. */
export function cornersOf(ring: readonly (readonly number[])[] = []): number {
  const [first, last] = [ring[0], ring.at(-1)];
  return ring.length > 1 && first?.join() === last?.join() ? ring.length - 1 : ring.length;
}
