import type { Config } from '../../core/config.ts';
import type { Database } from '../../core/database/database.ts';
import { CovermapError } from '../../core/errors.ts';

export interface AdminContext {
  config: Config;
  database: Database;
}

/** Values after the command's own words, trimmed and not empty, in order. */
export type Arguments = readonly (string | undefined)[];

/** Something that staff do at the terminal. */
export interface AdminCommand {
  /**
   * How it is called, as in `key create <customer> [<label>] [--days <number>]`: its own words, its arguments, its options.
   * What is in brackets may be left out.
   */
  usage: string;
  help: string;
  /**
   * @param options by name, as in `--days`
   * @returns the text to print
   * @throws NotACommand where an argument cannot be read
   */
  run(
    context: AdminContext,
    args: Arguments,
    options: Readonly<Record<string, string | undefined>>,
  ): Promise<string>;
}

export class NotACommand extends Error {}

const helpColumn = 31;
const lineLength = 118;

/** How all commands are called, a paragraph each. */
export function usageOf(commands: readonly AdminCommand[]): string {
  return `Usage: npm run admin -- <command>\n\n${commands.map(usageLines).join('\n')}`;
}

function usageLines({ usage, help }: AdminCommand): string {
  const lines: string[] = [];
  for (const word of help.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && helpColumn + last.length + 1 + word.length <= lineLength)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const head = `  ${usage}`;
  const indented = lines.map((line) => ' '.repeat(helpColumn) + line);
  return head.length < helpColumn
    ? head.padEnd(helpColumn) + indented.join('\n').trimStart()
    : [head, ...indented].join('\n');
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
  try {
    for (const command of commands) {
      const { names, required, max, options } = signatureOf(command.usage);
      if (!names.every((name, index) => words[index] === name)) continue;
      const given = takeOptions(words.slice(names.length), options);
      const args = given.words.map((word) => word.trim());
      if (args.length < required || args.length > max || args.includes('')) break;
      return await command.run(context, args, given.options);
    }
  } catch (error) {
    if (!(error instanceof NotACommand)) throw error;
  }
  throw new CovermapError('usage', 'That is not a command.', `\n${usageOf(commands)}`);
}

/** What a usage says: the command's words, how many arguments it takes, the names of its options. */
function signatureOf(usage: string) {
  const withoutOptions = usage.replaceAll(/ \[--\w{1,30} <[^<>]{1,60}>\]/g, '');
  const count = (text: string) => text.split('<').length - 1;
  return {
    names: withoutOptions.split(/ [[<]/)[0]?.split(' ') ?? [],
    required: count(withoutOptions.split(' [')[0] ?? ''),
    max: count(withoutOptions),
    options: usage.match(/--\w+/g) ?? [],
  };
}

function takeOptions(words: readonly string[], names: readonly string[]) {
  const rest = [...words];
  const options: Record<string, string> = {};
  for (const name of names) {
    const at = rest.indexOf(name);
    if (at < 0) continue;
    const [, value] = rest.splice(at, 2);
    if (value === undefined) throw new NotACommand();
    options[name] = value.trim();
  }
  return { words: rest, options };
}

export function wholeNumber(word: string | undefined): number {
  if (!word || !/^\d{1,9}$/.test(word)) throw new NotACommand();
  return Number(word);
}
