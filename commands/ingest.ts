import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { readConfig } from '../core/config.ts';
import { addressMissing, profileKept } from '../core/coverage/lookup/providers.ts';
import { type Manifest, parseManifest } from '../core/coverage/submissions/manifest.ts';
import { CovermapError } from '../core/errors.ts';
import { reportText } from '../ingest/report.ts';
import { startWorkers } from '../workers/worker.ts';
import { openApplication } from './application.ts';
import { askRunning } from './control.ts';
import { asOneFile } from './geodatabase.ts';
import { progressDisplay } from './progress-bar.ts';
import { runCommand } from './run.ts';
import { type FollowedSubmission, submitAndFollow } from './submit.ts';

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
  help: { type: 'boolean' },
} as const satisfies ParseArgsConfig['options'];

const speedOptions = {
  bandwidth_max_mbps: 'max-down',
  bandwidth_min_mbps: 'min-down',
  bandwidth_up_max_mbps: 'max-up',
  bandwidth_up_min_mbps: 'min-up',
} as const;

// npm run ingest -- <file>: hands a file in and waits for what becomes of it.
await runCommand(async () => {
  const call = readArguments();
  if (call === 'help') {
    console.log(usage);
    return 0;
  }
  const { manifest } = call;
  const { path: file, name, remove } = await asOneFile(call.file);
  try {
    return await submit(file, name, manifest);
  } finally {
    await remove();
  }
});

/** @returns the exit status */
async function submit(file: string, name: string, manifest: Manifest): Promise<number> {
  const config = readConfig();
  const running = config.databaseUrl
    ? undefined
    : await askRunning<FollowedSubmission>(config.dataDir, 'ingest', { file, manifest });
  if (running) return follow(running, file);

  const application = await openApplication({
    ...config,
    logLevel: process.env.LOG_LEVEL ? config.logLevel : 'silent',
  });
  try {
    const workers = await startWorkers(application);
    try {
      return await follow(submitAndFollow(application, { path: file, name }, manifest), file);
    } finally {
      await workers.close();
    }
  } finally {
    await application.close();
  }
}

async function follow(submissions: AsyncIterable<FollowedSubmission>, file: string): Promise<number> {
  const display = progressDisplay(path.basename(file));
  let last: FollowedSubmission | undefined;
  try {
    for await (const submission of submissions) {
      display.show(submission);
      last = submission;
    }
  } finally {
    display.stop();
  }
  if (!last) throw new Error('the submission was never seen');
  return tellOutcome(last);
}

function tellOutcome(submission: FollowedSubmission): number {
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

function readArguments(): { file: string; manifest: Manifest } | 'help' {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse();
  } catch (error) {
    throw misused((error as Error).message);
  }
  const { values, positionals } = parsed;
  if (values.help) return 'help';
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw misused('Name one file.');
  const described = values.manifest === undefined ? undefined : readManifest(values.manifest);
  if (!described && !(values.provider && values.technology)) {
    throw misused('--provider and --technology are needed, or a --manifest.');
  }
  const speeds: Record<string, number> = {};
  const attributes: Record<string, string> = {};
  for (const [field, option] of Object.entries(speedOptions)) {
    const speed = values[option];
    if (speed !== undefined) {
      if (!/^\d+(\.\d+)?$/.test(speed)) throw misused(`--${option} takes a number of Mbps.`);
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
    const manifest = parseManifest({
      ...described,
      ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
      speeds: { ...Object(described?.speeds), ...speeds },
      attributes: { ...Object(described?.attributes), ...attributes },
      publish: values.publish ? 'auto' : (described?.publish ?? 'review'),
    });
    return { file: path.resolve(file), manifest };
  } catch (error) {
    if (error instanceof CovermapError) throw misused(error.message);
    throw error;
  }
}

/** The manifest in a file; `file`, which the samples have, is a note of whose it is. */
function readManifest(name: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(name, 'utf8'));
  } catch (error) {
    throw misused(`The manifest ${name} cannot be read: ${(error as Error).message}`);
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw misused(`The manifest ${name} is not a JSON object.`);
  }
  const { file: _, ...manifest } = content as Record<string, unknown>;
  return manifest;
}

function parse() {
  return parseArgs({ options, allowPositionals: true });
}

function misused(message: string): CovermapError {
  return new CovermapError('usage', message, `\n${usage}`);
}
