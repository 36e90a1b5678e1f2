import type { Bounds } from '@covermap/geometry/bounds.ts';

/*
 * The plane of a tower on the ellipsoid of WGS 84. A direction is that of the plane through both points and the ellipsoid's normal, a
 * distance that of the arc over the chord: within 100 km they are off by less than a metre.
 */

const axis = 6378137;
const eccentricity = 0.00669437999014;
const radians = Math.PI / 180;

export class Plane {
  readonly #x: number;
  readonly #z: number;
  readonly #sinLat: number;
  readonly #cosLat: number;
  readonly #diameter: number;
  /** By column: the turn from the tower's meridian. */
  readonly #cosTurn: Float64Array;
  readonly #sinTurn: Float64Array;
  #fromAxis = 0;
  #dz = 0;
  /** The result of the last {@link measure}: metres, and radians clockwise from north. */
  distance = 0;
  azimuth = 0;

  constructor(lat: number, lng: number, lngs: Float64Array) {
    this.#sinLat = Math.sin(lat * radians);
    this.#cosLat = Math.cos(lat * radians);
    const normal = normalRadius(this.#sinLat);
    this.#diameter = 2 * normal;
    this.#x = normal * this.#cosLat;
    this.#z = normal * (1 - eccentricity) * this.#sinLat;
    this.#cosTurn = lngs.map((one) => Math.cos((one - lng) * radians));
    this.#sinTurn = lngs.map((one) => Math.sin((one - lng) * radians));
  }

  beginRow(lat: number): void {
    const sin = Math.sin(lat * radians);
    const normal = normalRadius(sin);
    this.#fromAxis = normal * Math.cos(lat * radians);
    this.#dz = normal * (1 - eccentricity) * sin - this.#z;
  }

  /** Measures a place of the row. @returns false beyond `range`; then `distance` and `azimuth` stay as they are */
  measure(column: number, range: number): boolean {
    const dx = this.#fromAxis * (this.#cosTurn[column] as number) - this.#x;
    const dy = this.#fromAxis * (this.#sinTurn[column] as number);
    const square = dx * dx + dy * dy + this.#dz * this.#dz;
    // The arc is longer than the chord.
    if (square > range * range) return false;
    const distance = this.#diameter * Math.asin(Math.sqrt(square) / this.#diameter);
    if (distance > range) return false;
    this.distance = distance;
    this.azimuth = Math.atan2(dy, this.#cosLat * this.#dz - this.#sinLat * dx);
    return true;
  }
}

const normalRadius = (sinLat: number) => axis / Math.sqrt(1 - eccentricity * sinLat ** 2);

/** The plane for PROJ: metres east and north of a place, true to distance and direction from there. */
export const planeDefinition = (lat: number, lng: number): string =>
  `+proj=aeqd +lat_0=${lat} +lon_0=${lng} +datum=WGS84 +units=m +no_defs`;

/** The approximate lengths of a degree of latitude and of longitude, in metres. */
export const metresOfDegree = (lat: number): [lat: number, lng: number] => [
  111_320,
  111_320 * Math.max(0.01, Math.cos(lat * radians)),
];

/** The box that holds a circle around a place. @param range in metres */
export function boxAround(lat: number, lng: number, range: number): Bounds {
  const [ofLat, ofLng] = metresOfDegree(lat);
  const [dLat, dLng] = [range / ofLat, range / ofLng];
  return { west: lng - dLng, south: lat - dLat, east: lng + dLng, north: lat + dLat };
}
