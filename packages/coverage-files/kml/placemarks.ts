import { dropped, type SourceFeature, type SourceLayer, TextAttributes } from '../format.ts';
import { attributesOf, styleOf } from './attributes.ts';
import { Containers } from './containers.ts';
import { cutElements } from './cut.ts';
import { textOf, type XmlElement } from './element.ts';
import { areasOf } from './polygons.ts';
import type { Scan } from './scan.ts';

/* The second pass over a KML: its placemarks as features. */

/** A placemark's fields beside its extended data. An attribute of the same name takes precedence. */
const ownFields = ['name', 'description', 'folder', 'style'] as const;

const parts: ReadonlySet<string> = new Set(['name', 'Placemark']);

export function placemarkLayer(
  name: string,
  format: string,
  scans: readonly Scan[],
  selected: (folders: readonly string[]) => boolean,
): SourceLayer {
  const fields = [...new Set(scans.flatMap((scan) => [...scan.fields]))];
  const taken = new Set(fields.map((field) => field.toLowerCase()));
  fields.push(...ownFields.filter((field) => !taken.has(field)));
  const positions = new Map(fields.map((field, i) => [field, i]));
  const isOfNumbers = (field: string) =>
    taken.has(field.toLowerCase()) &&
    scans.every((scan) => !scan.fields.has(field) || (scan.numbers.has(field) && !scan.others.has(field)));
  let bytes = 0;
  return {
    name,
    format,
    referenceSystem: { definition: 'EPSG:4326', from: 'format' },
    fields,
    kinds: fields.map((field) => (isOfNumbers(field) ? 'number' : undefined)),
    warnings: [],
    bytesRead: () => bytes,
    async *features() {
      let id = 0;
      for (const scan of scans) {
        const containers = new Containers();
        const onBytes = (count: number) => {
          bytes += count;
        };
        for await (const cuts of cutElements(scan.entry, { elements: parts, coordinates: true, onBytes })) {
          for (const cut of cuts) {
            const placemark = containers.take(cut);
            const folders = containers.names();
            if (placemark && ++id && selected(folders))
              yield { ...toFeature(id, placemark, containers.folder(), scan, positions), folders };
          }
        }
      }
    },
  };
}

function toFeature(
  id: number,
  placemark: XmlElement,
  folder: string,
  scan: Scan,
  positions: ReadonlyMap<string, number>,
): SourceFeature {
  const areas = placemark.tooLarge ? dropped('too_many_vertices') : areasOf(placemark);
  const name = textOf(placemark, 'name');
  const values: (string | null)[] = [];
  const set = (field: string, value: string) => {
    const position = positions.get(field);
    if (position !== undefined && values[position] === undefined) values[position] = value || null;
  };
  for (const [field, value] of attributesOf(placemark)) set(field, value);
  set('name', name);
  set('description', textOf(placemark, 'description'));
  set('folder', folder);
  set('style', styleOf(placemark, scan.styleMaps));
  return { id, name: name || undefined, ...areas, attributes: new TextAttributes(values) };
}
