import { readFileSync } from 'node:fs';
import path from 'node:path';
import { addressMissing, profileKept } from '../coverage/providers/providers.ts';
import { type Manifest, parseManifest } from '../coverage/submissions/manifest.ts';
import { reportLines } from '../ingest/report/report.ts';
import { CovermapError } from '../platform/errors.ts';
import { startWorkers } from '../workers/worker.ts';
import { flag, type Given, misused, option, optionLines, options, readPathArgument } from './arguments.ts';
import { delegateOrRun } from './delegate.ts';
import { asOneFile } from './geodatabase.ts';
import { showUntilEnd } from './progress.ts';
import { runCommand } from './run.ts';
import { type FollowedSubmission, stepOf, submitAndFollow } from './submit.ts';

const speed = (which: string) => option('MBPS', `the ${which} speed, where the file has no attribute for it`);
const speedField = (which: string) => option('FIELD', `the attribute with the ${which} speed, in Mbps`);

/** The options for speeds, by the field of a manifest; with `field-` before it, for its attribute. */
const speedOptions = {
  bandwidth_max_mbps: 'max-down',
  bandwidth_min_mbps: 'min-down',
  bandwidth_up_max_mbps: 'max-up',
  bandwidth_up_min_mbps: 'min-up',
} as const;

const table = {
  manifest: option(
    'FILE',
    'a manifest with everything about the file, as JSON; the options below override it',
  ),
  provider: option('NAME', 'the provider whose coverage it is; a new name creates the provider'),
  url: option('URL', "the provider's web address, which every answer shows; required for a new provider"),
  wholesale: option('Yes|No|Both', 'whether the provider sells wholesale only, to the public only, or both'),
  technology: option('NAME', 'such as fibre'),
  scope: option(
    'NAME',
    'a named part of the provider\'s coverage, such as a region or "planned": publishing replaces only coverage of the same scope',
  ),
  publish: flag('publish it automatically, unless its report has an issue that needs a review'),
  'max-down': speed('maximum download'),
  'min-down': speed('minimum download'),
  'max-up': speed('maximum upload'),
  'min-up': speed('minimum upload'),
  'field-max-down': speedField('maximum download'),
  'field-min-down': speedField('minimum download'),
  'field-max-up': speedField('maximum upload'),
  'field-min-up': speedField('minimum upload'),
  availability: option('WORD', 'available (default), underway or planned'),
  'planned-date': option('DATE', 'the planned completion date, such as 2027-03-31'),
  layer: options('NAME', 'read only this layer; may be repeated'),
  crs: option('EPSG:CODE', 'the coordinate reference system, where the file does not state it'),
};

const usage = `Usage: npm run ingest -- <file> --provider <name> --url <address> --technology <technology> [options]
       npm run ingest -- <file> --manifest <file.json> [options]

Submits a coverage file in any format of docs/operator/coverage-files.md, or a .gdb folder, waits until it is loaded, and prints its report.

${optionLines(table)}

Exit status: 0 loaded (and published, if requested), 1 the file cannot be used, 2 wrong usage,
3 loaded but not published: it needs a review, or a later submission is already published,
4 anything else failed.`;

/** The fields that have a value. */
const present = (fields: object): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

await runCommand(usage, async (words) => {
  const { file: named, given } = readPathArgument(words, usage, table);
  const manifest = manifestOf(given);
  const { path: file, name, remove } = await asOneFile(named);
  const submissions = delegateOrRun('ingest', { file, manifest }, async function* (application) {
    const workers = await startWorkers(application);
    try {
      yield* submitAndFollow(application, { path: file, name }, manifest);
    } finally {
      await workers.close();
    }
  });
  try {
    return reportOutcome(await showUntilEnd(path.basename(file), submissions, stepOf));
  } finally {
    await remove();
  }
});

function reportOutcome(submission: FollowedSubmission): number {
  const { state, error, report, manifest, blocking, profile } = submission;
  if (report) console.log(reportLines(report).join('\n'));
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
        `Loaded, not published: ${what}. Look at it and publish it at /operator#/submission/${submission.id}`,
      );
      return manifest.publish === 'auto' ? 3 : 0;
  }
}

function manifestOf(given: Given<typeof table>): Manifest {
  const described = given.manifest === undefined ? undefined : readManifest(given.manifest);
  const { provider: name, url, wholesale: wholesale_network, technology, scope, availability, crs } = given;
  if (!described && !(name && technology)) {
    throw misused('--provider and --technology are needed, or a --manifest.', usage);
  }
  const speeds: Record<string, number> = {};
  const attributes: Record<string, string> = {};
  for (const [field, option] of Object.entries(speedOptions)) {
    const { [option]: speed, [`field-${option}` as const]: attribute } = given;
    if (speed !== undefined) {
      if (!/^\d+(\.\d+)?$/.test(speed)) throw misused(`--${option} takes a number of Mbps.`, usage);
      speeds[field] = Number(speed);
    }
    if (attribute !== undefined) attributes[field] = attribute;
  }
  const provider = name === undefined ? undefined : present({ name, url, wholesale_network });
  try {
    return parseManifest({
      ...described,
      ...present({ provider, technology, scope, availability, crs }),
      ...present({ planned_date: given['planned-date'], layers: given.layer }),
      speeds: { ...Object(described?.speeds), ...speeds },
      attributes: { ...Object(described?.attributes), ...attributes },
      publish: given.publish ? 'auto' : (described?.publish ?? 'review'),
    });
  } catch (error) {
    if (error instanceof CovermapError) throw misused(error.message, usage);
    throw error;
  }
}

/** The manifest in a file; `file`, which the samples have, names the described file. */
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
