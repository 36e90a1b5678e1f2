import type { Config } from '../../core/config.ts';
import type { Database } from '../../core/database/database.ts';
import { columns, misused, option, readArguments } from '../arguments.ts';

export interface AdminContext {
  config: Config;
  database: Database;
}

/** Values after the command's own words, trimmed and not empty, in order. */
export type Arguments = readonly (string | undefined)[];

/** Something that staff do at the terminal. */
export interface AdminCommand {
  /** The words that it is called by. */
  name: string;
  /** What it takes after them. */
  takes?: readonly string[];
  /** What may follow. */
  may?: readonly string[];
  /** By name, what its value is. */
  options?: Record<string, string>;
  help: string;
  /**
   * @param given the options' values by name
   * @returns the text to print
   * @throws NotACommand where an argument cannot be read
   */
  run(
    context: AdminContext,
    args: Arguments,
    given: Readonly<Record<string, string | undefined>>,
  ): Promise<string>;
}

export class NotACommand extends Error {}

/** How all commands are called, a paragraph each. */
export function usageOf(commands: readonly AdminCommand[]): string {
  return `Usage: npm run admin -- <command>\n\n${columns(
    commands.map((command) => [callOf(command), command.help]),
    31,
  )}`;
}

function callOf({ name: words, takes = [], may = [], options = {} }: AdminCommand): string {
  return [
    words,
    ...takes.map((what) => `<${what}>`),
    ...may.map((what) => `[<${what}>]`),
    ...Object.entries(options).map(([name, value]) => `[--${name} <${value}>]`),
  ].join(' ');
}

/**
 * Runs the command that the words name.
 * @throws CovermapError `usage` and what the command itself throws
 */
export async function runAdminCommand(
  commands: readonly AdminCommand[],
  context: AdminContext,
  words: readonly string[],
): Promise<string> {
  const usage = usageOf(commands);
  const command = commands.find(({ name }) => `${words.join(' ')} `.startsWith(`${name} `));
  if (!command) throw misused('That is not a command.', usage);
  const { name, takes = [], may = [], options = {} } = command;
  const table = Object.fromEntries(Object.entries(options).map(([one, value]) => [one, option(value, '')]));
  const { positionals, values } = readArguments(words.slice(name.split(' ').length), usage, table);
  const args = positionals.map((word) => word.trim());
  const isComplete = args.length >= takes.length && args.length <= takes.length + may.length;
  if (!isComplete || args.includes('')) throw misused('That is not a command.', usage);
  try {
    return await command.run(context, args, values);
  } catch (error) {
    if (!(error instanceof NotACommand)) throw error;
    throw misused('That is not a command.', usage);
  }
}

export function wholeNumber(word: string | undefined): number {
  if (!word || !/^\d{1,9}$/.test(word)) throw new NotACommand();
  return Number(word);
}
