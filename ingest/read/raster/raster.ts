import type { FileSet } from '../file-set.ts';
import type { ReadOptions, Source, SourceLayer } from '../format.ts';
import type { Overlay } from './overlay.ts';

/** Rasters with a position of their own: GeoTIFF, or an image with a world file. */
export async function openRasters(_files: FileSet, _options: ReadOptions): Promise<Source> {
  throw new Error('not yet');
}

/** One layer of all the images that a KML lays on the ground. */
export async function openOverlays(
  _name: string,
  _overlays: Overlay[],
  _options: ReadOptions,
): Promise<SourceLayer> {
  throw new Error('not yet');
}
