import path from 'node:path';
import { parseArgs } from 'node:util';
import { CovermapError } from '../platform/errors.ts';

export const misused = (message: string, usage: string): CovermapError =>
  new CovermapError('usage', message, `\n${usage}`);

interface Option {
  type: 'string' | 'boolean';
  multiple?: true;
  value?: string;
  help: string;
}
/** By name, without the hyphens. */
export type Options = Record<string, Option>;

/** An option that takes a value, named in capitals; one that may be given several times; one without a value. */
export const option = (value: string, help: string) => ({ type: 'string', value, help }) as const;
export const options = (value: string, help: string) => ({ ...option(value, help), multiple: true }) as const;
export const flag = (help: string) => ({ type: 'boolean', help }) as const;

export function optionLines(table: Options): string {
  const heads = Object.entries(table).map(
    ([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const,
  );
  return columns(heads, 29);
}

const lineLength = 118;

function wrapped(text: string, length: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= length) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Entries of a usage, with the help from a column on: on the next line where there is no room. */
export function columns(entries: readonly (readonly [call: string, help: string])[], column: number): string {
  const indent = ' '.repeat(column);
  return entries
    .map(([call, help]) => {
      const text = wrapped(help, lineLength - column).join(`\n${indent}`);
      return call.length + 2 < column ? `  ${call}`.padEnd(column) + text : `  ${call}\n${indent}${text}`;
    })
    .join('\n');
}

type Config<Table extends Options> = { args: string[]; options: Table; allowPositionals: true };

export function readArguments<Table extends Options>(args: string[], usage: string, table: Table) {
  try {
    return parseArgs<Config<Table>>({ args, options: table, allowPositionals: true });
  } catch (error) {
    throw misused((error as Error).message, usage);
  }
}

export type Given<Table extends Options> = ReturnType<typeof readArguments<Table>>['values'];

/** Reads the arguments of a command for one file or folder. @throws CovermapError `usage` */
export function readPathArgument<T extends Options>(args: string[], usage: string, table: T, what = 'file') {
  const { positionals, values } = readArguments(args, usage, table);
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw misused(`Name one ${what}.`, usage);
  return { file: path.resolve(file), given: values };
}
