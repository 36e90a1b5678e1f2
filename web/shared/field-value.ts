/** A value that a field shows and changes: a signal, or a part of one. */
export type Value<T> = { value: T };

/** Sets a value, for use in handlers. */
export function set<T>(of: Value<T>, value: T): void {
  of.value = value;
}

/** A value computed from signals whenever it is read, with its setter. */
export function computedValue<T>(get: () => T, change: (value: T) => void): Value<T> {
  return Object.defineProperty({} as Value<T>, 'value', { get, set: change });
}

/** A value that stays as it is until the component is drawn again, with its setter. */
export const asValue = <T>(value: T, change: (value: T) => void) => computedValue(() => value, change);

/** One field of a signal that holds an object; each change makes a new object. */
export function fieldOf<T, K extends keyof T>(whole: Value<T>, name: K): Value<T[K]> {
  return computedValue(
    () => whole.value[name],
    (value) => set(whole, { ...whole.value, [name]: value }),
  );
}

/** One item of a signal that holds a list. */
export function itemOf<T>(list: Value<readonly T[]>, i: number): Value<T> {
  return computedValue(
    () => list.value[i] as T,
    (item) => set(list, list.value.with(i, item)),
  );
}

/** Membership of a list as a boolean value. */
export function isIn<T>(list: Value<readonly T[]>, item: T): Value<boolean> {
  return computedValue(
    () => list.value.includes(item),
    (isIt) => set(list, [...list.value.filter((one) => one !== item), ...(isIt ? [item] : [])]),
  );
}
