import type { SourceAttributes, SourceLayer } from './format.ts';

/* Attributes whose values are codes, with texts that explain them. */

/** A code without a text must not pass for a speed: it becomes a value that is not understood, and is counted. */
export const codeWithoutText = (code: string) =>
  code.trim() !== '' && Number.isFinite(Number(code)) ? `code ${code.trim()}` : code;

/** The longest name of an attribute of a shapefile. */
export const dbfNameLength = 10;

/**
 * Makes texts the values of attributes where ArcGIS exported them beside the codes: `d_STATUS` beside `STATUS` ("Transfer field domain
 * descriptions", ArcGIS Pro's geoprocessing environments).
 */
export function useExportedTexts(layer: SourceLayer): void {
  const texts = exportedTexts(layer);
  if (texts.size === 0) return;
  layer.kinds = layer.fields.map((_, field) => (texts.has(field) ? undefined : layer.kinds?.[field]));
  const { features } = layer;
  layer.features = async function* () {
    for await (const feature of features.call(layer)) {
      feature.attributes = new Explained(feature.attributes, texts);
      yield feature;
    }
  };
}

/** By attribute of codes: the attribute of its texts. */
function exportedTexts({ fields, kinds }: SourceLayer): Map<number, number> {
  const found = new Map<number, number>();
  const names = fields.map((name) => name.toLowerCase());
  for (const [text, name] of names.entries()) {
    if (!name.startsWith('d_') || name.length < 3 || kinds?.[text] !== undefined) continue;
    const coded = name.slice(2);
    const isCut = name.length === dbfNameLength;
    const codes = names.flatMap((one, i) => (one === coded || (isCut && one.startsWith(coded)) ? [i] : []));
    // If several names begin so, the texts may belong to any of them.
    if (codes.length === 1) found.set(codes[0] as number, text);
  }
  return found;
}

class Explained implements SourceAttributes {
  readonly #coded: SourceAttributes;
  readonly #texts: ReadonlyMap<number, number>;

  constructor(coded: SourceAttributes, texts: ReadonlyMap<number, number>) {
    this.#coded = coded;
    this.#texts = texts;
  }

  text(field: number): string | null {
    const coded = this.#coded.text(field);
    const explained = this.#texts.get(field);
    if (explained === undefined || coded === null) return coded;
    return this.#coded.text(explained) ?? codeWithoutText(coded);
  }
}
