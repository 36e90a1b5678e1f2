import { parseAst } from 'vite';

/* Finds the regular expressions of a source file, by a parser of the language: not those in comments or texts. */

export interface FoundExpression {
  /** Where it stands: `api/http/encoding.ts:3`. */
  place: string;
  /** Undefined where it is put together in a way that cannot be followed. */
  expression: RegExp | undefined;
}

interface Node {
  type: string;
  start: number;
  [key: string]: unknown;
}

/** @param file as messages name it @param source its text */
export function findExpressions(file: string, source: string): FoundExpression[] {
  const program = parseAst(source, {
    lang: file.endsWith('.tsx') ? 'tsx' : file.endsWith('.ts') ? 'ts' : 'js',
  }) as unknown as Node;
  const constants = new Map<string, Node>();
  for (const node of walk(program)) {
    if (node.type !== 'VariableDeclaration' || node.kind !== 'const') continue;
    for (const { id, init } of node.declarations as { id: Node; init: Node | null }[]) {
      if (id.type === 'Identifier' && init) constants.set(id.name as string, init);
    }
  }
  const found: FoundExpression[] = [];
  const placeOf = ({ start }: Node) => `${file}:${source.slice(0, start).split('\n').length}`;
  for (const node of walk(program)) {
    if (node.type === 'Literal' && node.regex) {
      const { pattern, flags } = node.regex as { pattern: string; flags: string };
      found.push({ place: placeOf(node), expression: new RegExp(pattern, flags) });
    } else if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const callee = node.callee as Node;
      if (callee.type !== 'Identifier' || callee.name !== 'RegExp') continue;
      const [pattern, flags] = (node.arguments as Node[]).map((one) => textOf(one, constants));
      const expression = pattern === undefined ? undefined : new RegExp(pattern, flags ?? '');
      found.push({ place: placeOf(node), expression });
    }
  }
  return found;
}

function* walk(value: unknown): Generator<Node> {
  if (Array.isArray(value)) {
    for (const one of value) yield* walk(one);
  } else if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) {
    if (typeof (value as Node).type === 'string') yield value as Node;
    for (const one of Object.values(value)) yield* walk(one);
  }
}

/** The value of a text that is put together of constants of its file. */
function textOf(node: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type === 'Identifier') {
    const constant = constants.get(node.name as string);
    return constant && textOf(constant, constants);
  }
  // In `String.raw`, the texts are as they are written.
  const isRaw = node.type === 'TaggedTemplateExpression';
  const template = isRaw ? (node.quasi as Node) : node;
  if (template.type === 'TemplateLiteral') {
    const parts = (template.expressions as Node[]).map((one) => textOf(one, constants));
    const quasis = template.quasis as { value: { raw: string; cooked: string } }[];
    const texts = quasis.map(({ value }) => (isRaw ? value.raw : value.cooked));
    if (!parts.includes(undefined)) return texts.map((text, i) => text + (parts[i] ?? '')).join('');
  }
  return undefined;
}
