import path from 'node:path/posix';
import { requireLayers } from '../bounds.ts';
import { FileError } from '../errors.ts';
import { listed } from '../file-errors.ts';
import type { FileSet } from '../file-set.ts';
import type { ReadOptions, Source, SourceLayer, Warning } from '../format.ts';
import { notPolygons, tellApart } from '../layers.ts';
import { openOverlays } from '../raster/ground-overlays.ts';
import { findDocuments, type KmlDocument } from './documents.ts';
import { collectOverlays } from './overlays.ts';
import { placemarkLayer } from './placemarks.ts';
import type { Scan } from './scan.ts';
import { selectionOf } from './selection.ts';

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
