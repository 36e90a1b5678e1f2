import { readPolygons } from '@covermap/geometry/wkb.ts';
import { magicbytes } from 'flatgeobuf/lib/mjs/constants.js';
import { ColumnType } from 'flatgeobuf/lib/mjs/flat-geobuf/column-type.js';
import { GeometryType } from 'flatgeobuf/lib/mjs/flat-geobuf/geometry-type.js';
import { buildFeature } from 'flatgeobuf/lib/mjs/generic/feature.js';
import { buildHeader } from 'flatgeobuf/lib/mjs/generic/featurecollection.js';
import { FileSink, type Layer, type LayerWriter } from './layer.ts';

const columnTypes = { text: ColumnType.String, number: ColumnType.Double, integer: ColumnType.Int };
const wgs84 = 4326;

/** Writes FlatGeobuf as a stream, and so without its spatial index: `convertLayers` adds one. */
export function flatGeobufWriter(file: string, { fields, geometry, features }: Layer): LayerWriter {
  const sink = new FileSink(file);
  const columns = fields.map(({ name, type }) => ({
    ...{ name, type: columnTypes[type], title: null, description: null },
    ...{ width: -1, precision: -1, scale: -1, nullable: true, unique: false, primary_key: false },
  }));
  const header = {
    ...{ geometryType: GeometryType[geometry], columns, featuresCount: features, indexNodeSize: 0 },
    ...{ envelope: null, crs: null, title: null, description: null, metadata: null },
  };
  sink.write(magicbytes);
  sink.write(buildHeader(header, wgs84));
  return {
    write(values, wkb) {
      const properties = Object.fromEntries(fields.map(({ name }, i) => [name, values[i] ?? null]));
      // @ts-expect-error: an attribute without a value is null, which its types do not know.
      sink.write(buildFeature(geometry === 'Point' ? pointOf(wkb) : polygonOf(wkb), properties, header));
    },
    end: () => sink.end(),
  };
}

function pointOf(wkb: Uint8Array) {
  const view = new DataView(wkb.buffer, wkb.byteOffset);
  return { type: GeometryType.Point, xy: [view.getFloat64(5, true), view.getFloat64(13, true)] };
}

function polygonOf(wkb: Uint8Array) {
  const [polygon = []] = readPolygons(wkb);
  const xy = polygon.flatMap((ring) => [...ring]);
  let end = 0;
  const ends = polygon.map((ring) => {
    end += ring.length / 2;
    return end;
  });
  return { type: GeometryType.Polygon, xy, ends };
}
