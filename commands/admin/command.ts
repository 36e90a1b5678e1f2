import type { Config } from '../../platform/config.ts';
import type { Database } from '../../platform/database/database.ts';
import { CovermapError } from '../../platform/errors.ts';

export type AdminContext = { config: Config; database: Database };

/** Values after the words that name the command, trimmed and not empty, in order. */
export type Arguments = readonly (string | undefined)[];

/** Staff's commands by their usage, as `key rotate <number> [<hours>]` or `token create <name> [--days <number>]`. */
export type AdminCommands = Record<
  string,
  {
    help: string;
    /** @param given the options' values by name @returns the text to print @throws CovermapError `usage` where an argument cannot be read */
    run(
      context: AdminContext,
      args: Arguments,
      given: Readonly<Record<string, string | undefined>>,
    ): Promise<string>;
  }
>;

export function wholeNumber(word: string | undefined): number {
  if (!word || !/^\d{1,9}$/.test(word)) throw new CovermapError('usage', `${word} is not a whole number.`);
  return Number(word);
}
