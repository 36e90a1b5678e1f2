import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { check } from 'recheck';
import { filesIn, readText, root, serverFolders } from '../../test/setup/project.ts';
import { findExpressions } from './find-expressions.ts';

/*
 * Every regular expression of the service and its pages takes time linear in the length of any text, and no more stack for a longer one: texts of
 * outside are up to 16 MB long. recheck decides the first by an expression's automaton or, where it has none (looking around, large counts), by a
 * search for slow texts.
 */

/** Counts decide, and never the speed of the machine. */
const limits = {
  timeout: null,
  attackLimit: 10_000_000,
  ...{ attackTimeout: null, incubationTimeout: null, seedingTimeout: null },
};

/** @returns the fault of an expression, in words; undefined for none */
async function faultOf({ source, flags }: RegExp): Promise<string | undefined> {
  if (repeatsGroup(source, flags)) return 'repeats a group without a bound: a long text overflows the stack';
  const found = await check(source, flags, limits);
  if (found.status === 'vulnerable') {
    return `takes ${found.complexity.summary} time, as for ${found.attack.pattern}`;
  }
  return found.status === 'safe' ? undefined : `cannot be judged: ${found.error.kind}`;
}

/** Each round of a group takes memory, to come back to it. Rounds of a set are only counted. */
function repeatsGroup(source: string, flags: string): boolean {
  const modes = { unicode: flags.includes('u'), unicodeSets: flags.includes('v') };
  let repeats = false;
  visitRegExpAST(new RegExpParser().parsePattern(source, 0, source.length, modes), {
    onQuantifierEnter({ max, element }) {
      repeats ||= max === Number.POSITIVE_INFINITY && element.type.endsWith('Group');
    },
  });
  return repeats;
}

/** Faulty expressions, by which the search itself is checked each time. */
const faulty = [
  ...[/0+$/, /%.*$/, /^(a+){2,9}$/, /^(?:a|a){1,99}$/, /\s+$/, /<[^>]*>/, /(\d+)(\d+)(\d+)x/],
  ...[/(?<=a+)b/, /^(?:\w+\s?){0,50}$/, /\/\*[\s\S]*?\*\//, /^\s+|\s+$/],
  ...[/(?:"[^"]*"|[^"\r\n])+/, /^(?:\s+|--[^\n]*\n)*/, /a(?:b|c)*d/, /^\w+(?:\.\w+)*$/],
];

/** Expressions that are known to be good, from run to run: some take seconds to judge. */
const cache = path.join(root, 'node_modules/.cache/covermap/expressions.json');
const { version } = JSON.parse(readText('tools/check/node_modules/recheck/package.json'));
const known = new Set<string>(readCache());
const nameOf = (expression: RegExp) => `${version} ${expression}`;

function readCache(): string[] {
  try {
    return JSON.parse(readFileSync(cache, 'utf8'));
  } catch {
    return [];
  }
}

const isSource = (file: string) => /\.(?:tsx?|mjs|js)$/.test(file) && !/\/(?:node_modules|test)\//.test(file);
const found = filesIn(...serverFolders, 'web')
  .filter(isSource)
  .flatMap((file) => findExpressions(file, readText(file)));
const good = new Set<string>();
const faults = new Set<string>();
for (const expression of faulty) {
  if (!(await faultOf(expression))) faults.add(`${expression} is not found to be faulty`);
}
for (const { place, expression } of found) {
  const name = expression && nameOf(expression);
  if (name && good.has(name)) continue;
  const fault = !expression
    ? 'is put together in a way that cannot be followed'
    : known.has(nameOf(expression))
      ? undefined
      : await faultOf(expression);
  if (fault) faults.add(`${place}: ${expression ?? 'a regular expression'} ${fault}`);
  else if (name) good.add(name);
}
mkdirSync(path.dirname(cache), { recursive: true });
writeFileSync(cache, JSON.stringify([...good]));
for (const fault of faults) console.error(fault);
console.log(`Checked ${good.size} regular expressions.`);
process.exit(faults.size > 0 ? 1 : 0);
