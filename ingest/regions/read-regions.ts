import type { SourceFeature, SourceLayer } from '@covermap/coverage-files/format.ts';
import { openSource } from '@covermap/coverage-files/open.ts';
import { pulse } from '@covermap/coverage-files/process/pulse.ts';
import { isTangle } from '@covermap/geometry/crossings.ts';
import { boxesMeet, boxOf, type Polygon, ringBox, vertexCount } from '@covermap/geometry/polygon.ts';
import { readPolygons, wkbOf } from '@covermap/geometry/wkb.ts';
import { type DropReason, dropReasons } from '../drop-reasons.ts';
import { IngestError } from '../errors.ts';
import type { ReaderMessage, ReaderTask, RegionsRead } from '../messages.ts';
import { Normaliser } from '../rows/normaliser.ts';
import {
  areSwapped,
  axesSwapped,
  type Position,
  questionOfSystem,
  type ReferenceSystem,
  referenceSystems,
} from '../systems/reference-system.ts';
import { transformer } from '../systems/transform.ts';
import { Outlines } from './outline.ts';
import { OverlapFinder } from './overlap.ts';

/* Reads a layer of regions: valid polygons in degrees, in pieces, by the names of their regions. */

type Task = Extract<ReaderTask, { kind: 'regions' }>;
type Send = (message: ReaderMessage, transfer?: ArrayBuffer[]) => Promise<void>;

const maxRegions = 10_000;
/** 80 MB of areas. */
const maxVertices = 5_000_000;
const maxNameLength = 200;
/** Bytes of a message. */
const maxBytes = 512 * 1024;

/** @throws IngestError `regions_layers`, `regions_column`, `regions_unnamed`, `regions_dropped`, `regions_overlap`, `regions_too_large`, and those of the readers */
export async function readRegions(task: Task, send: Send): Promise<void> {
  const { west, south, east, north } = task.serviceArea;
  const source = await openSource(task.file, task.name, task.scratch, {
    ...{ layers: undefined, classes: undefined, smoothing: false },
  });
  const normaliser = new Normaliser([west, south, east, north], (task.memoryMb * 1024 * 1024) / 2);
  try {
    const [layer, ...others] = source.layers.filter(({ raster }) => !raster);
    if (!layer || others.length > 0) {
      const names = source.layers.map(({ name }) => name).join(', ');
      throw new IngestError('regions_layers', `The file has ${source.layers.length} layers: ${names}.`);
    }
    await readLayer(layer, task, normaliser, send);
  } finally {
    await normaliser.close();
    source.close();
  }
}

async function readLayer(layer: SourceLayer, task: Task, normaliser: Normaliser, send: Send): Promise<void> {
  const { west, south, east, north } = task.serviceArea;
  const field = nameField(layer, task.column);
  const places = new Map<string, number>();
  const outlines = new Outlines();
  const overlap = new OverlapFinder(task.serviceArea);
  const dropped: Partial<Record<DropReason, number>> = {};
  const report: Omit<RegionsRead['report'], 'regions' | 'overlap_percent' | 'dropped'> = {
    ...{ features: 0, vertices: 0, system: '', column: layer.fields[field] as string },
    ...{ outside: 0, clipped: 0, repaired: 0 },
  };
  const pieces = pieceSender(send);
  let transform: ReturnType<typeof transformer> | undefined;
  const drop = (reason: DropReason) => {
    dropped[reason] = (dropped[reason] ?? 0) + 1;
  };

  async function take(feature: SourceFeature): Promise<void> {
    if (feature.dropped) return drop(feature.dropped);
    if (isTangle(feature.polygons)) return drop('crosses_itself_too_often');
    if (!transform) {
      const system = await systemOf(layer, task, feature);
      report.system = system.name;
      transform = transformer(system, [west, south, east, north]);
    }
    report.vertices += vertexCount(feature.polygons);
    if (report.vertices > maxVertices)
      throw new IngestError('regions_too_large', `The layer has more than ${maxVertices} vertices.`);
    const found = transform(feature.polygons);
    if (found === 'outside_service_area') report.outside++;
    else if (typeof found === 'string') drop(found);
    else await takeInDegrees(feature, found.polygons, found.readyM2 !== undefined && !feature.repaired);
  }

  async function takeInDegrees(feature: SourceFeature, polygons: readonly Polygon[], isReady: boolean) {
    // The memory of polygons is used again for the next feature.
    const outer = polygons.map((polygon) => polygon.map((ring) => ring.slice()));
    normaliser.beginBatch();
    const result = isReady ? undefined : await normaliser.normalise(polygons);
    if (typeof result === 'string') return drop(result);
    if (result?.dropped === 'outside_service_area') {
      report.outside++;
      return;
    }
    if (result?.dropped) return drop(result.dropped);
    if (result?.clipped) report.clipped++;
    if (result?.flaw || result?.hadSlivers || feature.repaired) report.repaired++;
    const region = regionOf(feature, field, places, report.features);
    for (const polygon of outer)
      if (polygon[0] && boxesMeet(ringBox(polygon[0]), [west, south, east, north]))
        outlines.add(region, polygon);
    for (const polygon of result ? readPolygons(result.pieces) : outer) {
      overlap.add(region, polygon, boxOf([polygon]));
      await pieces.add(region, wkbOf([polygon]));
    }
  }

  for await (const feature of layer.features()) {
    report.features++;
    pulse();
    await take(feature);
  }
  await pieces.end();
  const sum = Object.values(dropped).reduce((all, count) => all + count, 0);
  if (sum > 0 && !task.accept.includes('dropped'))
    throw new IngestError(
      'regions_dropped',
      `${sum} of ${report.features} areas cannot be used: ${Object.entries(dropped)
        .map(([reason, count]) => `${count} ${dropReasons[reason as DropReason]}`)
        .join(', ')}.`,
    );
  const percent = overlap.percent();
  if (percent > maxOverlapPercent && !task.accept.includes('overlap'))
    throw new IngestError('regions_overlap', `${percent}% of the ground is in several regions.`);
  if (places.size === 0)
    throw new IngestError('no_areas', `None of the ${report.features} areas lies in the service area.`);
  const all = { ...report, regions: places.size, dropped: sum, overlap_percent: percent };
  await send({
    type: 'regions',
    read: { names: [...places.keys()], outlines: outlines.take(), report: all },
  });
}

