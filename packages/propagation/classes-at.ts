import type { ClassRows } from './class-rows.ts';
import type { Grid } from './grid-file.ts';
import { metresOfDegree } from './plane.ts';

/* The classes of places, straight from pixels: the same as the areas give that `writeAreas` (results.ts) makes of them. */

/** Places in degrees. */
export interface Places {
  lngs: Float64Array;
  lats: Float64Array;
}

/**
 * The class of each place: the strongest of the pixels that have it within them or on their edges, as areas have their boundaries; 0 is none.
 * @returns also the ground of each class in km², by its number
 */
export function classesAt(grid: Grid, strips: Iterable<ClassRows>, classCount: number, places: Places) {
  const { pixels, owners, starts } = pixelsOf(grid, places);
  const classes = new Uint8Array(places.lngs.length);
  const km2 = new Float64Array(classCount + 1);
  const { width } = grid;
  for (const { top, height, labels } of strips) {
    for (let row = 0; row < height; row++) {
      const from = row * width;
      const inRow = new Uint32Array(classCount + 1);
      for (let at = from; at < from + width; at++) {
        const label = labels[at] as number;
        inRow[label] = (inRow[label] as number) + 1;
      }
      const [ofLat, ofLng] = metresOfDegree(grid.north - (top + row + 0.5) * grid.dLat);
      const ofPixel = (grid.dLat * ofLat * grid.dLng * ofLng) / 1e6;
      for (let i = 1; i <= classCount; i++) km2[i] = (km2[i] as number) + (inRow[i] as number) * ofPixel;
      const end = starts[top + row + 1] as number;
      for (let i = starts[top + row] as number; i < end; i++) {
        const found = labels[from + (pixels[i] as number)] as number;
        const owner = owners[i] as number;
        const known = classes[owner] as number;
        if (found !== 0 && (known === 0 || found < known)) classes[owner] = found;
      }
    }
  }
  return { classes, km2: km2.subarray(1) };
}

/** The pixels that touch places, by row. `pixels` has their columns, `owners` the indexes of the places, `starts` where each row begins. */
function pixelsOf(grid: Grid, { lngs, lats }: Places) {
  const { width, height } = grid;
  const starts = new Uint32Array(height + 1);
  const each = (visit: (row: number, column: number, place: number) => void) => {
    for (let place = 0; place < lngs.length; place++) {
      const column = columnOf(grid, lngs[place] as number);
      const row = rowOf(grid, lats[place] as number);
      // On an edge: the pixel before it touches the place, too.
      const left = edgeX(grid, column) === lngs[place] ? column - 1 : column;
      const above = edgeY(grid, row) === lats[place] ? row - 1 : row;
      for (let y = above; y <= row; y++)
        for (let x = left; x <= column; x++)
          if (x >= 0 && x < width && y >= 0 && y < height) visit(y, x, place);
    }
  };
  each((row) => {
    starts[row + 1] = (starts[row + 1] as number) + 1;
  });
  for (let row = 0; row < height; row++)
    starts[row + 1] = (starts[row + 1] as number) + (starts[row] as number);
  const filled = starts.slice();
  const pixels = new Uint32Array(starts[height] as number);
  const owners = new Uint32Array(pixels.length);
  each((row, column, place) => {
    const at = filled[row] as number;
    filled[row] = at + 1;
    pixels[at] = column;
    owners[at] = place;
  });
  return { pixels, owners, starts };
}

// As areas have their corners.
const edgeX = ({ west, dLng }: Grid, column: number) => west + column * dLng;
const edgeY = ({ north, dLat }: Grid, row: number) => north - row * dLat;

/** The last column that begins at a longitude or before it. */
function columnOf(grid: Grid, lng: number): number {
  let column = Math.floor((lng - grid.west) / grid.dLng);
  while (edgeX(grid, column) > lng) column--;
  while (edgeX(grid, column + 1) <= lng) column++;
  return column;
}

/** The last row that begins at a latitude or north of it. */
function rowOf(grid: Grid, lat: number): number {
  let row = Math.floor((grid.north - lat) / grid.dLat);
  while (edgeY(grid, row) < lat) row--;
  while (edgeY(grid, row + 1) >= lat) row++;
  return row;
}
