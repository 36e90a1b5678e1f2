import { layerNotFound } from '../layers.ts';
import type { KmlDocument } from './documents.ts';
import type { ScannedOverlay } from './scan.ts';

export interface Selected {
  /** @param folders the names of the folders around a placemark */
  folders(folders: readonly string[]): boolean;
  overlay(overlay: ScannedOverlay): boolean;
}

const everything: Selected = { folders: () => true, overlay: () => true };

/** The contents that names select in KML: a document, a folder at any depth, or an image. @throws IngestError `layer_not_found` */
export function selectionOf(
  documents: readonly { name: string; document: KmlDocument }[],
  names: readonly string[] | undefined,
): { of(document: string): Selected } {
  if (!names) return { of: () => everything };
  const there = new Map<string, string>();
  const know = (name: string) => {
    if (name !== '' && !there.has(name.toLowerCase())) there.set(name.toLowerCase(), name);
  };
  for (const { name } of documents) know(name);
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
  const partly: Selected = {
    folders: (folders) => folders.some(isWanted),
    overlay: ({ name, folders }) => isWanted(name) || folders.some(isWanted),
  };
  return { of: (document) => (isWanted(document) ? everything : partly) };
}
