import path from 'node:path';
import { acceptable, columnRoles, ImportOptions } from '../addresses/import-options.ts';
import { reportLines } from '../addresses/import-report.ts';
import { flag, misused, option, optionLines, options, readPathArgument } from './arguments.ts';
import { delegateOrRun } from './delegate.ts';
import { type AddressCall, type FollowedAddresses, importAddressesAndFollow } from './import-addresses.ts';
import { type Step, showUntilEnd } from './progress.ts';
import { runCommand } from './run.ts';

const table = {
  system: option(
    'NAME',
    "the file has another system's ids for addresses, such as tlc: they replace its earlier ones",
  ),
  postcodes: flag('the file has postcodes for addresses, by their ids'),
  columns: options(
    'ROLE=NAME',
    `the name of a column, where it is not LINZ's: ${columnRoles.join(', ')}; several with commas, or may be repeated`,
  ),
  'accept-gone': flag(
    'accept a whole list that lacks more than 10%, and more than 2, of the known addresses',
  ),
  'accept-dropped': flag('accept a file of which more than 10% of the rows are not taken'),
  'accept-mismatch': flag('accept changes of which more than 10% do not fit the list'),
  'dry-run': flag('say what the file would change, and change nothing'),
};

const usage = `Usage: npm run addresses:import -- <file> [options]

Imports a list of addresses, such as LINZ's "NZ Addresses": CSV, shapefile or GeoPackage, by itself or zipped. A whole list replaces the known one; a
changeset of LINZ, which has a column __change__, changes it. Ids stay what they are. Either the whole file is applied or nothing.

${optionLines(table)}

Exit status: 0 imported, 2 wrong usage, 4 nothing was imported.`;

await runCommand(usage, async (words) => {
  const { file, given } = readPathArgument(words, usage, table);
  const accept = acceptable.filter((what) => given[`accept-${what}`]);
  const read = ImportOptions.safeParse({
    ...{ system: given.system, postcodes: given.postcodes, dry_run: given['dry-run'], accept },
    ...(given.columns && { columns: columnsOf(given.columns) }),
  });
  if (!read.success) {
    const [problem] = read.error.issues;
    throw misused(`--${problem?.path.join('.')} ${problem?.message}`, usage);
  }
  const call: AddressCall = { file, options: read.data };
  const imports = delegateOrRun('addresses-import', call, (application) =>
    importAddressesAndFollow(application, call),
  );
  const last = await showUntilEnd(path.basename(file), imports, stepOf);
  if (!('outcome' in last)) throw new Error('the import ended without an outcome');
  const { outcome } = last;
  const done = call.options.dry_run ? 'Would change, and has not' : 'Imported';
  console.log(`${done} in ${outcome.seconds.toFixed(1)} s.`);
  for (const line of reportLines(outcome)) console.log(line);
  return 0;
});

/** `id=GAVIC,road=Street name` by role. */
function columnsOf(words: readonly string[]): Record<string, string> {
  const pairs = words.flatMap((word) => word.split(',')).map((pair) => pair.split('='));
  const wrong = pairs.find((pair) => pair.length !== 2 || pair.some((part) => part.trim() === ''));
  if (wrong) throw misused(`--columns ${wrong.join('=')} is not of the form role=name.`, usage);
  return Object.fromEntries(pairs.map(([role = '', name = '']) => [role.trim(), name.trim()]));
}

function stepOf(followed: FollowedAddresses): Step | undefined {
  if ('outcome' in followed) return undefined;
  const { step, percent } = followed.progress;
  return { name: step, share: percent === null ? undefined : percent / 100 };
}
