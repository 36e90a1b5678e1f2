import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CovermapError } from '../core/errors.ts';

/** The error of a command that was called wrongly. */
export function misused(message: string, usage: string): CovermapError {
  return new CovermapError('usage', message, `\n${usage}`);
}

/** The command line of a command that takes one file, and options by their names without the hyphens. */
export interface FileArguments {
  file: string;
  has(option: string): boolean;
  /** All values of an option that may be given several times. */
  values(option: string): string[] | undefined;
  value(option: string): string | undefined;
}

/**
 * Reads the command line of a command that takes one file.
 * @param usage also says which options there are: they begin a line, and their values are in capitals
 * @throws CovermapError `usage`
 */
export function readFileArguments(args: string[], usage: string): FileArguments {
  const { positionals, values } = parse(args, usage);
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw misused('Name one file.', usage);
  const all = (option: string) => values[option] as string[] | undefined;
  return {
    file: path.resolve(file),
    has: (option) => values[option] !== undefined,
    values: all,
    value: (option) => all(option)?.at(-1),
  };
}

function parse(args: string[], usage: string) {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [, names = '', value] of usage.matchAll(/^ {2}(--[\w-]+(?:, --[\w-]+){0,9})( [A-Z]\S*)?/gm)) {
    for (const name of names.split(', ')) {
      options[name.slice(2)] = value ? { type: 'string', multiple: true } : { type: 'boolean' };
    }
  }
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw misused((error as Error).message, usage);
  }
}
