/** Makes a value once for each object, and keeps it for as long as the object. */
export function onceForEach<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>();
  return (of) => {
    let value = made.get(of);
    if (value === undefined) {
      value = make(of);
      made.set(of, value);
    }
    return value;
  };
}
