import path from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { CovermapError } from '../core/errors.ts';

/** The error of a command that was called wrongly. */
export function misused(message: string, usage: string): CovermapError {
  return new CovermapError('usage', message, `\n${usage}`);
}

/**
 * Reads the command line of a command that takes one file.
 * @returns undefined where it asks for help
 * @throws CovermapError `usage`
 */
export function readFileArguments<Options extends NonNullable<ParseArgsConfig['options']>>(
  options: Options,
  usage: string,
) {
  const parsed = parse(options, usage);
  if ((parsed.values as { help?: boolean }).help) return undefined;
  const [file, ...others] = parsed.positionals;
  if (!file || others.length > 0) throw misused('Name one file.', usage);
  return { file: path.resolve(file), values: parsed.values };
}

function parse<Options extends NonNullable<ParseArgsConfig['options']>>(options: Options, usage: string) {
  try {
    return parseArgs({
      options: { ...options, help: { type: 'boolean' } } as Options,
      allowPositionals: true,
    });
  } catch (error) {
    throw misused((error as Error).message, usage);
  }
}
