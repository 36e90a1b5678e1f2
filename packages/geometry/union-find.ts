/** The root of an element: parents lead to it, and each step on the way is made shorter. */
export function rootOf(parents: Int32Array, element: number): number {
  let root = element;
  while (parents[root] !== root) {
    parents[root] = parents[parents[root] as number] as number;
    root = parents[root] as number;
  }
  return root;
}
