import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { unfinishedStates } from '../coverage/submission-states.ts';
import { type Manifest, parseManifest } from '../coverage/submissions/manifest.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Application } from './application.ts';
import { showUntilEnd } from './progress.ts';
import { follow, stepOf, submit } from './submit.ts';

const folder = fileURLToPath(new URL('../samples/', import.meta.url));
const manifestEnding = '.manifest.json';
/** Samples that count as modelled by the service, for processing fees. */
const modelled = ['wireless-prediction.kmz', 'wireless-signal.tif'];

export interface Sample {
  file: string;
  /** The digest of the file, in hexadecimal digits. */
  sha256: string;
  manifest: Manifest;
  /** The id of its submission, where an earlier start was interrupted during its work. */
  id?: string;
}

export const samplePath = (file: string) => path.join(folder, file);

/** All samples, by the names of their manifests. */
export async function readSamples(): Promise<Sample[]> {
  const names = (await readdir(folder)).filter((one) => one.endsWith(manifestEnding)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { file, ...manifest } = JSON.parse(await readFile(samplePath(name), 'utf8'));
      const described = modelled.includes(file) ? { ...manifest, processed_by: 'service' } : manifest;
      const sha256 = createHash('sha256').update(await readFile(samplePath(file)));
      return { file, sha256: sha256.digest('hex'), manifest: parseManifest(described) };
    }),
  );
}

/** The samples that no earlier start has finished: by a command, for their provider, with their content or, of another version, their name. */
export async function newSamples(db: Queryable): Promise<Sample[]> {
  const samples = await readSamples();
  const { rows } = await db.query<{ unfinished: string | null; number: number }>(sql`
    select sample.number, max(s.id::text) filter (where s.state = any(${unfinishedStates})
      or (s.state = 'ready' and s.manifest ->> 'publish' = 'auto' and s.blocking is null)) as unfinished
    from unnest(${samples.map(({ file }) => file)}::text[], ${samples.map(({ sha256 }) => sha256)}::text[],
      ${samples.map(({ manifest }) => manifest.provider.name)}::text[])
      with ordinality as sample (file, sha256, provider, number)
    join submission s on s.token_id is null and s.manifest -> 'provider' ->> 'name' = sample.provider
      and (s.file_name = sample.file or s.sha256 = decode(sample.sha256, 'hex'))
    group by sample.number`);
  const known = new Map(rows.map(({ number, unfinished }) => [number, unfinished]));
  return samples.flatMap((sample, index) => {
    const id = known.get(index + 1);
    return id === null ? [] : [{ ...sample, ...(id && { id }) }];
  });
}

/** Submits samples like any other file, and waits until they are published. @returns the ids of their submissions */
export async function submitSamples(
  application: Application,
  samples: readonly Omit<Sample, 'sha256'>[],
): Promise<string[]> {
  const ids: string[] = [];
  // All at once, so that the worker goes from one to the next without a pause.
  for (const { file, manifest, id } of samples) {
    ids.push(
      id ?? (await submit(application, { path: samplePath(file), name: path.basename(file) }, manifest)),
    );
  }
  for (const [index, { file }] of samples.entries()) {
    await showUntilDone(application, file, ids[index] as string);
  }
  return ids;
}

async function showUntilDone(application: Application, file: string, id: string): Promise<void> {
  const title = `  samples/${file}`;
  const { error, blocking } = await showUntilEnd(title, follow(application, id), stepOf);
  const problem = error?.message ?? blocking?.[0]?.message;
  if (problem || process.stdout.isTTY) console.log(`${title}: ${problem ?? 'published'}`);
}
