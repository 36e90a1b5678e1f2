import { errorOf, unreachableError } from '../client.ts';
import { type MapColours, mapColours } from './colours.ts';
import type { Overlay } from './map.ts';

/* The signal modelled from towers, as a picture in adjustable colours. */

/** The picture's bounds in degrees, WGS 84; its rows are even in Web Mercator. */
export type PicturePlace = { west: number; south: number; east: number; north: number };

export type SignalPicture = Awaited<ReturnType<typeof loadPicture>>;

/** The picture: a byte a pixel, 0 for no signal, else decibels above the floor. @throws CovermapApiError where it cannot be loaded */
export async function loadPicture(address: string, place: PicturePlace, floorDbm: number) {
  const unreached = () => {
    throw unreachableError();
  };
  const response = await fetch(address).catch(unreached);
  if (!response.ok) throw errorOf(response.status, await response.text().catch(unreached));
  const image = await createImageBitmap(await response.blob().catch(unreached), {
    colorSpaceConversion: 'none',
  });
  const { width, height } = image;
  const { context } = canvasOf(width, height);
  context.drawImage(image, 0, 0);
  image.close();
  const { data } = context.getImageData(0, 0, width, height);
  const greys = new Uint8Array(width * height);
  for (let i = 0; i < greys.length; i++) greys[i] = data[4 * i] as number;
  return { width, height, greys, place, floorDbm };
}

/** The area of each grey in km2; the area above a threshold is a sum of these. */
export function areasByGrey({ width, height, greys, place }: SignalPicture): Float64Array {
  const areas = new Float64Array(256);
  const [top, bottom] = [mercator(place.north), mercator(place.south)];
  const ofPixel = (((place.east - place.west) * Math.PI) / 180 / width) * ((top - bottom) / height);
  for (let y = 0; y < height; y++) {
    // Mercator enlarges both sides of a pixel by one over the cosine of its latitude.
    const shrunk = 1 / Math.cosh(top + ((y + 0.5) / height) * (bottom - top));
    const km2 = ofPixel * (earthRadiusKm * shrunk) ** 2;
    for (let x = 0; x < width; x++) {
      const grey = greys[y * width + x] as number;
      areas[grey] = (areas[grey] as number) + km2;
    }
  }
  return areas;
}

const earthRadiusKm = 6371;
const mercator = (lat: number) => Math.asinh(Math.tan((lat * Math.PI) / 180));

/** The class of each grey, the strongest first; -1 for too weak or none. @param thresholds in dBm, falling */
export function classesByGrey(thresholds: readonly number[], floorDbm: number): Int8Array {
  return Int8Array.from({ length: 256 }, (_, grey) =>
    grey === 0 ? -1 : thresholds.findIndex((dbm) => grey + floorDbm >= dbm),
  );
}

/** The name of a class's colour: the strongest class has that of the fastest speed. */
export function colourOf(index: number, count: number): `speeds-${number}` {
  return `speeds-${4 - Math.min(4, Math.floor((index * 5) / Math.max(5, count)))}`;
}

/** The picture in the colours of classes, as an overlay; signals below all classes stay faint. Uses the page's current colours. */
export function signalOverlay(picture: SignalPicture, thresholds: readonly number[]): Overlay {
  const { canvas, context } = canvasOf(picture.width, picture.height);
  paint(picture, thresholds, mapColours(), context);
  const { west, south, east, north } = picture.place;
  return {
    sources: {
      signal: {
        type: 'canvas',
        canvas,
        animate: false,
        coordinates: [
          [west, north],
          [east, north],
          [east, south],
          [west, south],
        ],
      },
    },
    layers: () => [
      {
        id: 'signal',
        type: 'raster',
        source: 'signal',
        paint: { 'raster-resampling': 'nearest', 'raster-fade-duration': 0 },
      },
    ],
  };
}

function paint(
  { width, height, greys, floorDbm }: SignalPicture,
  thresholds: readonly number[],
  colours: MapColours,
  context: CanvasRenderingContext2D,
): void {
  const classes = classesByGrey(thresholds, floorDbm);
  const ofGrey = Uint32Array.from({ length: 256 }, (_, grey) => {
    if (grey === 0) return 0;
    const index = classes[grey] as number;
    if (index < 0) return rgba(colours.unchanged, 0.3);
    return rgba(colours.speeds[Number(colourOf(index, thresholds.length).slice(-1))] as string, 0.75);
  });
  const image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < greys.length; i++) pixels[i] = ofGrey[greys[i] as number] as number;
  context.putImageData(image, 0, 0);
}

/** #rrggbb as a pixel of a canvas in memory. */
function rgba(colour: string, opacity: number): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return new Uint32Array(Uint8Array.of(red, green, blue, Math.round(255 * opacity)).buffer)[0] as number;
}

function canvasOf(width: number, height: number) {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  return { canvas, context: canvas.getContext('2d') as CanvasRenderingContext2D };
}
