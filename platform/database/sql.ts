/** A statement or a part of one: its text has `$1`, `$2`, ... for its values. */
export class Sql {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly parts: readonly string[];

  constructor(parts: readonly string[], values: readonly unknown[]) {
    this.parts = parts;
    this.values = values;
    this.text = parts.reduce((text, part, index) => `${text}$${index}${part}`);
  }

  /** The text, for a statement that is written as a string. */
  toString(): string {
    if (this.values.length > 0) throw new Error(`SQL with values is not a text: ${this.text}`);
    return this.text;
  }
}

/** Tags a template of SQL: interpolated values become parameters, {@link Sql} a part of the text, and `undefined` null. */
export function sql(strings: TemplateStringsArray, ...given: readonly unknown[]): Sql {
  const parts = [strings[0] as string];
  const values: unknown[] = [];
  const add = ([first, ...rest]: readonly string[]) => parts.push(`${parts.pop()}${first}`, ...rest);
  for (const [index, one] of given.entries()) {
    const part = one instanceof Sql ? one : new Sql(['', ''], [one ?? null]);
    add(part.parts);
    add([strings[index + 1] as string]);
    values.push(...part.values);
  }
  return new Sql(parts, values);
}

/** A literal text: a name or an expression of the code, never outside input. */
export const raw = (text: string): Sql => new Sql([text], []);
