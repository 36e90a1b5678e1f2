import { IngestError } from '../../errors.ts';
import type { FileSet } from '../file-set.ts';
import type { Overlay } from '../raster/overlay.ts';
import { fileOfDataUri } from './data-uri.ts';
import type { KmlDocument, KmlFile } from './documents.ts';
import type { References } from './references.ts';
import type { ScannedOverlay } from './scan.ts';
import { finestOverlays, type OverlayNode } from './super-overlays.ts';

const maxOverlays = 20_000;

/**
 * The images that a document lays on the ground, and references to images outside the upload.
 * @throws IngestError `image_missing`, `image_damaged`, `kml_unsafe`
 */
export async function collectOverlays(
  document: KmlDocument,
  files: FileSet,
  references: References,
  selected: (overlay: ScannedOverlay) => boolean,
): Promise<{ overlays: Overlay[]; outside: string[] }> {
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
    const reference = references.resolve(href, file.path);
    if (reference.kind === 'missing') {
      throw new IngestError(
        'image_missing',
        `${file.path} lays the image "${href.slice(0, 200)}" on the ground, which is not among the files.`,
      );
    }
    if (reference.kind === 'outside') outside.push(href);
    else {
      const image = reference.kind === 'inside' ? reference.entry : await fileOfDataUri(href, files.scratch);
      overlays.push({ name: name || image.path, image, placement, drawOrder, tile });
    }
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
