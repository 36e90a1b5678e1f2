import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addressMissing, profileKept } from '../core/coverage/lookup/providers.ts';
import { type Manifest, parseManifest } from '../core/coverage/submissions/manifest.ts';
import { CovermapError } from '../core/errors.ts';
import { reportText } from '../ingest/report.ts';
import { startWorkers } from '../workers/worker.ts';
import { type FileArguments, misused, readFileArguments } from './arguments.ts';
import { delegateOrRun } from './delegate.ts';
import { asOneFile } from './geodatabase.ts';
import { progressDisplay } from './progress.ts';
import { runCommand } from './run.ts';
import { type FollowedSubmission, stepOf, submitAndFollow } from './submit.ts';

const usage = `Usage: npm run ingest -- <file> --provider <name> --url <address> --technology <technology> [options]
       npm run ingest -- <file> --manifest <file.json> [options]

Submits a coverage file in any format of docs/operator/coverage-files.md, or a .gdb folder, waits until it is loaded, and prints its report.

  --manifest FILE          a manifest with everything about the file, as JSON; the options below override it

  --provider NAME          the provider whose coverage it is; a new name creates the provider
  --url URL                the provider's web address, which every answer shows; required for a new provider
  --wholesale Yes|No|Both  whether the provider sells wholesale only, to the public only, or both
  --technology NAME        fibre, cable, vdsl, wireless or adsl
  --scope NAME             a named part of the provider's coverage, such as a region or "planned": publishing replaces
                           only coverage of the same scope
  --publish                publish it automatically, unless its report has an issue that needs a review
  --max-down, --min-down, --max-up, --min-up MBPS
                           speeds, where the file has no attributes for them
  --field-max-down, --field-min-down, --field-max-up, --field-min-up FIELD
                           the attribute with a speed, in Mbps
  --availability WORD      available (default), underway or planned
  --planned-date DATE      the planned completion date, such as 2027-03-31
  --layer NAME             read only this layer; may be repeated
  --crs EPSG:CODE          the coordinate reference system, where the file does not state it

Exit status: 0 loaded (and published, if requested), 1 the file cannot be used, 2 wrong usage,
3 loaded but not published: it needs a review, or a later submission is already published,
4 anything else failed.`;

const speedOptions = {
  bandwidth_max_mbps: 'max-down',
  bandwidth_min_mbps: 'min-down',
  bandwidth_up_max_mbps: 'max-up',
  bandwidth_up_min_mbps: 'min-up',
};

// npm run ingest -- <file>: submits a file and waits for its outcome.
await runCommand(usage, async (words) => {
  const args = readFileArguments(words, usage);
  const manifest = manifestOf(args);
  const { path: file, name, remove } = await asOneFile(args.file);
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
      console.error('Live coverage is unchanged.');
      return 1;
    case 'published':
      console.log(`Published: ${what}. Lookups answer from it now.`);
      return 0;
    case 'superseded':
      console.error(`Not published: a later submission of ${what} is already published.`);
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

function manifestOf({ has, value, values }: FileArguments): Manifest {
  const manifestFile = value('manifest');
  const described = manifestFile === undefined ? undefined : readManifest(manifestFile);
  const name = value('provider');
  if (!described && !(name && value('technology'))) {
    throw misused('--provider and --technology are needed, or a --manifest.', usage);
  }
  const speeds: Record<string, number> = {};
  const attributes: Record<string, string> = {};
  for (const [field, option] of Object.entries(speedOptions)) {
    const speed = value(option);
    if (speed !== undefined) {
      if (!/^\d+(\.\d+)?$/.test(speed)) throw misused(`--${option} takes a number of Mbps.`, usage);
      speeds[field] = Number(speed);
    }
    const attribute = value(`field-${option}`);
    if (attribute !== undefined) attributes[field] = attribute;
  }
  try {
    return parseManifest({
      ...described,
      ...given({
        provider:
          name === undefined
            ? undefined
            : given({ name, url: value('url'), wholesale_network: value('wholesale') }),
        technology: value('technology'),
        scope: value('scope'),
        availability: value('availability'),
        planned_date: value('planned-date'),
        layers: values('layer'),
        crs: value('crs'),
      }),
      speeds: { ...Object(described?.speeds), ...speeds },
      attributes: { ...Object(described?.attributes), ...attributes },
      publish: has('publish') ? 'auto' : (described?.publish ?? 'review'),
    });
  } catch (error) {
    if (error instanceof CovermapError) throw misused(error.message, usage);
    throw error;
  }
}

/** The fields that have a value. */
function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
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
