import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';
import type { Config } from '../core/config.ts';
import { analyzeCoverage } from '../core/coverage/datasets/archive.ts';
import { isLoaded } from '../core/coverage/datasets/load.ts';
import { type LoadedCoverage, readLoaded, restoreLoaded } from '../core/coverage/datasets/loaded.ts';
import { publishSubmission } from '../core/coverage/datasets/publish.ts';
import { submitLocalFile } from '../core/coverage/submissions/submit.ts';
import type { Database } from '../core/database/database.ts';
import { today } from '../core/nz-time.ts';
import type { Application } from './application.ts';
import { type Sample, samplePath } from './samples.ts';

/*
 * What loading makes of the samples, kept with them: reading twelve files and normalising their areas takes ten seconds, to put the
 * outcome into the database takes one. All that has a time or a number, such as submissions, fees and the record of events, is made at
 * the start by the same functions as ever. `npm run template` makes the file.
 */

const archive = fileURLToPath(new URL('../samples/loaded.json.br', import.meta.url));

interface LoadedSamples {
  settings: Settings;
  samples: LoadedSample[];
}

interface LoadedSample {
  /** Of the file, in hexadecimal digits. */
  sha256: string;
  /** As JSON. */
  manifest: string;
  loaded: LoadedCoverage;
}

/** What of the configuration decides what is loaded of a file, and what its report warns about. */
type Settings = Pick<Config, 'serviceArea' | 'plausibility'>;
const settingsOf = ({ serviceArea, plausibility }: Config): Settings => ({ serviceArea, plausibility });

/**
 * Submits and publishes the samples that are kept loaded.
 * @returns those that a worker has to load, as their file, their manifest or the configuration is another
 */
export async function publishLoaded(
  { config, database, storage }: Application,
  samples: readonly Sample[],
): Promise<Sample[]> {
  const kept = await keptSamples(config);
  const left: Sample[] = [];
  for (const sample of samples) {
    const loaded = kept.find(isOf(sample))?.loaded;
    if (!loaded) {
      left.push(sample);
      continue;
    }
    const { file: name, manifest } = sample;
    const file = { path: samplePath(name), name };
    const id = sample.id ?? (await submitLocalFile(database, storage, file, manifest)).id;
    if (!(await isLoaded(database, id)) && !(await restoreLoaded(database, id, loaded))) {
      left.push({ ...sample, id });
      continue;
    }
    await publishSubmission(database, id, { laterStays: true, rules: config.publishBlocks });
  }
  if (left.length < samples.length) await analyzeCoverage(database);
  return left;
}

/** The kept samples that are as a worker would load them today; none where the file cannot be read. */
export async function keptSamples(config: Config): Promise<LoadedSample[]> {
  const { settings, samples = [] } = await readArchive();
  if (JSON.stringify(settings) !== JSON.stringify(settingsOf(config))) return [];
  return samples.filter(({ loaded }) => !isOverdue(loaded, today()));
}

async function readArchive(): Promise<Partial<LoadedSamples>> {
  try {
    const bytes = await promisify(brotliDecompress)(await readFile(archive));
    return JSON.parse(bytes.toString());
  } catch {
    return {};
  }
}

export const isOf =
  ({ sha256, manifest }: Sample) =>
  (kept: LoadedSample): boolean =>
    kept.sha256 === sha256 && kept.manifest === JSON.stringify(manifest);

/** Whether it plans for a day that has passed, of which the report of a file that is loaded now would warn. */
function isOverdue({ datasets }: LoadedCoverage, day: string): boolean {
  return datasets.some(({ tiers }) =>
    tiers.some(({ planned_date }) => planned_date !== null && planned_date < day),
  );
}

/** Writes the file from a database where workers have loaded the samples. @param samples with the ids of their submissions */
export async function writeLoadedSamples(
  database: Database,
  config: Config,
  samples: readonly (Sample & { id: string })[],
): Promise<void> {
  const content: LoadedSamples = { settings: settingsOf(config), samples: [] };
  for (const { id, sha256, manifest } of samples) {
    const loaded = await readLoaded(database, id);
    content.samples.push({ sha256, manifest: JSON.stringify(manifest), loaded });
  }
  const text = Buffer.from(JSON.stringify(content));
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  await writeFile(archive, await promisify(brotliCompress)(text, { params }));
}
