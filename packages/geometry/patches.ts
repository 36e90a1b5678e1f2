/** Brings positions from a projection to longitude and latitude in degrees, in place: x and y in turn. */
export type ToDegrees = (positions: Float64Array) => void;

/** In degrees: ten micrometres. Less exact patches fall back to the projection itself. */
const tolerance = 1e-10;
/** 350 bytes each; more patches than the country has. */
const maxPatches = 20_000;

/** The bound of a patch's column and row. Far beyond the earth; also stops NaN. */
const maxIndex = 2 ** 20;

/** The powers of a coordinate, 0 to 5, and the number of nodes on a side. */
const terms = 6;
/** Chebyshev nodes in patches from the middle: a polynomial errs least between them. */
const nodes = Array.from({ length: terms }, (_, i) => 0.5 * Math.cos(((i + 0.5) * Math.PI) / terms));
/** Places between the nodes, where the polynomial is checked. */
const probes = [
  [-0.4, -0.45],
  [0.45, -0.1],
  [0.1, 0.4],
  [-0.35, 0.15],
] as const;
/** The number of factors of a polynomial in two variables up to the fifth degree. */
const factors = (terms * (terms + 1)) / 2;
const fromValues = chebyshevFromValues();
const fromChebyshev = powersFromChebyshev();

/**
 * Approximates a smooth projection by polynomials, ten times as fast.
 * @param side of a patch in the projection's units; 96 km err by 2e-11 degrees in New Zealand
 */
export function byPatches(exact: ToDegrees, side: number): ToDegrees {
  /** By column and row; undefined where the function is not smooth enough. */
  const patches = new Map<number, Float64Array | undefined>();
  /** The positions outside all patches so far. */
  let left: number[] = [];
  let column = Number.NaN;
  let row = Number.NaN;
  let patch: Float64Array | undefined;
  const find = () => {
    patch = undefined;
    if (!(Math.abs(column) < maxIndex && Math.abs(row) < maxIndex)) return;
    const key = column * 2 ** 26 + row;
    patch = patches.get(key);
    if (patch || patches.has(key)) return;
    patch = patchAt(exact, column, row, side);
    if (patches.size >= maxPatches) patches.clear();
    patches.set(key, patch);
  };
  return (positions) => {
    for (let i = 0; i < positions.length; i += 2) {
      const x = (positions[i] as number) / side;
      const y = (positions[i + 1] as number) / side;
      if (Math.floor(x) !== column || Math.floor(y) !== row) {
        column = Math.floor(x);
        row = Math.floor(y);
        find();
      }
      if (patch) {
        const u = x - column - 0.5;
        const v = y - row - 0.5;
        positions[i] = polynomial(patch, 0, u, v);
        positions[i + 1] = polynomial(patch, factors, u, v);
      } else left.push(i);
    }
    if (left.length === 0) return;
    const others = Float64Array.from(
      left.flatMap((i) => [positions[i] as number, positions[i + 1] as number]),
    );
    exact(others);
    for (const [at, i] of left.entries()) positions.set(others.subarray(2 * at, 2 * at + 2), i);
    left = [];
  };
}

/** Evaluates a polynomial at u and v. Its factors begin at `at`: by the power of v, then by the power of u. */
function polynomial(f: Float64Array, at: number, u: number, v: number): number {
  let e = f[at + 5] as number;
  e = (f[at + 4] as number) + u * e;
  e = (f[at + 3] as number) + u * e;
  e = (f[at + 2] as number) + u * e;
  e = (f[at + 1] as number) + u * e;
  e = (f[at] as number) + u * e;
  let d = f[at + 10] as number;
  d = (f[at + 9] as number) + u * d;
  d = (f[at + 8] as number) + u * d;
  d = (f[at + 7] as number) + u * d;
  d = (f[at + 6] as number) + u * d;
  let c = f[at + 14] as number;
  c = (f[at + 13] as number) + u * c;
  c = (f[at + 12] as number) + u * c;
  c = (f[at + 11] as number) + u * c;
  let b = f[at + 17] as number;
  b = (f[at + 16] as number) + u * b;
  b = (f[at + 15] as number) + u * b;
  const a = (f[at + 18] as number) + u * (f[at + 19] as number);
  return e + v * (d + v * (c + v * (b + v * (a + v * (f[at + 20] as number)))));
}

