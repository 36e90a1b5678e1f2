/** What a field shows and changes: a signal, or a part of one. */
export interface Value<T> {
  value: T;
}

/** One field of a signal that holds an object; each change makes a new object. */
export function fieldOf<T, K extends keyof T>(whole: Value<T>, name: K): Value<T[K]> {
  return {
    get value() {
      return whole.value[name];
    },
    set value(value) {
      whole.value = { ...whole.value, [name]: value };
    },
  };
}
