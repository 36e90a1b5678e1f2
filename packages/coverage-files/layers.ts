import { FileError } from './errors.ts';
import { listed } from './file-errors.ts';
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
