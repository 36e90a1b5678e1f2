import { mkdtempSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { ReadOptions, Source, SourceFeature, SourceLayer } from '../format.ts';
import { openSource } from '../open.ts';

/* Reads files made by tests, as the service reads uploads. */

export const readAsItIs: ReadOptions = { layers: undefined, classes: undefined, smoothing: false };

/** Opens a file of these bytes. @param folder for the file and all that is unpacked of it */
export function openBytes(
  folder: string,
  name: string,
  bytes: Uint8Array | string,
  options: Partial<ReadOptions> = {},
): Promise<Source> {
  const scratch = mkdtempSync(path.join(folder, 'source-'));
  const file = path.join(scratch, 'upload');
  writeFileSync(file, bytes);
  return openSource(file, name, scratch, { ...readAsItIs, ...options });
}

/** A feature with its rings as lists and its attributes by name. */
export type ReadFeature = Omit<SourceFeature, 'attributes' | 'polygons'> & {
  polygons: number[][][];
  attributes: Record<string, string | null>;
};

export async function featuresOf(layer: SourceLayer): Promise<ReadFeature[]> {
  const features: ReadFeature[] = [];
  for await (const { polygons, attributes, ...rest } of layer.features()) {
    features.push({
      ...rest,
      polygons: polygons.map((polygon) => polygon.map((ring) => [...ring])),
      attributes: Object.fromEntries(layer.fields.map((name, i) => [name, attributes.text(i)])),
    });
  }
  return features;
}

/** The layers of a file of these bytes, with their features. */
export async function layersOf(...file: Parameters<typeof openBytes>) {
  const source = await openBytes(...file);
  try {
    const read = [];
    let bytesRead = 0;
    for (const layer of source.layers) {
      read.push({ ...layer, features: await featuresOf(layer) });
      bytesRead += layer.bytesRead();
    }
    expect(bytesRead).toBeCloseTo(source.bytesTotal, -1);
    return read;
  } finally {
    source.close();
  }
}
