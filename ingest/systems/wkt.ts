/** A node of well-known text: its keyword and the items in its brackets. */
export interface WktNode {
  keyword: string;
  items: (WktNode | string | number)[];
}

const maxDepth = 32;
const maxNodes = 5_000;
const token =
  /\s*(?:"(?<text>[^"]*)"|(?<number>[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|(?<word>[A-Za-z_][A-Za-z0-9_]*)|(?<mark>[[\](),]))/y;

/** The rest of a quoted text after two quotation marks, which mean one: a pattern of all of it would run out of stack on 16 MB. */
const restOfText = /"([^"]*)"/y;

/**
 * Parses the well-known text of reference systems, of version 1 (OGC 01-009, Esri's .prj files) or 2 (OGC 18-010): keywords with bracketed lists of
 * texts, numbers, words and further nodes. Several may follow each other with commas: Esri writes a vertical system after the horizontal one.
 * @returns each with its own text; undefined where it is not well-formed
 */
export function parseWktList(text: string): { node: WktNode; text: string }[] | undefined {
  const tokens = tokensOf(text);
  if (!tokens) return undefined;
  let at = 0;
  let nodes = 0;

  function node(depth: number): WktNode | undefined {
    const keyword = tokens?.[at]?.word;
    const opening = tokens?.[at + 1]?.mark;
    if (keyword === undefined || !isOpening(opening)) return undefined;
    if (depth > maxDepth || ++nodes > maxNodes) return undefined;
    const closing = opening === '[' ? ']' : ')';
    const items: WktNode['items'] = [];
    at += 2;
    for (;;) {
      const { text, number, word } = tokens?.[at] ?? {};
      const isNode = word !== undefined && isOpening(tokens?.[at + 1]?.mark);
      const item = isNode ? node(depth + 1) : (text ?? (number === undefined ? word : Number(number)));
      if (item === undefined) return undefined;
      items.push(item);
      if (!isNode) at++;
      const separator = tokens?.[at++]?.mark;
      if (separator === closing) return { keyword: keyword.toUpperCase(), items };
      if (separator !== ',') return undefined;
    }
  }

  const list: { node: WktNode; text: string }[] = [];
  for (;;) {
    const first = at;
    const root = node(0);
    if (!root) return undefined;
    list.push({ node: root, text: text.slice(tokens[first]?.start, tokens[at - 1]?.end).trim() });
    if (at === tokens.length) return list;
    if (tokens[at++]?.mark !== ',') return undefined;
  }
}

/** The first node with one of the keywords, including the node itself. */
export function findNode(node: WktNode, ...keywords: string[]): WktNode | undefined {
  if (keywords.includes(node.keyword)) return node;
  for (const item of node.items) {
    const found = typeof item === 'object' ? findNode(item, ...keywords) : undefined;
    if (found) return found;
  }
  return undefined;
}

const isOpening = (mark: string | undefined) => mark === '[' || mark === '(';

type Token = Partial<Record<'text' | 'number' | 'word' | 'mark', string>> & { start: number; end: number };

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  token.lastIndex = 0;
  while (token.lastIndex < end) {
    const start = token.lastIndex;
    const groups = token.exec(text)?.groups;
    if (!groups) return undefined;
    const parts = groups.text === undefined ? [] : [groups.text];
    while (parts.length > 0 && text[token.lastIndex] === '"') {
      restOfText.lastIndex = token.lastIndex;
      const rest = restOfText.exec(text);
      if (!rest) return undefined;
      parts.push(rest[1] as string);
      token.lastIndex = restOfText.lastIndex;
    }
    if (parts.length > 1) groups.text = parts.join('""');
    tokens.push({ ...groups, start, end: token.lastIndex });
  }
  return tokens;
}
