import { layerNotFound } from '../layers.ts';
import type { KmlDocument } from './documents.ts';
import type { ScannedOverlay } from './scan.ts';

export interface Selected {
  /** @param folders the names of the folders around a placemark */
  folders(folders: readonly string[]): boolean;
  overlay(overlay: ScannedOverlay): boolean;
}

const everything: Selected = { folders: () => true, overlay: () => true };

/** The layers of a document: its polygons, and its images, by the same name where it has only one of them. */
interface LayerNames {
  name: string;
  imagesName: string;
}

/** The contents that names select in KML: a layer, a folder at any depth, or an image. @throws FileError `layer_not_found` */
export function selectionOf(
  documents: readonly (LayerNames & { document: KmlDocument })[],
  names: readonly string[] | undefined,
): { of(document: LayerNames): Selected } {
  if (!names) return { of: () => everything };
  const there = new Map<string, string>();
  const know = (name: string) => {
    if (name !== '' && !there.has(name.toLowerCase())) there.set(name.toLowerCase(), name);
  };
  for (const { name, imagesName } of documents) [name, imagesName].forEach(know);
  for (const { document } of documents) {
    for (const { scan } of document.files) {
      for (const { folders } of scan.placemarks) folders.forEach(know);
      for (const overlay of scan.overlays) [...overlay.folders, overlay.name].forEach(know);
    }
  }
  const unknown = names.find((name) => !there.has(name.toLowerCase()));
  if (unknown !== undefined) throw layerNotFound('layer, folder or image', unknown, [...there.values()]);
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const isWanted = (name: string) => wanted.has(name.toLowerCase());
  return {
    of: ({ name: polygonsName, imagesName }) => {
      // The document is a folder around its images, too: its name selects them only if it is the name of their layer.
      const isOther = (name: string) =>
        polygonsName !== imagesName && name.toLowerCase() === polygonsName.toLowerCase();
      return {
        folders: (folders) => isWanted(polygonsName) || folders.some(isWanted),
        overlay: ({ name, folders }) =>
          [imagesName, name, ...folders.filter((folder) => !isOther(folder))].some(isWanted),
      };
    },
  };
}
