import { FileError } from './errors.ts';

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
