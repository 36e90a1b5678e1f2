import { boxIndex } from '@covermap/geometry/box-index.ts';
import { type Box, boxOf, type Polygon } from '@covermap/geometry/polygon.ts';
import { wkbOf } from '@covermap/geometry/wkb.ts';
import type { ExclusionInForce } from '../../coverage/exclusions/exclusions.ts';

/** The exclusions that rows of a file meet, found by their boxes. @returns undefined where there are none */
export function excludedGround(exclusions: readonly ExclusionInForce[]) {
  if (exclusions.length === 0) return undefined;
  const polygons = exclusions.map(({ rings }): Polygon => rings.map((ring) => Float64Array.from(ring)));
  const find = boxIndex(polygons.map((polygon) => boxOf([polygon])));
  const wkb = new Map(exclusions.map(({ id }, i) => [id, wkbOf([polygons[i] as Polygon])]));
  return {
    /** The ids of a technology's exclusions whose boxes meet another, in order, so that the same file gives the same rows; undefined: none, as mostly. */
    meeting(technology: string, box: Box): number[] | undefined {
      const found = find(box)
        .map((i) => exclusions[i] as ExclusionInForce)
        .filter((one) => one.technology === null || one.technology === technology);
      return found.length === 0 ? undefined : found.map(({ id }) => id).sort((a, b) => a - b);
    },
    /** In well-known binary. */
    wkbOf: (ids: readonly number[]) => ids.map((id) => wkb.get(id) as Uint8Array<ArrayBuffer>),
  };
}
