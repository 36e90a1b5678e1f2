import type { SourceAttributes } from '../format.ts';
import type { Subtypes } from './subtypes.ts';
import type { DatasetInfo, LayerInfo } from './webassembly.ts';

/* The attributes of a layer that GDAL converted, with coded values and subtypes of a geodatabase by their names. */

/** By code; null for a code without a name. */
type Values = Map<string, string | null>;
/** By the name of the domain. */
export type Domains = Map<string, Values>;

export const codedDomains = ({ domains }: DatasetInfo): Domains =>
  new Map(
    Object.entries(domains ?? {})
      .filter(([, { type }]) => type === 'coded')
      .map(([domain, { codedValues }]) => [domain, new Map(Object.entries(codedValues ?? {}))]),
  );

export class Coding {
  /** By attribute: its column, or -1. */
  readonly #positions: number[];
  /** By attribute: whether it is a list. */
  readonly #lists: boolean[];
  /** By attribute. */
  readonly #values: (Values | undefined)[];
  /** The column of the subtype's code, or -1. */
  readonly #subtypeColumn: number;
  /** By code of the subtype, then by attribute. */
  readonly #valuesOfSubtypes: Map<string, (Values | undefined)[]>;

  constructor(
    { fields }: LayerInfo,
    columns: readonly { name: string }[],
    domains: Domains,
    subtypes: Subtypes | undefined,
  ) {
    const byCode = [...(subtypes?.byCode ?? [])];
    this.#positions = fields.map((field) => columns.findIndex((column) => column.name === field.name));
    this.#lists = fields.map(({ type }) => type.endsWith('List'));
    const codes = fields.findIndex(({ name }) => name.toLowerCase() === subtypes?.field.toLowerCase());
    this.#values = fields.map(({ domainName }) => domains.get(domainName ?? ''));
    if (codes >= 0) this.#values[codes] = new Map(byCode.map(([code, { name }]) => [code, name]));
    this.#subtypeColumn = this.#positions[codes] ?? -1;
    this.#valuesOfSubtypes = new Map(
      byCode.map(([code, subtype]) => [
        code,
        fields.map(
          (field, i) => domains.get(subtype.domains.get(field.name.toLowerCase()) ?? '') ?? this.#values[i],
        ),
      ]),
    );
  }

  text(texts: readonly (string | null)[], field: number): string | null {
    const text = texts[this.#positions[field] ?? -1] ?? null;
    if (text === null) return null;
    const values = this.#valuesOfSubtypes.get(texts[this.#subtypeColumn] ?? '') ?? this.#values;
    // GDAL writes a list as "(2:100,20)".
    if (this.#lists[field]) return text.replace(/^\(\d+:([\s\S]*)\)$/, '$1');
    return values[field]?.get(text) ?? text;
  }
}

// A layer has millions of these: no functions are made within.
export class CodedAttributes implements SourceAttributes {
  readonly #texts: (string | null)[];
  readonly #coding: Coding;

  constructor(texts: (string | null)[], coding: Coding) {
    this.#texts = texts;
    this.#coding = coding;
  }

  text(field: number): string | null {
    return this.#coding.text(this.#texts, field);
  }
}
