import path from 'node:path/posix';
import { FileError, listed } from '../errors.ts';
import type { FileSet } from '../file-set.ts';
import type { ReadOptions, Source, SourceLayer, Warning } from '../format.ts';
import { layerNotFound, notPolygons, requireLayers, tellApart } from '../layers.ts';
import { openOverlays } from '../raster/ground-overlays.ts';
import { findDocuments, type KmlDocument } from './documents.ts';
import { collectOverlays } from './overlays.ts';
import { placemarkLayer } from './placemarks.ts';
import type { Scan, ScannedOverlay } from './scan.ts';

/** Opens the KMLs of an upload, hidden and past features included: for each document a layer of polygons and one of ground overlays. */
export async function openKml(files: FileSet, options: ReadOptions): Promise<Source> {
  const { documents, resolve } = await findDocuments(files);
  requireLayers(documents.length);
  const named = nameLayers(documents);
  const selection = selectionOf(named, options.layers);
  const format = isKmz(files) ? 'KMZ' : 'KML';
  const layers: SourceLayer[] = [];
  const outside: string[] = [];
  let bytesTotal = 0;
  for (const { name, imagesName, document } of named) {
    const selected = selection.of({ name, imagesName });
    const scans = document.files.map(({ scan }) => scan);
    const hasPolygons = scans.some((scan) =>
      scan.placemarks.some(({ folders, polygons }) => polygons > 0 && selected.folders(folders)),
    );
    if (hasPolygons) {
      const read = scans.filter(({ placemarks }) => placemarks.length > 0);
      layers.push(placemarkLayer(name, format, read, selected.folders));
      bytesTotal += read.reduce((sum, { entry }) => sum + entry.size, 0);
    }
    const images = await collectOverlays(document, files, resolve, selected.overlay);
    if (images.overlays.length > 0) {
      layers.push(await openOverlays(imagesName, images.overlays, options));
      for (const image of new Set(images.overlays.map((overlay) => overlay.image))) bytesTotal += image.size;
    }
    for (const name of images.outside.concat(...document.files.map((file) => file.outside)))
      outside.push(name);
  }
  const allFiles = documents.flatMap((document) => document.files);
  const scans = allFiles.map(({ scan }) => scan);
  const missing = allFiles.flatMap((file) => file.missing);
  const unusable = scans.flatMap((scan) => scan.unusable);
  // Unreadable references: a warning for each kind, or an error if there is nothing else.
  const unread = (
    [
      ['reference_outside', outside, 'references outside the file, which are never fetched'],
      ['link_missing', missing, 'network links to files that are missing, or within archives of their own'],
      ['overlay_unusable', unusable, 'images that cannot be placed'],
    ] as const
  ).filter(([, names]) => names.length > 0);
  const [first] = layers;
  if (!first) {
    const [why] = unread;
    if (!why) throw notPolygons([contents(scans)]);
    const [code, names, what] = why;
    throw new FileError(code, `The file has no coverage of its own, only ${what}: ${some(names)}.`);
  }
  for (const [code, names, what] of unread)
    first.warnings.push({ code, message: `Skipped ${what}: ${some(names)}.` });
  first.warnings.push(...notShown(scans));
  return { layers, bytesTotal, close: () => files.close() };
}

/** Named by document, else by file; by path for equal names. Images beside polygons have a name of their own. */
function nameLayers(documents: readonly KmlDocument[]) {
  const named = documents.map((document) => {
    const { documentName, entry } = document.main.scan;
    return { name: documentName || path.parse(entry.path).name || 'KML', document };
  });
  tellApart(named, ({ document }) => document.main.scan.entry.path.replace(/\.kml$/i, ''));
  return named.map(({ name, document }) => {
    const scans = document.files.map(({ scan }) => scan);
    const isBoth =
      scans.some(({ overlays }) => overlays.length > 0) &&
      scans.some(({ placemarks }) => placemarks.some(({ polygons }) => polygons > 0));
    return { name, imagesName: isBoth ? `${name} images` : name, document };
  });
}

/** Tells if the KML is from a KMZ: a single one may have any name but doc.kml. */
function isKmz({ entries }: FileSet): boolean {
  return entries.length > 1 || entries.some((entry) => /(\/|^doc\.kml$)/i.test(entry.path));
}

/** Warns of coverage that Google Earth would not show. */
function notShown(scans: readonly Scan[]): Warning[] {
  const kinds = [
    ['hidden', 'hidden_counts', 'What is hidden in the KML (visibility 0)'],
    ['past', 'past_counts', 'What the KML shows for a past time (TimeSpan)'],
  ] as const;
  return kinds.flatMap(([of, code, what]) => {
    const count = scans.reduce((total, scan) => total + scan[of], 0);
    const message = `${what} counts as coverage, too: ${count} of its placemarks, images and folders. Remove what is none.`;
    return count > 0 ? [{ code, message }] : [];
  });
}

function contents(scans: readonly Scan[]): string {
  const counts = new Map<string, number>();
  for (const [kind, count] of scans.flatMap(({ placemarks }) =>
    placemarks.flatMap(({ others }) => [...others]),
  ))
    counts.set(kind, (counts.get(kind) ?? 0) + count);
  const parts = [...counts].map(([kind, count]) =>
    kind === 'nothing' ? `${count} placemarks without geometry` : `${count} of ${kind}`,
  );
  return parts.join(', ') || 'documents and folders without placemarks';
}

const some = (names: readonly string[]) =>
  listed([...new Set(names)].map((name) => (name === '' ? '(nothing)' : name.slice(0, 200))));

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
