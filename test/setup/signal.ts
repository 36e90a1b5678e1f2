import { fromArrayBuffer } from 'geotiff';

/** The dBm of a GeoTIFF, row by row, and at a place. */
export async function signalOf(file: Uint8Array | ArrayBuffer) {
  const { buffer } = new Uint8Array(file);
  const image = await (await fromArrayBuffer(buffer as ArrayBuffer)).getImage();
  const [values] = (await image.readRasters()) as unknown as [Float32Array];
  const [west, , , north] = image.getBoundingBox() as [number, number, number, number];
  const [dx, dy] = image.getResolution() as [number, number];
  const width = image.getWidth();
  return {
    values,
    at: ({ lat, lng }: { lat: number; lng: number }) =>
      values[Math.floor((lat - north) / dy) * width + Math.floor((lng - west) / dx)] as number,
  };
}
