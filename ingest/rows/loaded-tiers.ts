import { addTier, beginDataset } from '../../coverage/datasets/load.ts';
import { type BitmapCount, Canvas } from '../../coverage/tiles/canvas.ts';
import { overviewZoom } from '../../coverage/tiles/overview.ts';
import { speedClassOf } from '../../coverage/tiles/speed-classes.ts';
import { type CopiedValue, copiedRows } from '../../platform/database/copy.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Offer } from '../attributes/contradictions.ts';
import type { CoverageRead, RowsMessage } from '../messages.ts';

interface LoadedTier {
  id: number;
  dataset: number;
  offer: Offer;
  canvas: Canvas;
  speedClass: number;
}

export type LoadedTiers = ReturnType<typeof loadedTiers>;

/** A load's tiers in the database, in the order of the reader's indexes, and the drawings of their datasets. */
export function loadedTiers(database: Database, submissionId: string) {
  const tiers: LoadedTier[] = [];
  const datasetOf = new Map<string, number>();
  /** By dataset. */
  const canvases = new Map<number, Canvas>();
  const drawn: BitmapCount = { bitmaps: 0 };
  return {
    canvases,
    datasets: (): number[] => [...datasetOf.values()],

    async add(offer: Offer): Promise<void> {
      const { technology, availability, bandwidth_max_mbps: bandwidthMax } = offer;
      const dataset = datasetOf.get(technology) ?? (await beginDataset(database, submissionId, technology));
      datasetOf.set(technology, dataset);
      const canvas = canvases.get(dataset) ?? new Canvas(overviewZoom, drawn);
      canvases.set(dataset, canvas);
      const id = await addTier(database, dataset, offer);
      tiers.push({ id, dataset, offer, canvas, speedClass: speedClassOf({ availability, bandwidthMax }) });
    },

    /** Puts the database's tier ids into rows, and draws them. */
    complete({ copy }: RowsMessage): void {
      const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
      for (const [tier, geometry] of copiedRows(copy) as Iterable<[CopiedValue, CopiedValue]>) {
        const { id, canvas, speedClass } = tiers[view.getInt32(tier.at)] as LoadedTier;
        view.setInt32(tier.at, id);
        canvas.draw(copy.subarray(geometry.at, geometry.at + geometry.length), speedClass);
      }
    },

    /** The tiers with the reader's counts, which may include tiers without rows. */
    with: ({ tiers: counted }: CoverageRead) =>
      tiers.map(({ dataset, offer }, i) => ({ dataset, offer, ...(counted[i] ?? { rows: 0, areaM2: 0 }) })),
  };
}
