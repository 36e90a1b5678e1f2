/** Of an ellipsoid and its transverse Mercator projection: metres and degrees. */
export interface TransverseMercator {
  /** Of the equator. */
  axis: number;
  inverseFlattening: number;
  lat0: number;
  lng0: number;
  /** On the central meridian. */
  scale: number;
  easting: number;
  northing: number;
}

const degree = Math.PI / 180;

/**
 * Makes a function that brings positions from the projection to longitude and latitude in degrees, in place: x and y in turn.
 * Krüger's series to the sixth order of the third flattening (Karney, "Transverse Mercator with an accuracy of a few
 * nanometers", 2011, equations 7 to 11, 35, 36), which is what PROJ computes too: nanometres within 4,000 km of the meridian.
 */
export function fromTransverseMercator(projection: TransverseMercator): (positions: Float64Array) => void {
  const { axis, inverseFlattening, lat0, lng0, scale, easting, northing } = projection;
  const flattening = 1 / inverseFlattening;
  const n = flattening / (2 - flattening);
  const [, n2, n3, n4, n5, n6] = [1, 2, 3, 4, 5, 6].map((power) => n ** power) as [
    ...[number, number, number],
    ...[number, number, number],
  ];
  // From the projection to the conformal sphere.
  const b1 = n / 2 - (2 * n2) / 3 + (37 * n3) / 96 - n4 / 360 - (81 * n5) / 512 + (96199 * n6) / 604800;
  const b2 = n2 / 48 + n3 / 15 - (437 * n4) / 1440 + (46 * n5) / 105 - (1118711 * n6) / 3870720;
  const b3 = (17 * n3) / 480 - (37 * n4) / 840 - (209 * n5) / 4480 + (5569 * n6) / 90720;
  const b4 = (4397 * n4) / 161280 - (11 * n5) / 504 - (830251 * n6) / 7257600;
  const b5 = (4583 * n5) / 161280 - (108847 * n6) / 3991680;
  const b6 = (20648693 * n6) / 638668800;
  // From the conformal latitude to the geographic one.
  const d1 = 2 * n - (2 * n2) / 3 - 2 * n3 + (116 * n4) / 45 + (26 * n5) / 45 - (2854 * n6) / 675;
  const d2 = (7 * n2) / 3 - (8 * n3) / 5 - (227 * n4) / 45 + (2704 * n5) / 315 + (2323 * n6) / 945;
  const d3 = (56 * n3) / 15 - (136 * n4) / 35 - (1262 * n5) / 105 + (73814 * n6) / 2835;
  const d4 = (4279 * n4) / 630 - (332 * n5) / 35 - (399572 * n6) / 14175;
  const d5 = (4174 * n5) / 315 - (144838 * n6) / 6237;
  const d6 = (601676 * n6) / 22275;
  const unit = ((scale * axis) / (1 + n)) * (1 + n2 / 4 + n4 / 64 + n6 / 256);
  const origin = northing - unit * rectifyingLatitude(lat0 * degree, flattening);

  return (positions) => {
    for (let i = 0; i < positions.length; i += 2) {
      const eta = ((positions[i] as number) - easting) / unit;
      const xi = ((positions[i + 1] as number) - origin) / unit;
      // Clenshaw's summation of the sines of 2j(xi + i eta), in complex numbers.
      const sin2 = Math.sin(2 * xi);
      const cos2 = Math.cos(2 * xi);
      const grown = Math.exp(2 * eta);
      const cosh2 = (grown + 1 / grown) / 2;
      const sinh2 = (grown - 1 / grown) / 2;
      const re = 2 * cos2 * cosh2;
      const im = -2 * sin2 * sinh2;
      const re5 = b5 + re * b6;
      const im5 = im * b6;
      const re4 = b4 + re * re5 - im * im5 - b6;
      const im4 = re * im5 + im * re5;
      const re3 = b3 + re * re4 - im * im4 - re5;
      const im3 = re * im4 + im * re4 - im5;
      const re2 = b2 + re * re3 - im * im3 - re4;
      const im2 = re * im3 + im * re3 - im4;
      const re1 = b1 + re * re2 - im * im2 - re3;
      const im1 = re * im2 + im * re2 - im3;
      const xiSphere = xi - (sin2 * cosh2 * re1 - cos2 * sinh2 * im1);
      const etaSphere = eta - (sin2 * cosh2 * im1 + cos2 * sinh2 * re1);
      // Back from the sphere.
      const grownSphere = Math.exp(etaSphere);
      const sinhEta = (grownSphere - 1 / grownSphere) / 2;
      const sinXi = Math.sin(xiSphere);
      const cosXi = Math.cos(xiSphere);
      const across = Math.sqrt(sinhEta * sinhEta + cosXi * cosXi);
      const conformal = Math.atan2(sinXi, across);
      const square = across * across + sinXi * sinXi;
      const sinTwice = (2 * sinXi * across) / square;
      const cosTwice = (across * across - sinXi * sinXi) / square;
      const c = 2 * cosTwice;
      const s5 = d5 + c * d6;
      const s4 = d4 + c * s5 - d6;
      const s3 = d3 + c * s4 - s5;
      const s2 = d2 + c * s3 - s4;
      const s1 = d1 + c * s2 - s3;
      positions[i] = lng0 + Math.atan2(sinhEta, cosXi) / degree;
      positions[i + 1] = (conformal + sinTwice * s1) / degree;
    }
  };
}

/** Distance from the equator along the meridian, of which a quadrant is pi / 2: by Simpson's rule, as it is needed once. */
function rectifyingLatitude(latitude: number, flattening: number): number {
  const e2 = flattening * (2 - flattening);
  const density = (at: number) => (1 - e2 * Math.sin(at) ** 2) ** -1.5;
  const integral = (to: number) => {
    const steps = 200;
    let sum = density(0) + density(to);
    for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density((to * i) / steps);
    return (sum * to) / steps / 3;
  };
  return (integral(latitude) / integral(Math.PI / 2)) * (Math.PI / 2);
}
