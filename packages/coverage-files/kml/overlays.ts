import { FileError } from '../errors.ts';
import type { FileSet } from '../file-set.ts';
import type { Overlay } from '../raster/overlay.ts';
import { fileOfDataUri } from './data-uri.ts';
import type { KmlDocument } from './documents.ts';
import type { References } from './references.ts';
import type { ScannedOverlay } from './scan.ts';
import { finestOverlays } from './super-overlays.ts';

const maxOverlays = 20_000;

/** The ground overlays of a document. @throws FileError `image_missing`, `image_damaged`, `kml_unsafe` */
export async function collectOverlays(
  document: KmlDocument,
  files: FileSet,
  resolve: References,
  selected: (overlay: ScannedOverlay) => boolean,
): Promise<{ overlays: Overlay[]; outside: string[] }> {
  const finest = finestOverlays(document.main, selected);
  if (finest.length > maxOverlays) {
    throw new FileError(
      'kml_unsafe',
      `The KML lays ${finest.length} images on the ground; at most ${maxOverlays} are accepted.`,
      'Submit one GeoTIFF, or a KMZ with fewer and larger images.',
    );
  }
  const outside: string[] = [];
  const overlays: Overlay[] = [];
  for (const { href, from, name, placement, drawOrder, tile } of finest) {
    const reference = resolve(href, from);
    if (reference.kind === 'missing') {
      throw new FileError(
        'image_missing',
        `${from} lays the image "${href.slice(0, 200)}" on the ground, which is not among the files.`,
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
