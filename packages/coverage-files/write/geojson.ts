import { readPolygons } from '@covermap/geometry/wkb.ts';
import { FileSink, type Layer, type LayerWriter, type Values } from './layer.ts';

/**
 * Writes polygons as GeoJSON (RFC 7946), a feature a line. Numbers have all their digits: reading them gives the same numbers.
 * Shells have to run counterclockwise, holes clockwise.
 */
export function geoJsonWriter(file: string, { fields }: Layer): LayerWriter {
  const sink = new FileSink(file);
  let before = '{"type":"FeatureCollection","features":[\n';
  const propertiesOf = (values: Values) =>
    JSON.stringify(Object.fromEntries(fields.map(({ name }, i) => [name, values[i]])));
  return {
    write(values, wkb) {
      const [polygon = []] = readPolygons(wkb);
      const coordinates = polygon.map(positionsOf).join(',');
      const text = `{"type":"Feature","properties":${propertiesOf(values)},"geometry":{"type":"Polygon","coordinates":[${coordinates}]}}`;
      sink.write(Buffer.from(before + text));
      before = ',\n';
    },
    end() {
      sink.write(Buffer.from(`${before === ',\n' ? '\n' : before}]}\n`));
      sink.end();
    },
  };
}

function positionsOf(ring: Float64Array): string {
  let text = '[';
  for (let i = 0; i < ring.length; i += 2) text += `${i === 0 ? '' : ','}[${ring[i]},${ring[i + 1]}]`;
  return `${text}]`;
}
