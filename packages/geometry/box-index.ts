import Flatbush from 'flatbush';
import type { Box } from './polygon.ts';

/** Finds the numbers of the boxes that meet another, boundaries included, in no order. @param boxes one at least */
export function boxIndex(boxes: readonly Box[]): (box: Box) => number[] {
  const tree = new Flatbush(boxes.length);
  for (const box of boxes) tree.add(...box);
  tree.finish();
  return (box) => tree.search(...box);
}
