/** Makes a value once for each object, and keeps it for as long as the object. */
export function onceForEach<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const made = new WeakMap<Of, Value>();
  return (of) => {
    let one = made.get(of);
    if (one === undefined) {
      one = make(of);
      made.set(of, one);
    }
    return one;
  };
}
