/*
 * Whether a reading gets on, for the process that watches over it from outside: it sees nothing but a number in shared
 * memory that grows.
 */

let counter: Int32Array | undefined;

/** From now on {@link pulse} counts here. */
export function countPulseIn(shared: Int32Array): void {
  counter = shared;
}

/** Says that something got done: a piece of the file was read, or a feature, or a part of an image. */
export function pulse(): void {
  if (counter) Atomics.add(counter, 0, 1);
}
