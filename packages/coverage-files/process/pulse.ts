/* Progress of a reading for the process that watches it: a growing number in shared memory. */

let counter: Int32Array | undefined;

/** Sets the counter of {@link pulse}. */
export function countPulseIn(shared: Int32Array): void {
  counter = shared;
}

/** Counts a chunk of the file, a feature or a part of an image. */
export function pulse(): void {
  if (counter) Atomics.add(counter, 0, 1);
}
