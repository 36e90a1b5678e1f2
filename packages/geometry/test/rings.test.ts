import { hole, pairsOf, points, rectangle, turfOn } from '@covermap/testing/shapes.ts';
import type { Point } from '@covermap/testing/write-shapefile.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Polygon, Ring } from '../polygon.ts';
import { assembleRings, pointInside } from '../rings.ts';

/* Holes are matched with outer rings. Outer rings are clockwise in a shapefile, holes counter-clockwise. */

const ringOf = (points: Point[]): Ring =>
  Float64Array.from(points.flatMap((point) => point.slice(0, 2) as [number, number]));

const assemble = (...rings: Point[][]) => assembleRings(rings.map(ringOf));
const coordinates = (polygons: Polygon[]) => polygons.map((polygon) => polygon.map(pairsOf));

const covers = (polygons: Polygon[], x: number, y: number) =>
  polygons.some((polygon) => turfOn(polygon)([x, y], true));

const octagon = points('0 3, 3 6, 6 6, 9 3, 9 0, 6 -3, 3 -3, 0 0, 0 3');
const diamond = points('0 3, 3 -3, 9 0, 6 6, 0 3');
const [ten, inner] = [rectangle(0, 0, 10, 10), hole(2, 2, 4, 4)];
const half = rectangle(2, 2, 8, 5);

test.each<[what: string, rings: Point[][], polygons: Point[][][], repaired: boolean]>([
  ['no rings are no polygons', [], [], false],
  ['a hole may have all its vertices on the ring around it', [octagon, diamond], [[octagon, diamond]], false],
  ['a hole may share an edge with its ring', [hole(0, 2, 4, 4), ten], [[ten, hole(0, 2, 4, 4)]], false],
  [
    'a hole beside an island that touches it stays with the ring around both',
    [ten, hole(2, 2, 8, 8), half],
    [[ten, hole(2, 2, 8, 8)], [half]],
    false,
  ],
  [
    'where no ring is clockwise, nesting decides which are holes',
    [40, 0, 20, 10].map((at) => hole(at, at, 100 - at, 100 - at)),
    [[0, 10], [20, 40]].map((pair) => pair.map((at) => hole(at, at, 100 - at, 100 - at))), // biome-ignore format: polygons
    true,
  ],
  ['a single ring of the wrong direction is an area', [inner], [[inner]], true],
  ['a hole in nothing is an area', [ten, hole(20, 0, 30, 10)], [[ten], [hole(20, 0, 30, 10)]], true],
  [
    'all directions reversed, as GeoJSON has them, are taken by what lies within what',
    [rectangle(4, 4, 6, 6), hole(0, 0, 10, 10)],
    [[hole(0, 0, 10, 10), rectangle(4, 4, 6, 6)]],
    true,
  ],
  ['a ring that is not closed is closed', [ten.slice(0, -1), inner.slice(0, -1)], [[ten, inner]], true],
  ['a ring of no points is left out', [[], ten], [[ten]], true],
  ['a ring of one point is left out', [points('1 1'), ten], [[ten]], true],
  ['a ring of two points is left out', [points('1 1, 2 2, 1 1'), ten], [[ten]], true],
  ['a ring of one line is left out', [points('1 1, 5 5, 9 9, 1 1'), ten], [[ten]], true],
  ['a ring of one point four times is left out', [rectangle(3, 3, 3, 3), ten], [[ten]], true],
  ['rings without an area alone make no polygons', [rectangle(3, 3, 3, 3)], [], true],
  ['a hole given twice is one twice', [ten, inner, inner], [[ten, inner, inner]], false],
])('%s', (_, rings, polygons, repaired) => {
  const made = assemble(...rings);
  expect(coordinates(made.polygons)).toEqual(polygons);
  expect(made.repaired).toBe(repaired);
});

test('an area given twice is still covered', () => {
  expect(covers(assemble(rectangle(0, 0, 10, 10), rectangle(0, 0, 10, 10)).polygons, 5, 5)).toBe(true);
  expect(covers(assemble(hole(0, 0, 10, 10), hole(0, 0, 10, 10)).polygons, 5, 5)).toBe(true);
});

