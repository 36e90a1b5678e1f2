/*
 * Where points lie from a tower, and where others lie from it: on the ellipsoid of WGS 84, by its plane there. A direction is that of the
 * plane through both and the ellipsoid's normal, a distance that of the arc over the chord: within 100 km they are off by less than a metre.
 */

const axis = 6378137;
const eccentricity = 0.00669437999014;
const radians = Math.PI / 180;

export class Plane {
  readonly #x: number;
  readonly #y: number;
  readonly #z: number;
  readonly #sinLat: number;
  readonly #cosLat: number;
  readonly #lng: number;
  readonly #radius: number;
  /** Of the last point that was measured: metres, and radians clockwise from north. */
  distance = 0;
  azimuth = 0;

  constructor(lat: number, lng: number) {
    this.#sinLat = Math.sin(lat * radians);
    this.#cosLat = Math.cos(lat * radians);
    this.#lng = lng;
    const normal = axis / Math.sqrt(1 - eccentricity * this.#sinLat ** 2);
    this.#radius = normal;
    this.#x = normal * this.#cosLat;
    this.#y = 0;
    this.#z = normal * (1 - eccentricity) * this.#sinLat;
  }

  measure(lat: number, lng: number): void {
    const sin = Math.sin(lat * radians);
    const cos = Math.cos(lat * radians);
    const turn = (lng - this.#lng) * radians;
    const normal = axis / Math.sqrt(1 - eccentricity * sin * sin);
    const dx = normal * cos * Math.cos(turn) - this.#x;
    const dy = normal * cos * Math.sin(turn) - this.#y;
    const dz = normal * (1 - eccentricity) * sin - this.#z;
    const north = this.#cosLat * dz - this.#sinLat * dx;
    this.azimuth = Math.atan2(dy, north);
    const chord = Math.sqrt(dx * dx + dy * dy + dz * dz);
    this.distance = 2 * this.#radius * Math.asin(chord / (2 * this.#radius));
  }
}

/** The plane as GDAL knows it: metres east and north of a place, true to distance and direction from there. */
export const planeDefinition = (lat: number, lng: number): string =>
  `+proj=aeqd +lat_0=${lat} +lon_0=${lng} +datum=WGS84 +units=m +no_defs`;

/** How many metres a degree of latitude and of longitude is about. */
export const metresOfDegree = (lat: number): [lat: number, lng: number] => [
  111_320,
  111_320 * Math.max(0.01, Math.cos(lat * radians)),
];
