/* Ground and air (Hufford, "The ITS Irregular Terrain Model, version 1.2.2: The Algorithm", section 1, and of terrain section 3). */

/** The earth's own curvature, in 1/m. */
const earthCurvature = 157e-9;
/** Over which refractivity falls to 1/e, in metres. */
const scaleHeight = 9460;

/** Refractivity at a height above the sea, from that at the sea's level. */
export const surfaceRefractivity = (atSeaLevel: number, heightM: number): number =>
  heightM === 0 ? atSeaLevel : atSeaLevel * Math.exp(-heightM / scaleHeight);

/** The curvature of the effective earth, over which rays are straight, in 1/m. */
export const effectiveCurvature = (refractivity: number): number =>
  earthCurvature * (1 - 0.04665 * Math.exp(refractivity / 179.3));

/** Relative to the impedance of free space. */
export interface Impedance {
  re: number;
  im: number;
}

export function groundImpedance(
  permittivity: number,
  conductivity: number,
  mhz: number,
  vertical: boolean,
): Impedance {
  const imaginary = (18_000 * conductivity) / mhz;
  // The square root of permittivity - 1 + i imaginary.
  const size = Math.hypot(permittivity - 1, imaginary);
  const re = Math.sqrt((size + permittivity - 1) / 2);
  const im = re === 0 ? Math.sqrt(size / 2) : imaginary / (2 * re);
  if (!vertical) return { re, im };
  const square = permittivity * permittivity + imaginary * imaginary;
  return {
    re: (re * permittivity + im * imaginary) / square,
    im: (im * permittivity - re * imaginary) / square,
  };
}

/** Terrain irregularity within a distance, from that without bound. */
export const irregularityWithin = (deltaH: number, distance: number): number =>
  deltaH * (1 - 0.8 * Math.exp(-distance / 50e3));

/** The standard deviation of terrain from its smoothed surface. */
export const terrainDeviation = (irregularity: number): number =>
  0.78 * irregularity * Math.exp(-0.5 * Math.sqrt(Math.sqrt(irregularity)));

/** The wave number in 1/m: the model's constant for megahertz. */
export const waveNumber = (mhz: number): number => mhz / 47.7;
