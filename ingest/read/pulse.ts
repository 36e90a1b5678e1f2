/* Progress of a reading, for the process that watches it: a number in shared memory that grows. */

let counter: Int32Array | undefined;

/** From now on {@link pulse} counts here. */
export function countPulseIn(shared: Int32Array): void {
  counter = shared;
}

/** A chunk of the file, a feature or a part of an image was read. */
export function pulse(): void {
  if (counter) Atomics.add(counter, 0, 1);
}
