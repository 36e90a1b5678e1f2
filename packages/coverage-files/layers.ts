import { FileError, listed } from './errors.ts';
import type { Warning } from './format.ts';

/* Selects the layers of a file to read. Case does not count in names, nor do blanks around them. */

/** A manifest has no blanks around names. */
export const isSameName = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();

/** Gives layers with equal names their longer one. */
export function tellApart<T extends { name: string }>(layers: readonly T[], longer: (layer: T) => string) {
  const counts = new Map<string, number>();
  for (const { name } of layers) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  for (const layer of layers) if ((counts.get(layer.name.toLowerCase()) ?? 0) > 1) layer.name = longer(layer);
}

/** The layers of these names, each once; all if none are named. @throws FileError `layer_not_found` */
export function chosenLayers<T extends { name: string }>(layers: T[], names: string[] | undefined): T[] {
  if (!names) return layers;
  const chosen = names.map((name) => {
    const layer = layers.find((candidate) => isSameName(candidate.name, name));
    if (layer) return layer;
    const all = layers.map((candidate) => candidate.name);
    throw layerNotFound('layer', name, all);
  });
  return [...new Set(chosen)];
}

export const layerNotFound = (kind: string, name: string, all: readonly string[]) =>
  new FileError('layer_not_found', `The file has no ${kind} "${name}".`, `It has ${listed(all, 30)}.`);

/** @param others the kinds of other layers, such as "sites (points)" */
export const notPolygons = (others: readonly string[]) =>
  new FileError(
    'not_polygons',
    `The file holds no polygons${others.length > 0 ? `, only ${others.join(', ')}` : ''}.`,
  );

export const layersPassedOver = (others: readonly string[]): Warning => ({
  code: 'layers_passed_over',
  message: `Only polygon layers are coverage; skipped: ${others.join(', ')}.`,
});

/* Limits of a file's schema, checked before a library opens it: libraries compare each attribute with every other. */

export const maxLayers = 500;
/** The limit of a layer: that of SQLite, and of GDAL for CSV. */
export const maxFields = 2000;
/** The limit of all layers together. */
const maxFieldsOfFile = 20_000;

/** @throws FileError `layers_too_many` */
export function requireLayers(count: number): void {
  if (count <= maxLayers) return;
  const message = `The file has more than ${maxLayers} layers, which is the most that is read.`;
  throw new FileError('layers_too_many', message);
}

/** @param layer the name of the layer or its file @throws FileError `fields_too_many` */
export function requireFields(count: number, layer: string): void {
  if (count <= maxFields) return;
  const message = `${layer.slice(0, 100)} has more than ${maxFields} attributes, which is the most that a layer may have.`;
  throw new FileError('fields_too_many', message);
}

/** The schema sizes of a file's parts, added up. */
export class SchemaSize {
  #layers = 0;
  #fields = 0;

  /** @throws FileError `layers_too_many`, `fields_too_many` */
  add(layers: number, fields: number): void {
    this.#layers += layers;
    this.#fields += fields;
    requireLayers(this.#layers);
    if (this.#fields <= maxFieldsOfFile) return;
    throw new FileError(
      'fields_too_many',
      `The layers of the file have more than ${maxFieldsOfFile} attributes together, which is the most that is read.`,
    );
  }
}