/** Borders that were drawn twice overlap a little. */
const maxOverlapPercent = 0.1;

/** The attribute with the names: the one that is asked for, or the only one that says so. */
function nameField({ fields }: SourceLayer, column: string | undefined): number {
  const isIt = (field: string) =>
    column === undefined ? /name/i.test(field) : field.toLowerCase() === column.toLowerCase();
  const found = fields.flatMap((field, i) => (isIt(field) ? [i] : []));
  const [first] = found;
  if (first !== undefined && found.length === 1) return first;
  throw new IngestError(
    'regions_column',
    `${column === undefined ? 'It is not clear which attribute has the names of the regions' : `There is no attribute ${column}`}. The layer has ${fields.slice(0, 40).join(', ') || 'none'}.`,
  );
}

function regionOf(
  feature: SourceFeature,
  field: number,
  places: Map<string, number>,
  number: number,
): number {
  const name = (feature.attributes.text(field) ?? '').replace(/\s+/g, ' ').trim().toWellFormed();
  if (name === '' || name.length > maxNameLength || /\p{Cc}/u.test(name))
    throw new IngestError('regions_unnamed', `Area ${number} has no name that can be used.`);
  const region = places.get(name) ?? places.size;
  places.set(name, region);
  if (places.size > maxRegions)
    throw new IngestError('regions_too_large', `The layer has more than ${maxRegions} regions.`);
  return region;
}

/** @param feature the first one */
async function systemOf(layer: SourceLayer, task: Task, feature: SourceFeature): Promise<ReferenceSystem> {
  const { serviceArea } = task;
  const positions = feature.polygons.flatMap(([ring]): Position[] => {
    const [x, y] = ring ?? [];
    return x === undefined || y === undefined ? [] : [[x, y]];
  });
  const definition = task.crs ?? layer.referenceSystem?.definition;
  if (definition === undefined) throw await questionOfSystem(layer.name, positions, serviceArea);
  const system = await referenceSystems(serviceArea)(definition);
  if (areSwapped(system, positions, serviceArea)) throw axesSwapped(system);
  return system;
}

/** Sends polygons in messages of at most {@link maxBytes}. */
function pieceSender(send: Send) {
  let region = -1;
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  async function end(): Promise<void> {
    if (bytes === 0) return;
    const areas = new Uint8Array(bytes);
    let at = 0;
    for (const one of waiting) {
      areas.set(one, at);
      at += one.length;
    }
    [waiting, bytes] = [[], 0];
    await send({ type: 'regionAreas', region, areas }, [areas.buffer]);
  }
  return {
    end,
    async add(of: number, polygon: Uint8Array): Promise<void> {
      if (of !== region || bytes + polygon.length > maxBytes) await end();
      region = of;
      waiting.push(polygon);
      bytes += polygon.length;
    },
  };
}
