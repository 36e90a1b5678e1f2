/** A node of well-known text: its keyword, and what is between its brackets. */
export interface WktNode {
  keyword: string;
  items: (WktNode | string | number)[];
}

const maxDepth = 32;
const maxNodes = 5_000;
const token =
  /\s*(?:"((?:[^"]|"")*)"|([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z0-9_]*)|([[\](),]))/y;

/**
 * Parses the well-known text of a reference system, of version 1 (OGC 01-009, Esri's .prj files) or 2 (OGC 18-010):
 * keywords with bracketed lists of texts, numbers, words and further nodes.
 * @returns undefined where it is not well-formed
 */
export function parseWkt(text: string): WktNode | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  let at = 0;
  let nodes = 0;

  function node(depth: number): WktNode | undefined {
    const keyword = tokens?.[at];
    const opening = tokens?.[at + 1];
    if (keyword?.word === undefined || (opening?.mark !== '[' && opening?.mark !== '(')) return undefined;
    if (depth > maxDepth || ++nodes > maxNodes) return undefined;
    const closing = opening.mark === '[' ? ']' : ')';
    const result: WktNode = { keyword: keyword.word.toUpperCase(), items: [] };
    at += 2;
    for (;;) {
      const item = tokens?.[at];
      if (!item) return undefined;
      if (item.text !== undefined || item.number !== undefined) {
        result.items.push(item.text ?? (item.number as number));
        at++;
      } else if (item.word !== undefined) {
        const follows = tokens?.[at + 1]?.mark;
        if (follows === '[' || follows === '(') {
          const inner = node(depth + 1);
          if (!inner) return undefined;
          result.items.push(inner);
        } else {
          result.items.push(item.word);
          at++;
        }
      } else {
        return undefined;
      }
      const separator = tokens?.[at++]?.mark;
      if (separator === closing) return result;
      if (separator !== ',') return undefined;
    }
  }

  const root = node(0);
  return root && at === tokens.length ? root : undefined;
}

/** The first node of one of the keywords, the node itself included. */
export function findNode(node: WktNode, ...keywords: string[]): WktNode | undefined {
  if (keywords.includes(node.keyword)) return node;
  for (const item of node.items) {
    const found = typeof item === 'object' ? findNode(item, ...keywords) : undefined;
    if (found) return found;
  }
  return undefined;
}

interface Token {
  text?: string;
  number?: number;
  word?: string;
  mark?: string;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  token.lastIndex = 0;
  while (token.lastIndex < end) {
    const match = token.exec(text);
    if (!match) return undefined;
    const [, quoted, number, word, mark] = match;
    if (quoted !== undefined) tokens.push({ text: quoted });
    else if (number !== undefined) tokens.push({ number: Number(number) });
    else if (word !== undefined) tokens.push({ word });
    else if (mark !== undefined) tokens.push({ mark });
  }
  return tokens;
}