/** In patches, from the middle: u and v of the nodes row by row, then of the probes. */
const places = Float64Array.from([...nodes.flatMap((v) => nodes.map((u) => [u, v])), ...probes].flat());
const scratch = new Float64Array(terms * terms);

/** Longitude's factors, then latitude's; undefined where they are not exact enough. Its loops are plain: a country has thousands of patches. */
function patchAt(exact: ToDegrees, column: number, row: number, side: number): Float64Array | undefined {
  const positions = new Float64Array(places.length);
  for (let i = 0; i < places.length; i += 2) {
    positions[i] = (column + 0.5 + (places[i] as number)) * side;
    positions[i + 1] = (row + 0.5 + (places[i + 1] as number)) * side;
  }
  exact(positions);
  const patch = new Float64Array(2 * factors);
  for (let ordinate = 0; ordinate < 2; ordinate++) {
    for (let i = 0; i < terms * terms; i++) scratch[i] = positions[2 * i + ordinate] as number;
    // A truncated Chebyshev series errs least; truncated powers would leave the noise of rounding.
    combine(scratch, fromValues, terms, 1, false);
    combine(scratch, fromValues, 1, terms, false);
    combine(scratch, fromChebyshev, terms, 1, true);
    combine(scratch, fromChebyshev, 1, terms, true);
    let at = ordinate * factors;
    for (let j = 0; j < terms; j++)
      for (let i = 0; i + j < terms; i++, at++) patch[at] = scratch[j * terms + i] as number;
    for (let i = 2 * terms * terms; i < places.length; i += 2) {
      const value = polynomial(patch, ordinate * factors, places[i] as number, places[i + 1] as number);
      if (!(Math.abs(value - (positions[i + ordinate] as number)) < tolerance)) return undefined;
    }
  }
  return patch;
}

const sums = new Float64Array(terms);

/** Multiplies each row (`across` = 1) or column of a square by a matrix, in place. @param triangle whether only factors up to the fifth degree count */
function combine(
  square: Float64Array,
  matrix: Float64Array,
  along: number,
  across: number,
  triangle: boolean,
) {
  for (let line = 0; line < terms; line++) {
    const count = triangle ? terms - line : terms;
    for (let to = 0; to < count; to++) {
      let sum = 0;
      for (let from = 0; from < count; from++)
        sum += (matrix[to * terms + from] as number) * (square[line * along + from * across] as number);
      sums[to] = sum;
    }
    for (let to = 0; to < count; to++) square[line * along + to * across] = sums[to] as number;
  }
}

/** By row: the factor of a Chebyshev polynomial of u, by the values at the nodes. */
function chebyshevFromValues(): Float64Array {
  return Float64Array.from({ length: terms * terms }, (_, i) => {
    const [term, node] = [Math.floor(i / terms), i % terms];
    return ((term === 0 ? 1 : 2) / terms) * Math.cos((term * (node + 0.5) * Math.PI) / terms);
  });
}

/** By row: the factor of a power of u, by the factors of Chebyshev polynomials. */
function powersFromChebyshev(): Float64Array {
  const matrix = new Float64Array(terms * terms);
  let [before, last] = [[1], [0, 2]];
  for (let term = 0; term < terms; term++) {
    for (const [power, factor] of before.entries()) matrix[power * terms + term] = factor;
    const following = [0, ...last].map((_, power) => 4 * (last[power - 1] ?? 0) - (before[power] ?? 0));
    [before, last] = [last, following];
  }
  return matrix;
}
