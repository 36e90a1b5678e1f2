import type { Box } from '@covermap/geometry/polygon.ts';
import { FileError } from '../errors.ts';
import type { FileSet } from '../file-set.ts';
import type { Overlay, OverlayPlacement } from '../raster/overlay.ts';
import { fileOfDataUri, type KmlDocument, type KmlFile, type References } from './documents.ts';
import type { ScannedOverlay } from './scan.ts';

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

/*
 * Super-overlays: each KML has one tile and links with Regions to finer ones (KML 2.3, 9.17), or one KML has the tiles of all levels. The finest
 * tiles count.
 */

/** An overlay, the KML that it stands in, and its {@link Overlay.tile}. */
type LevelOverlay = ScannedOverlay & { from: string; tile: string };

/** A share of a tile's size: tiles are rounded to the sixth decimal, and have a few hundred pixels. */
const tolerance = 1e-3;
/** The limit of pieces of a tile: unaligned tiles are not worth more. */
const maxPieces = 2000;
/** The limit of overlays in one KML that are compared with one another. */
const maxCompared = 5000;

/** The overlays without finer ones over them. A partly covered one stays, unless it vanishes where finer tiles are shown. */
export function finestOverlays(
  main: KmlFile,
  selected: (overlay: ScannedOverlay) => boolean,
): LevelOverlay[] {
  /** @returns the area covered by a KML and those below it */
  const collect = ({ scan, links }: KmlFile, above: number, tile: string, found: LevelOverlay[]): Box[] => {
    // Children are drawn over remaining parts of their parent.
    const overlays = scan.overlays.filter(selected).map((overlay) => ({
      ...overlay,
      ...{ from: scan.entry.path, tile, drawOrder: Math.max(overlay.drawOrder, above + 1) },
    }));
    const highest = overlays.reduce((max, { drawOrder }) => Math.max(max, drawOrder), above);
    const isFiner = ({ link, file }: KmlFile['links'][number]) =>
      link.hasRegion || file.scan.overlays.some(({ hasRegion }) => hasRegion);
    const below: LevelOverlay[] = [];
    const finer = links
      .filter(isFiner)
      .flatMap(({ file }, i) => collect(file, highest, `${tile}/${i}`, below));
    const kept = withoutCoarser(overlays).filter(({ placement, vanishes }) => {
      const box = rectangleOf(placement);
      const touched = box ? finer.filter((rectangle) => intersects(box, rectangle)) : [];
      return !box || touched.length === 0 || (!vanishes && !covers(touched, box));
    });
    for (const overlay of kept) found.push(overlay);
    for (const overlay of below) found.push(overlay);
    // Other links add to the image instead of refining it.
    for (const [i, { file }] of links.filter((link) => !isFiner(link)).entries())
      collect(file, -Infinity, `${tile}+${i}`, found);
    return merged(overlays, rectanglesOf(kept), finer);
  };
  const found: LevelOverlay[] = [];
  collect(main, -Infinity, '0', found);
  return found;
}

/** Drops the overlays that finer ones of the same KML replace close up. An overlay that is covered in part may be another image, and stays. */
function withoutCoarser(overlays: LevelOverlay[]): LevelOverlay[] {
  const finer = rectanglesOf(overlays.filter(({ hasRegion }) => hasRegion));
  if (finer.length > maxCompared) return overlays;
  return overlays.filter(({ placement, vanishes }) => {
    const box = vanishes ? rectangleOf(placement) : undefined;
    if (!box) return true;
    const within = finer.filter((one) => covers([box], one) && !covers([one], box));
    return within.length === 0 || !covers(within, box);
  });
}

/** Replaces quarters by their tile if they fill it: lists stay short at any depth. */
function merged(overlays: readonly LevelOverlay[], kept: Box[], finer: Box[]): Box[] {
  const replaced = rectanglesOf(overlays.filter(({ vanishes }) => !vanishes));
  const outside = finer.filter((rectangle) => !replaced.some((box) => covers([box], rectangle)));
  return [...(replaced.length > 0 ? replaced : kept), ...outside];
}

function rectanglesOf(overlays: readonly LevelOverlay[]): Box[] {
  return overlays.map(({ placement }) => rectangleOf(placement)).filter((box) => box !== undefined);
}

/** Upright rectangles only: others have no simple cover. */
function rectangleOf(placement: OverlayPlacement): Box | undefined {
  if (placement.kind === 'quad' || placement.rotation !== 0) return undefined;
  return [placement.west, placement.south, placement.east, placement.north];
}

function intersects(a: Box, b: Box): boolean {
  const slackX = (a[2] - a[0]) * tolerance;
  const slackY = (a[3] - a[1]) * tolerance;
  return b[0] < a[2] - slackX && b[2] > a[0] + slackX && b[1] < a[3] - slackY && b[3] > a[1] + slackY;
}

function covers(rectangles: readonly Box[], box: Box): boolean {
  const slackX = (box[2] - box[0]) * tolerance;
  const slackY = (box[3] - box[1]) * tolerance;
  let left: Box[] = [box];
  for (const [west, south, east, north] of rectangles) {
    const pieces: Box[] = [];
    for (const piece of left) {
      const [w, s, e, n] = piece;
      if (west >= e || east <= w || south >= n || north <= s) {
        pieces.push(piece);
        continue;
      }
      if (west - w > slackX) pieces.push([w, s, west, n]);
      if (e - east > slackX) pieces.push([east, s, e, n]);
      const middleWest = Math.max(w, west);
      const middleEast = Math.min(e, east);
      if (south - s > slackY) pieces.push([middleWest, s, middleEast, south]);
      if (n - north > slackY) pieces.push([middleWest, north, middleEast, n]);
    }
    left = pieces;
    if (left.length === 0) return true;
    if (left.length > maxPieces) return false;
  }
  return false;
}
