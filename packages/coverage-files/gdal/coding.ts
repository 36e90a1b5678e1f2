import { codeWithoutText } from '../coded-values.ts';
import type { Subtypes } from './subtypes.ts';
import type { DatasetInfo, LayerInfo } from './webassembly.ts';

/* Attributes of a layer converted by GDAL, with names for coded values and subtypes of a geodatabase. */

type Values = Map<string, string | null>;
/** By the name of the domain. */
export type Domains = Map<string, Values>;

export const codedDomains = ({ domains }: DatasetInfo): Domains =>
  new Map(
    Object.entries(domains ?? {})
      .filter(([, { type }]) => type === 'coded')
      .map(([domain, { codedValues }]) => [domain, new Map(Object.entries(codedValues ?? {}))]),
  );

/** A function that turns FlatGeobuf columns of a feature into texts of the layer's attributes. */
export function codingOf(
  { fields }: LayerInfo,
  columns: readonly { name: string }[],
  domains: Domains,
  subtypes: Subtypes | undefined,
) {
  const byCode = [...(subtypes?.byCode ?? [])];
  const positions = fields.map((field) => columns.findIndex((column) => column.name === field.name));
  const areLists = fields.map(({ type }) => type.endsWith('List'));
  const codes = fields.findIndex(({ name }) => name.toLowerCase() === subtypes?.field.toLowerCase());
  const subtypeColumn = positions[codes] ?? -1;
  const ownValues = fields.map(({ domainName }) => domains.get(domainName ?? ''));
  if (codes >= 0) ownValues[codes] = new Map(byCode.map(([code, { name }]) => [code, name]));
  const valuesOfSubtypes = new Map(
    byCode.map(([code, { domains: named }]) => [
      code,
      fields.map(({ name }, i) => domains.get(named.get(name.toLowerCase()) ?? '') ?? ownValues[i]),
    ]),
  );
  return (texts: readonly (string | null | undefined)[], field: number): string | null => {
    const text = texts[positions[field] ?? -1] ?? null;
    if (text === null) return null;
    // GDAL writes a list as "(2:100,20)".
    if (areLists[field]) return text.replace(/^\(\d+:([\s\S]*)\)$/, '$1');
    const values = (valuesOfSubtypes.get(texts[subtypeColumn] ?? '') ?? ownValues)[field];
    return values ? (values.get(text) ?? codeWithoutText(text)) : text;
  };
}
