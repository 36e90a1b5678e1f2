import { IngestError } from '../../errors.ts';
import type { FileEntry, FileSet } from '../file-set.ts';
import type { Overlay } from '../raster/overlay.ts';
import { fileOfDataUri } from './data-uri.ts';
import type { KmlDocument, KmlFile } from './documents.ts';
import type { References } from './references.ts';
import type { ScannedOverlay } from './scan.ts';
import { finestOverlays, type OverlayNode } from './super-overlays.ts';

const maxOverlays = 20_000;

/** The images that a document lays on the ground. @throws IngestError `image_missing`, `image_damaged`, `kml_unsafe` */
export async function collectOverlays(
  document: KmlDocument,
  files: FileSet,
  references: References,
  selected: (overlay: ScannedOverlay) => boolean,
): Promise<{
  overlays: Overlay[];
  /** References to images outside the upload. */
  outside: string[];
}> {
  const finest = finestOverlays(nodeOf(document.main, selected));
  if (finest.length > maxOverlays) {
    throw new IngestError(
      'kml_unsafe',
      `The KML lays ${finest.length} images on the ground; at most ${maxOverlays} are accepted.`,
      'Submit one GeoTIFF, or a KMZ with fewer and larger images.',
    );
  }
  const outside: string[] = [];
  const overlays: Overlay[] = [];
  for (const { href, file, name, placement, drawOrder, tile } of finest) {
    const image = await imageOf(href, file, files, references);
    if (image) overlays.push({ name: name || image.path, image, placement, drawOrder, tile });
    else outside.push(href);
  }
  return { overlays, outside };
}

function nodeOf(file: KmlFile, selected: (overlay: ScannedOverlay) => boolean): OverlayNode {
  const { scan, links } = file;
  const isFiner = ({ link, file: target }: KmlFile['links'][number]) =>
    link.hasRegion || target.scan.overlays.some(({ hasRegion }) => hasRegion);
  const follow = (wanted: KmlFile['links']) => wanted.map((link) => nodeOf(link.file, selected));
  return {
    overlays: scan.overlays.filter(selected).map((overlay) => ({ ...overlay, file: scan.entry })),
    finer: follow(links.filter(isFiner)),
    others: follow(links.filter((link) => !isFiner(link))),
  };
}

/** The image; undefined where it is outside the upload. */
async function imageOf(
  href: string,
  from: FileEntry,
  files: FileSet,
  references: References,
): Promise<FileEntry | undefined> {
  const reference = references.resolve(href, from.path);
  switch (reference.kind) {
    case 'inside':
      return reference.entry;
    case 'data':
      return fileOfDataUri(reference.href, files.scratch);
    case 'outside':
      return undefined;
    case 'missing':
      throw new IngestError(
        'image_missing',
        `${from.path} lays the image "${href.slice(0, 200)}" on the ground, which is not among the files.`,
      );
  }
}
