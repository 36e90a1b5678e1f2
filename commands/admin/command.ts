import type { Config } from '../../core/config.ts';
import type { Database } from '../../core/database/database.ts';
import { columns, misused, option, readArguments } from '../arguments.ts';

export type AdminContext = { config: Config; database: Database };

/** Values after the words that name the command, trimmed and not empty, in order. */
export type Arguments = readonly (string | undefined)[];

/** Staff's commands by their usage, as `key rotate <number> [<hours>]` or `token create <name> [--days <number>]`. */
export type AdminCommands = Record<
  string,
  {
    help: string;
    /** @param given the options' values by name @returns the text to print @throws NotACommand where an argument cannot be read */
    run(
      context: AdminContext,
      args: Arguments,
      given: Readonly<Record<string, string | undefined>>,
    ): Promise<string>;
  }
>;

/** Its message says what about an argument is wrong. */
export class NotACommand extends Error {}

/** The usage of all commands, a paragraph each. */
export function usageOf(commands: AdminCommands): string {
  const calls = Object.entries(commands).map(([call, { help }]) => [call, help] as const);
  return `Usage: npm run admin -- <command>\n\n${columns(calls, 31)}`;
}

/** Runs the command that the words name. @throws CovermapError `usage`, and errors of the command */
export async function runAdminCommand(
  commands: AdminCommands,
  context: AdminContext,
  words: readonly string[],
): Promise<string> {
  const usage = usageOf(commands);
  const nameOf = (call: string) => call.replace(/ [<[].*/, '');
  const found = Object.entries(commands).find(([call]) =>
    `${words.join(' ')} `.startsWith(`${nameOf(call)} `),
  );
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
  try {
    return await command.run(context, args, values);
  } catch (error) {
    if (!(error instanceof NotACommand)) throw error;
    throw misused(error.message, usage);
  }
}

export function wholeNumber(word: string | undefined): number {
  if (!word || !/^\d{1,9}$/.test(word)) throw new NotACommand(`${word} is not a whole number.`);
  return Number(word);
}
