/** What a field shows and changes: a signal, or a part of one. */
export interface Value<T> {
  value: T;
}

/** What is worked out of signals, and changes them. */
export function asValue<T>(get: () => T, set: (value: T) => void): Value<T> {
  return {
    get value() {
      return get();
    },
    set value(value) {
      set(value);
    },
  };
}

/** One field of a signal that holds an object; each change makes a new object. */
export function fieldOf<T, K extends keyof T>(whole: Value<T>, name: K): Value<T[K]> {
  return asValue(
    () => whole.value[name],
    (value) => {
      whole.value = { ...whole.value, [name]: value };
    },
  );
}

/** One item of a signal that holds a list. */
export function itemOf<T>(list: Value<T[]>, i: number): Value<T> {
  return asValue(
    () => list.value[i] as T,
    (item) => {
      list.value = list.value.with(i, item);
    },
  );
}
