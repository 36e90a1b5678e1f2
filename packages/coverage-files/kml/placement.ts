import type { LngLat, OverlayPlacement } from '../raster/overlay.ts';
import { childOf, textOf, type XmlElement } from './element.ts';

/* The place of a GroundOverlay: LatLonBox (KML 2.3, 11.3) or gx:LatLonQuad (11.4). */

export function placementOf(overlay: XmlElement): OverlayPlacement | string {
  const quad = childOf(overlay, 'LatLonQuad');
  if (quad) {
    const reader = childOf(quad, 'coordinates')?.coordinates;
    const points = reader?.finish() ?? new Float64Array();
    if (!reader || reader.malformed || points.length !== 8) return 'its LatLonQuad has not four corners';
    const corner = (i: number): LngLat => [points[i * 2] as number, points[i * 2 + 1] as number];
    const corners: [LngLat, LngLat, LngLat, LngLat] = [corner(0), corner(1), corner(2), corner(3)];
    if (corners.some(([, lat]) => Math.abs(lat) > 90)) return 'its LatLonQuad is not on the earth';
    return { kind: 'quad', corners };
  }
  const box = childOf(overlay, 'LatLonBox');
  if (!box) return 'it has neither LatLonBox nor LatLonQuad';
  const [north, south, east, west] = sides(box);
  const rotationText = textOf(box, 'rotation');
  const rotation = rotationText === '' ? 0 : Number(rotationText);
  if (![north, south, east, west, rotation].every(Number.isFinite)) return 'its LatLonBox is not of numbers';
  if (north <= south || Math.abs(north) > 90 || Math.abs(south) > 90 || east === west) {
    return 'its LatLonBox has no area on the earth';
  }
  // Across the antimeridian east is the smaller number.
  return { kind: 'box', north, south, east: east < west ? east + 360 : east, west, rotation };
}

export function regionBox(region: XmlElement): number[] | undefined {
  const box = childOf(region, 'LatLonAltBox') ?? childOf(region, 'LatLonBox');
  const found = box && sides(box);
  return found?.every(Number.isFinite) ? found : undefined;
}

/** Tells if the content of a Region vanishes close up (KML 2.3, 9.19: it stays where -1 or absent). */
export function regionVanishes(region: XmlElement): boolean {
  const text = textOf(region, 'Lod', 'maxLodPixels');
  return text !== '' && Number(text) >= 0;
}

function sides(box: XmlElement): [north: number, south: number, east: number, west: number] {
  const side = (name: string) => {
    const text = textOf(box, name);
    return text === '' ? Number.NaN : Number(text);
  };
  return [side('north'), side('south'), side('east'), side('west')];
}
