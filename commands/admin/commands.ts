import { columns, misused, option, readArguments } from '../arguments.ts';
import { accessCommands } from './access.ts';
import type { AdminContext } from './command.ts';
import { regionCommands } from './regions.ts';
import { registryCommands } from './registry.ts';
import { terrainCommands } from './terrain.ts';

const commands = Object.entries({
  ...accessCommands,
  ...registryCommands,
  ...terrainCommands,
  ...regionCommands,
});
const calls = commands.map(([call, { help }]) => [call, help] as const);

/** All commands, a paragraph each. */
export const usage = `Usage: npm run admin -- <command>\n\n${columns(calls, 31)}`;

/** Runs the command that the words name. @returns the text to print @throws CovermapError `usage`, and errors of the command */
export async function administer(context: AdminContext, words: readonly string[]): Promise<string> {
  const nameOf = (call: string) => call.replace(/ [<[].*/, '');
  const found = commands.find(([call]) => `${words.join(' ')} `.startsWith(`${nameOf(call)} `));
  if (!found) throw misused('That is not a command.', usage);
  const [call, command] = found;
  const options = [...call.matchAll(/\[--(\w+)/g)].map(([, name = '']) => [name, option('', '')] as const);
  const count = (pattern: RegExp) => call.match(pattern)?.length ?? 0;
  const [takes, may] = [count(/ </g) - options.length, count(/ \[</g)];
  const given = words.slice(nameOf(call).split(' ').length);
  const { positionals, values } = readArguments(given, usage, Object.fromEntries(options));
  const args = positionals.map((word) => word.trim());
  const isComplete = args.length >= takes && args.length <= takes + may;
  if (!isComplete || args.includes('')) throw misused('That is not a command.', usage);
  return command.run(context, args, values);
}
