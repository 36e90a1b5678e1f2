import path from 'node:path/posix';
import { IngestError } from '../../errors.ts';
import type { FileSet } from '../file-set.ts';
import type { ReadOptions, Source, SourceLayer, Warning } from '../format.ts';
import { openOverlays } from '../raster/raster.ts';
import { findDocuments, type KmlDocument } from './documents.ts';
import { collectOverlays } from './overlays.ts';
import { placemarkLayer } from './placemarks.ts';
import type { Scan } from './scan.ts';
import { selectionOf } from './selection.ts';

/**
 * Opens a KML, or the KMLs of a KMZ or other archive: for each document one layer of its polygons, and one of the images
 * that it lays on the ground. Legends and photographs (ScreenOverlay, PhotoOverlay) are no coverage, and visibility and
 * times say nothing about it. Nothing outside of what was handed in is ever opened.
 * @throws IngestError `layer_not_found`, `not_polygons`, `reference_outside`, `link_missing`, `image_missing`,
 *   `image_damaged`, `overlay_unusable`, `kml_damaged`, `file_truncated`, `kml_unsafe`
 */
export async function openKml(files: FileSet, options: ReadOptions): Promise<Source> {
  const { documents, references } = await findDocuments(files);
  const named = nameLayers(documents);
  const selection = selectionOf(named, options.layers);
  const format = isKmz(files) ? 'KMZ' : 'KML';
  const layers: SourceLayer[] = [];
  const outside: string[] = [];
  let bytesTotal = 0;
  for (const [name, document] of named) {
    const selected = selection.of(name);
    const scans = document.files.map(({ scan }) => scan);
    const hasPolygons = scans.some((scan) =>
      scan.placemarks.some(({ folders, polygons }) => polygons > 0 && selected.folders(folders)),
    );
    if (hasPolygons) {
      const read = scans.filter(({ placemarks }) => placemarks.length > 0);
      layers.push(placemarkLayer(name, format, read, selected.folders));
      bytesTotal += read.reduce((sum, { entry }) => sum + entry.size, 0);
    }
    const images = await collectOverlays(document, files, references, selected.overlay);
    if (images.overlays.length > 0) {
      layers.push(await openOverlays(hasPolygons ? `${name} images` : name, images.overlays, options));
      for (const image of new Set(images.overlays.map((overlay) => overlay.image))) bytesTotal += image.size;
    }
    outside.push(...images.outside, ...document.files.flatMap((file) => file.outside));
  }
  const missing = documents.flatMap((document) => document.files.flatMap((file) => file.missing));
  const unusable = documents.flatMap((document) => document.files.flatMap(({ scan }) => scan.unusable));
  const [first] = layers;
  if (!first) throw nothing(documents, outside, missing, unusable);
  first.warnings.push(...passedOver(outside, missing, unusable));
  first.warnings.push(...notShown(documents.flatMap((document) => document.files.map(({ scan }) => scan))));
  return { layers, bytesTotal, close: () => files.close() };
}

/** After the document, else the file; after the path where that would be the same twice. */
function nameLayers(documents: readonly KmlDocument[]): [name: string, document: KmlDocument][] {
  const nameOf = ({ main }: KmlDocument) =>
    main.scan.documentName || path.parse(main.scan.entry.path).name || 'KML';
  const counts = new Map<string, number>();
  for (const document of documents) {
    const key = nameOf(document).toLowerCase();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return documents.map((document) => {
    const name = nameOf(document);
    const once = counts.get(name.toLowerCase()) === 1;
    return [once ? name : document.main.scan.entry.path.replace(/\.kml$/i, ''), document];
  });
}

/** A KML by itself goes by any name but that which it has in a KMZ. */
function isKmz({ entries }: FileSet): boolean {
  return entries.length > 1 || entries.some((entry) => /(\/|^doc\.kml$)/i.test(entry.path));
}

function passedOver(outside: string[], missing: string[], unusable: string[]): Warning[] {
  const warnings: Warning[] = [];
  if (outside.length > 0) {
    warnings.push({
      code: 'reference_outside',
      message: `Passed over what lies outside of the file and is never fetched: ${some(outside)}.`,
    });
  }
  if (missing.length > 0) {
    warnings.push({
      code: 'link_missing',
      message: `Passed over network links to what is not among the files: ${some(missing)}.`,
    });
  }
  if (unusable.length > 0) {
    warnings.push({
      code: 'overlay_unusable',
      message: `Passed over images that cannot be laid on the ground: ${some(unusable)}.`,
    });
  }
  return warnings;
}

/** What Google Earth would not show, and is coverage all the same. */
function notShown(scans: readonly Scan[]): Warning[] {
  const sum = (of: 'hidden' | 'past') => scans.reduce((total, scan) => total + scan[of], 0);
  const warnings: Warning[] = [];
  if (sum('hidden') > 0) {
    warnings.push({
      code: 'hidden_counts',
      message: `What is hidden in the KML (visibility 0) counts as coverage, too: ${sum('hidden')} of its placemarks, images and folders. Leave out what is none.`,
    });
  }
  if (sum('past') > 0) {
    warnings.push({
      code: 'past_counts',
      message: `What the KML shows for a time that is over (TimeSpan) counts as coverage, too: ${sum('past')} of its placemarks, images and folders. Leave out what is none.`,
    });
  }
  return warnings;
}

function nothing(
  documents: readonly KmlDocument[],
  outside: string[],
  missing: string[],
  unusable: string[],
): IngestError {
  if (outside.length > 0) {
    return new IngestError(
      'reference_outside',
      `The coverage is not in the file; it refers to ${some(outside)}, which is never fetched.`,
      'Put the images and KMLs that it refers to into one KMZ or zip with it, and let it name them relative to itself.',
    );
  }
  if (missing.length > 0) {
    return new IngestError(
      'link_missing',
      `The coverage is not in the file; it refers to ${some(missing)}, which is not among the files.`,
      'Put the KMLs that it refers to into one KMZ or zip with it. A KMZ within an archive is to be unpacked first.',
    );
  }
  if (unusable.length > 0) {
    return new IngestError(
      'overlay_unusable',
      `The images in the file cannot be laid on the ground: ${some(unusable)}.`,
      'Give each GroundOverlay an Icon with href, and a LatLonBox or gx:LatLonQuad.',
    );
  }
  return new IngestError(
    'not_polygons',
    `The file holds no areas, only ${contents(documents.flatMap((document) => document.files.map(({ scan }) => scan)))}.`,
    'Coverage is areas: export the polygons of it, or an image of it laid on the ground (GroundOverlay), not the sites or cables.',
  );
}

function contents(scans: readonly Scan[]): string {
  const counts = new Map<string, number>();
  for (const { placemarks } of scans) {
    for (const group of placemarks) {
      for (const [kind, count] of group.others) counts.set(kind, (counts.get(kind) ?? 0) + count);
    }
  }
  const parts = [...counts].map(([kind, count]) =>
    kind === 'nothing' ? `${count} placemarks without geometry` : `${count} of ${kind}`,
  );
  return parts.join(', ') || 'documents and folders without placemarks';
}

function some(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const shown = distinct.slice(0, 5).map((name) => (name === '' ? '(nothing)' : name.slice(0, 200)));
  return distinct.length > 5 ? `${shown.join(', ')}, ...` : shown.join(', ');
}
