import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import { addressMissing, profileKept } from '../core/coverage/lookup/providers.ts';
import { type Manifest, parseManifest } from '../core/coverage/submissions/manifest.ts';
import { CovermapError } from '../core/errors.ts';
import { reportText } from '../ingest/report.ts';
import { startWorkers } from '../workers/worker.ts';
import { misused, readFileArguments } from './arguments.ts';
import { delegateOrRun } from './delegate.ts';
import { asOneFile } from './geodatabase.ts';
import { progressDisplay } from './progress.ts';
import { runCommand } from './run.ts';
import { type FollowedSubmission, stepOf, submitAndFollow } from './submit.ts';

const usage = `Usage: npm run ingest -- <file> --provider <name> --url <address> --technology <technology> [options]
       npm run ingest -- <file> --manifest <file.json> [options]

Reads coverage in any of the formats of docs/coverage-files.md, also a .gdb folder, loads it, and says what was made of it.

  --manifest FILE          all that can be said of a file, as JSON; the options below count before it

  --provider NAME          whose coverage it is; created where the name is new
  --technology NAME        fibre, cable, vdsl, wireless or adsl
  --scope NAME             the part of the provider's coverage that it is, such as a region or "planned": only what is
                           published under the same name is replaced
  --publish                answer from it at once, in place of the provider's previous version, unless its
                           report has something that somebody should look at first
  --max-down, --min-down, --max-up, --min-up MBPS
                           speeds, where the attributes of the file name none
  --field-max-down, --field-min-down, --field-max-up, --field-min-up FIELD
                           the attribute that holds a speed, in Mbps
  --availability WORD      available (unless given), underway or planned
  --planned-date DATE      when it is to be completed, as 2027-03-31
  --layer NAME             read this layer only; may be given several times
  --crs EPSG:CODE          the reference system, where the file names none
  --url URL                the provider's web address, which every answer shows; needed where the name is new
  --wholesale Yes|No|Both  whether the provider sells to other providers only, to the public only, or to both

Exit status: 0 loaded (and published, if asked for), 1 the file cannot be used, 2 wrong usage,
3 loaded, but held back to be looked at, or a later submission is published already,
4 something else failed.`;

const options = {
  manifest: { type: 'string' },
  provider: { type: 'string' },
  technology: { type: 'string' },
  scope: { type: 'string' },
  publish: { type: 'boolean' },
  'max-down': { type: 'string' },
  'min-down': { type: 'string' },
  'max-up': { type: 'string' },
  'min-up': { type: 'string' },
  'field-max-down': { type: 'string' },
  'field-min-down': { type: 'string' },
  'field-max-up': { type: 'string' },
  'field-min-up': { type: 'string' },
  availability: { type: 'string' },
  'planned-date': { type: 'string' },
  layer: { type: 'string', multiple: true },
  crs: { type: 'string' },
  url: { type: 'string' },
  wholesale: { type: 'string' },
} as const satisfies ParseArgsConfig['options'];

type Values = NonNullable<ReturnType<typeof readFileArguments<typeof options>>>['values'];

const speedOptions = {
  bandwidth_max_mbps: 'max-down',
  bandwidth_min_mbps: 'min-down',
  bandwidth_up_max_mbps: 'max-up',
  bandwidth_up_min_mbps: 'min-up',
} as const;

// npm run ingest -- <file>: submits a file and waits for its outcome.
await runCommand(async () => {
  const given = readFileArguments(options, usage);
  if (!given) {
    console.log(usage);
    return 0;
  }
  const manifest = manifestOf(given.values);
  const { path: file, name, remove } = await asOneFile(given.file);
  const submissions = delegateOrRun('ingest', { file, manifest }, async function* (application) {
    const workers = await startWorkers(application);
    try {
      yield* submitAndFollow(application, { path: file, name }, manifest);
    } finally {
      await workers.close();
    }
  });
  try {
    return await follow(submissions, file);
  } finally {
    await remove();
  }
});

async function follow(submissions: AsyncIterable<FollowedSubmission>, file: string): Promise<number> {
  const display = progressDisplay(path.basename(file));
  let last: FollowedSubmission | undefined;
  try {
    for await (const submission of submissions) {
      display.show(stepOf(submission));
      last = submission;
    }
  } finally {
    display.stop();
  }
  if (!last) throw new Error('the submission was never seen');
  return reportOutcome(last);
}

function reportOutcome(submission: FollowedSubmission): number {
  const { state, error, report, manifest, blocking, profile } = submission;
  if (report) console.log(reportText(report));
  const technologies = new Set(report?.tiers.map(({ technology }) => technology) ?? []);
  const what = `${manifest.provider.name}, ${[...technologies].join(' and ') || manifest.technology}`;
  switch (state) {
    case 'failed':
      console.error(`Failed: ${error?.message} (${error?.code})`);
      if (error?.hint) console.error(error.hint);
      console.error('What was published before still is.');
      return 1;
    case 'published':
      console.log(`Published: ${what}. Lookups answer from it now.`);
      return 0;
    case 'superseded':
      console.error(`Not published: a later submission of ${what} is published already.`);
      return 3;
    default:
      for (const { message } of profileKept(profile)) console.error(`Note: ${message}`);
      for (const { message } of [...(blocking ?? []), ...addressMissing(profile)]) {
        console.error(`Held back: ${message}`);
      }
      console.log(
        `Loaded, not published: ${what}. To publish it: npm run admin -- submission publish ${submission.id}`,
      );
      return manifest.publish === 'auto' ? 3 : 0;
  }
}

function manifestOf(values: Values): Manifest {
  const described = values.manifest === undefined ? undefined : readManifest(values.manifest);
  if (!described && !(values.provider && values.technology)) {
    throw misused('--provider and --technology are needed, or a --manifest.', usage);
  }
  const speeds: Record<string, number> = {};
  const attributes: Record<string, string> = {};
  for (const [field, option] of Object.entries(speedOptions)) {
    const speed = values[option];
    if (speed !== undefined) {
      if (!/^\d+(\.\d+)?$/.test(speed)) throw misused(`--${option} takes a number of Mbps.`, usage);
      speeds[field] = Number(speed);
    }
    const attribute = values[`field-${option}`];
    if (attribute !== undefined) attributes[field] = attribute;
  }
  const provider = values.provider !== undefined && {
    name: values.provider,
    ...(values.url === undefined ? {} : { url: values.url }),
    ...(values.wholesale === undefined ? {} : { wholesale_network: values.wholesale }),
  };
  const given = {
    provider: provider || undefined,
    technology: values.technology,
    scope: values.scope,
    availability: values.availability,
    planned_date: values['planned-date'],
    layers: values.layer,
    crs: values.crs,
  };
  try {
    return parseManifest({
      ...described,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      speeds: { ...Object(described?.speeds), ...speeds },
      attributes: { ...Object(described?.attributes), ...attributes },
      publish: values.publish ? 'auto' : (described?.publish ?? 'review'),
    });
  } catch (error) {
    if (error instanceof CovermapError) throw misused(error.message, usage);
    throw error;
  }
}

/** The manifest in a file; `file`, which the samples have, is a note of whose it is. */
function readManifest(name: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(name, 'utf8'));
  } catch (error) {
    throw misused(`The manifest ${name} cannot be read: ${(error as Error).message}`, usage);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw misused(`The manifest ${name} is not a JSON object.`, usage);
  }
  const { file: _, ...manifest } = content as Record<string, unknown>;
  return manifest;
}