test('areas far from the origin keep the sign of small holes', () => {
  const { polygons } = assemble(
    rectangle(1_750_000, 5_920_000, 1_760_000, 5_930_000),
    hole(1_755_000, 5_925_000, 1_755_000.001, 5_925_000.001),
  );
  expect(polygons.map((polygon) => polygon.length)).toEqual([2]);
});

/*
 * Squares within squares. Those at even depth are clockwise; children may touch their parent and each other, or fill
 * their parent. All numbers are multiples of small powers of two, so the depth of a point is exact.
 */

interface Square {
  west: number;
  south: number;
  size: number;
  depth: number;
}
interface Node {
  inset: number;
  children: (Node | null)[];
}

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.record({
    inset: fc.integer({ min: 0, max: 3 }),
    children: fc.oneof(
      { maxDepth: 4 },
      fc.constant<(Node | null)[]>([]),
      fc.array(fc.option(tie('node'), { freq: 2 }), { minLength: 4, maxLength: 4 }),
    ),
  }),
}));

function squaresOf({ inset, children }: Node, cell: Square): Square[] {
  const margin = (inset * cell.size) / 16;
  const [west, south, size] = [cell.west + margin, cell.south + margin, cell.size - 2 * margin];
  const half = size / 2;
  const quarters = children.flatMap((child, i) => {
    const place = { west: west + (i % 2) * half, south: south + Math.floor(i / 2) * half };
    return child ? squaresOf(child, { ...place, size: half, depth: cell.depth + 1 }) : [];
  });
  return [{ west, south, size, depth: cell.depth }, ...quarters];
}

const nestedSquares = fc
  .array(node, { minLength: 1, maxLength: 3 })
  .map((roots) =>
    roots.flatMap((root, i) => squaresOf(root, { west: i * 4096, south: 0, size: 4096, depth: 0 })),
  )
  .chain((squares) => fc.shuffledSubarray(squares, { minLength: squares.length }));

/** Both sides of every corner of every square. */
const pointsToTry = (squares: Square[]) =>
  squares.flatMap(({ west, south, size }) =>
    [west, west + size].flatMap((x) =>
      [south, south + size].flatMap((y) =>
        [-0.01, 0.01].flatMap((dx) => [-0.02, 0.02].map((dy) => [x + dx, y + dy] as const)),
      ),
    ),
  );

const depthAt = (squares: Square[], x: number, y: number) =>
  squares.filter(({ west, south, size }) => x > west && x < west + size && y > south && y < south + size)
    .length;

test.each<[string, (square: Square) => Ring]>([
  ['by direction', (square) => ringOf(rectangleOf(square, square.depth % 2 === 0))],
  ['all counter-clockwise', (square) => ringOf(rectangleOf(square, false))],
])('of squares within squares in any order, %s, every other one is covered', (_, toRing) => {
  fc.assert(
    fc.property(nestedSquares, (squares) => {
      const { polygons } = assembleRings(squares.map(toRing));
      expect(polygons.flat()).toHaveLength(squares.length);
      const wrong = pointsToTry(squares).filter(
        ([x, y]) => covers(polygons, x, y) !== (depthAt(squares, x, y) % 2 === 1),
      );
      expect(wrong).toEqual([]);
    }),
    { numRuns: 50 },
  );
});

function rectangleOf({ west, south, size }: Square, clockwise: boolean): Point[] {
  return (clockwise ? rectangle : hole)(west, south, west + size, south + size);
}

/*
 * Coverage models are rasters; their outlines go along the cells, and vertices of holes line up with those of the outer ring, or are the same.
 * Why this project reads rings itself: the package `shapefile` fills such holes. It takes a point for one on a segment wherever it lies square
 * to an end of the segment, at any distance (segmentContains: t === 0 || t === 1), and so finds no ring around the hole.
 */

type Step = [from: Point, to: Point];

