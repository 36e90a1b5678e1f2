import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// The faults for the sources. Stryker's instrumenter places them; it does not export its list of mutators, so the list is changed in place.

interface Node {
  type: string;
  loc: { start: Position; end: Position };
  // biome-ignore lint/suspicious/noExplicitAny: a node of Babel's tree, whose types nothing else here needs
  [name: string]: any;
}
export interface NodePath {
  node: Node;
  parentPath: NodePath | null;
}
interface Position {
  line: number;
  column: number;
}
interface Mutator {
  name: string;
  mutate(path: NodePath): Iterable<Node>;
}
export interface Mutant {
  id: string;
  fileName: string;
  mutatorName: string;
  replacement: string;
  /** The place of the innermost function around it; undefined in what runs when a module is loaded. */
  within: string | undefined;
  /** Lines and columns from 0. */
  location: { start: Position; end: Position };
}

const entry = createRequire(import.meta.url).resolve('@stryker-mutator/instrumenter');
const { Instrumenter } = await import(pathToFileURL(entry).href);
const { allMutators }: { allMutators: Mutator[] } = await import(
  new URL('./mutators/index.js', pathToFileURL(entry)).href
);

/** Statements of SQL, and the mistake that a programmer might make instead. */
const inSql: [RegExp, string][] = [
  [/\band\b/g, 'or'],
  [/\bor\b/g, 'and'],
  [/\bis not null\b/g, 'is null'],
  [/\bis null\b/g, 'is not null'],
  [/\bnot exists\b/g, 'exists'],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <> /g, ' = '],
  // Not where a value is set.
  [/(?<!(?:\bset|,)\s+\w+) = /g, ' <> '],
  [/ desc\b/g, ' asc'],
  [/\bmin\(/g, 'max('],
  [/\bmax\(/g, 'min('],
  [/\bunion all\b/g, 'union'],
  [/ \+ /g, ' - '],
  [/ - /g, ' + '],
];

/** Each statement with one of these changed. A statement's start and the columns of `set`, `join` and `values` are left unchanged. */
export function* mutatedSql(texts: string[]): Generator<string[]> {
  for (const [i, text] of texts.entries()) {
    for (const [pattern, instead] of inSql) {
      for (const { index, 0: found } of text.matchAll(pattern)) {
        yield texts.with(i, text.slice(0, index) + instead + text.slice(index + found.length));
      }
    }
  }
}

const sqlMutator: Mutator = {
  name: 'Sql',
  *mutate({ node }) {
    if (node.type === 'StringLiteral' && /^(select|insert|update|delete|with) /.test(node.value)) {
      for (const [value] of mutatedSql([node.value])) yield { ...node, value, extra: undefined };
    }
    if (node.type !== 'TaggedTemplateExpression' || node.tag.name !== 'sql') return;
    const { quasis } = node.quasi;
    for (const texts of mutatedSql(quasis.map((one: Node) => one.value.raw))) {
      const changed = quasis.map((one: Node, i: number) => ({
        ...one,
        value: { raw: texts[i], cooked: texts[i] },
      }));
      yield { ...node, quasi: { ...node.quasi, quasis: changed } };
    }
  },
};

/** Omitted: an emptied sentence is no fault, and an emptied statement or code is always noticed. Neither tests the tests. */
const leftOut = new Set(['StringLiteral']);
/** Code that describes the program: logs, traces, measurements, the API's description, and reasons of errors. */
const sentences = /^(log|logger|console|span\??|beginSpan|.*\.(openapi|describe|meta|causedBy))$/;

function isSentence(path: NodePath | null): boolean {
  if (!path) return false;
  const { node } = path;
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression') {
    const { callee } = node;
    const name = callee.property ? `${callee.object.name ?? ''}.${callee.property.name}` : callee.name;
    if (sentences.test(callee.object?.name ?? '') || sentences.test(name ?? '')) return true;
  }
  return /Statement$|Function/.test(node.type) ? false : isSentence(path.parentPath);
}

function functionAround({ parentPath }: NodePath): string | undefined {
  if (!parentPath) return undefined;
  const { type, loc } = parentPath.node;
  return /Function|Method/.test(type) ? `${loc.start.line}:${loc.start.column}` : functionAround(parentPath);
}

let wanted: (mutant: string, within: string | undefined) => boolean = () => true;
const own = allMutators.filter((one) => !leftOut.has(one.name));
allMutators.splice(0, Infinity, ...[...own, sqlMutator].map(chosenOf));

/** Only the chosen ones of a node: a switch around each would make loops many times as slow. */
function chosenOf({ name, mutate }: Mutator): Mutator {
  return {
    name,
    *mutate(path) {
      if (isSentence(path)) return;
      // `a && b` begins where `a` does.
      const { start, end } = path.node.loc;
      const place = `${start.line}:${start.column}-${end.line}:${end.column} ${name}`;
      let i = 0;
      const within = functionAround(path);
      for (const node of mutate(path)) if (wanted(`${place} ${i++}`, within)) yield node;
    },
  };
}

const quiet = new Proxy({}, { get: () => () => false });

/** A file with a switch for each chosen fault, and those faults in the order of their places. @param chosen {@link Mutant} ids; undefined: all */
export async function instrument(
  name: string,
  content: string,
  chosen?: Set<string>,
): Promise<{ content: string; mutants: Mutant[] }> {
  const found: Pick<Mutant, 'id' | 'within'>[] = [];
  wanted = (place, within) => {
    const id = `${name}:${place}`;
    const taken = chosen?.has(id) ?? true;
    if (taken) found.push({ id, within });
    return taken;
  };
  const options = { excludedMutations: [], ignorers: [], plugins: null, noHeader: false };
  const result = await new Instrumenter(quiet).instrument([{ name, content, mutate: true }], options);
  const mutants = result.mutants.map((mutant: Mutant, i: number) => ({ ...mutant, ...found[i] }));
  return { content: result.files[0].content, mutants };
}
