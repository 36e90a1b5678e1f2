import { addTier, beginDataset } from '../core/coverage/datasets/load.ts';
import { type BitmapCount, Canvas } from '../core/coverage/tiles/canvas.ts';
import { overviewZoom } from '../core/coverage/tiles/overview.ts';
import { seenAs } from '../core/coverage/tiles/speed-classes.ts';
import { type CopiedValue, copiedRows } from '../core/database/copy.ts';
import type { Database } from '../core/database/database.ts';
import type { Offer } from './attributes.ts';
import type { CoverageRead, RowsMessage } from './messages.ts';

/** A tier in the database, and how its rows are drawn. */
interface LoadedTier {
  id: number;
  dataset: number;
  offer: Offer;
  canvas: Canvas;
  seenAs: number;
}

/** The tiers of a load as the database has them, in the order of the reader's count, and the drawings of their datasets. */
export class LoadedTiers {
  readonly #database: Database;
  readonly #submissionId: string;
  readonly #tiers: LoadedTier[] = [];
  /** By technology. */
  readonly #datasets = new Map<string, number>();
  /** By dataset. */
  readonly canvases = new Map<number, Canvas>();
  readonly #drawn: BitmapCount = { bitmaps: 0 };

  constructor(database: Database, submissionId: string) {
    this.#database = database;
    this.#submissionId = submissionId;
  }

  get datasets(): number[] {
    return [...this.#datasets.values()];
  }

  async add(offer: Offer): Promise<void> {
    const dataset = await this.#datasetOf(offer);
    const canvas = this.canvases.get(dataset) ?? new Canvas(overviewZoom, this.#drawn);
    this.canvases.set(dataset, canvas);
    const value = seenAs({ availability: offer.availability, bandwidthMax: offer.bandwidth_max_mbps });
    const id = await addTier(this.#database, dataset, offer);
    this.#tiers.push({ id, dataset, offer, canvas, seenAs: value });
  }

  /** Gives rows the numbers of their tiers in the database, and draws them. */
  complete({ copy }: RowsMessage): void {
    const view = new DataView(copy.buffer, copy.byteOffset, copy.byteLength);
    for (const [tier, geometry] of copiedRows(copy) as Iterable<[CopiedValue, CopiedValue]>) {
      const { id, canvas, seenAs } = this.#tiers[view.getInt32(tier.at)] as LoadedTier;
      view.setInt32(tier.at, id);
      canvas.draw(copy.subarray(geometry.at, geometry.at + geometry.length), seenAs);
    }
  }

  /** The tiers with what the reader has counted of each. It may have met others of which no feature became a row. */
  with({ tiers }: CoverageRead) {
    return this.#tiers.map(({ dataset, offer }, i) => {
      const { rows, areaM2 } = tiers[i] ?? { rows: 0, areaM2: 0 };
      return { dataset, offer, rows, areaM2 };
    });
  }

  async #datasetOf({ technology }: Offer): Promise<number> {
    const known = this.#datasets.get(technology);
    if (known !== undefined) return known;
    const id = await beginDataset(this.#database, this.#submissionId, technology);
    this.#datasets.set(technology, id);
    return id;
  }
}