/** The outlines of a raster's cells, a vertex at every corner of a cell, cells to the right of the line. */
function outline(cells: boolean[][], turnsRight: boolean): Point[][] {
  const is = (x: number, y: number) => cells[y]?.[x] ?? false;
  const steps = cells.flatMap((row, y) =>
    row.flatMap((covered, x): Step[] => {
      const beside = [is(x - 1, y), is(x, y + 1), is(x + 1, y), is(x, y - 1)];
      const corners: Point[] = [[x, y], [x, y + 1], [x + 1, y + 1], [x + 1, y], [x, y]]; // biome-ignore format: points
      const edges = beside.map((_, i) => corners.slice(i, i + 2) as Step);
      return covered ? edges.filter((_, i) => !beside[i]) : [];
    }),
  );
  const turn = ([[ax, ay], [bx, by]]: Step, [[cx, cy], [dx, dy]]: Step) =>
    (bx - ax) * (dy - cy) - (by - ay) * (dx - cx);
  const rings: Point[][] = [];
  for (let start = steps.pop(); start; start = steps.pop()) {
    const ring: Point[] = [start[0]];
    for (let step: Step | undefined = start; step; ) {
      ring.push(step[1]);
      const before: Step = step;
      const nexts = steps.filter(([[x, y]]) => x === before[1][0] && y === before[1][1]);
      nexts.sort((a, b) => turn(before, a) - turn(before, b));
      step = turnsRight ? nexts[0] : nexts.at(-1);
      if (step) steps.splice(steps.indexOf(step), 1);
    }
    rings.push(ring);
  }
  return rings;
}

const upTo9 = fc.integer({ min: 1, max: 9 });
const arrayOf = <T>(of: fc.Arbitrary<T>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });
const raster = fc
  .tuple(upTo9, upTo9)
  .chain(([width, height]) => arrayOf(arrayOf(fc.boolean(), width), height));

test.each([
  ['cells that meet in a corner apart', true],
  ['cells that meet in a corner together', false],
])('the outline of any raster covers its cells and no others, %s', (_, turnsRight) => {
  fc.assert(
    fc.property(
      raster.chain((cells) => {
        const rings = outline(cells, turnsRight);
        return fc.tuple(fc.constant(cells), fc.shuffledSubarray(rings, { minLength: rings.length }));
      }),
      ([cells, rings]) => {
        const { polygons, repaired } = assemble(...rings);
        expect(repaired).toBe(false);
        const covered = cells.map((row, y) => row.map((_, x) => covers(polygons, x + 0.5, y + 0.5)));
        expect(covered).toEqual(cells);
      },
    ),
    { numRuns: 200 },
  );
});

/** A ring that counts how often its numbers are read. */
function countedRing(ring: Ring): { ring: Ring; reads: () => number } {
  let reads = 0;
  const get = (target: Ring, name: string | symbol) => {
    reads++;
    const value: unknown = Reflect.get(target, name, target);
    return typeof value === 'function' ? value.bind(target) : value;
  };
  return { ring: new Proxy(ring, { get }), reads: () => reads };
}

// One walk around the outer ring for each hole would read each of its numbers a thousand times.
test('a thousand holes in a ring of ten thousand vertices are no trouble', () => {
  const vertices = Array.from({ length: 10_000 }, (_, i): Point => {
    const angle = (-2 * Math.PI * i) / 10_000;
    const radius = 1000 + 5 * Math.sin(400 * angle);
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  const holes = Array.from({ length: 1_000 }, (_, i) => {
    const west = ((i % 200) - 100) * 6;
    const south = (Math.floor(i / 200) - 2) * 6;
    return hole(west, south, west + 3, south + 3);
  });
  const outer = ringOf([...vertices, vertices[0] as Point]);
  const { ring, reads } = countedRing(outer);
  const { polygons, repaired } = assembleRings([...holes.map(ringOf), ring]);
  expect([polygons.map((polygon) => polygon.length), repaired]).toEqual([[1_001], false]);
  expect(reads() / outer.length).toBeLessThan(20);
});

test('the point found inside a ring is inside, however thin and bent it is', () => {
  fc.assert(
    fc.property(raster, fc.boolean(), (cells, turnsRight) => {
      for (const ring of outline(cells, turnsRight)) {
        const { x, y } = pointInside(ringOf(ring));
        expect(covers([[ringOf(ring)]], x, y)).toBe(true);
      }
    }),
  );
});
