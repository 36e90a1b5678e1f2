import type { CoordinateReader } from './coordinates.ts';

/** An element cut out of a KML. A DOM per placemark took nine times as long. */
export interface XmlElement {
  /** Without its prefix: files have `kml:`, no namespace, or that of another version. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  /** Its own text with resolved entities. */
  text: string;
  /** True where it is a placemark named by a Schema (KML 2.0), with its attributes as children. */
  bySchema?: boolean;
  /** True where it exceeds a limit, and is not complete. */
  tooLarge?: boolean;
  /** For `coordinates`, instead of the text. */
  coordinates?: CoordinateReader;
}

export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) if (child.name === name) return child;
  return undefined;
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

/** The trimmed text of a child, '' if missing. */
export function textOf(element: XmlElement | undefined, ...path: string[]): string {
  let found = element;
  for (const name of path) found = found && childOf(found, name);
  return found ? cleanText(found.text) : '';
}

/** Text without surrounding white space and control characters, for reports and databases. */
export function cleanText(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '').trim();
}
