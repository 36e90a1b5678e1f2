import type { Cut } from './cut.ts';
import { cleanText, type XmlElement } from './element.ts';

/** The open documents and folders at the current position. */
export class Containers {
  readonly #stack: { kind: string; name: string; region: XmlElement | undefined }[] = [];

  /** @returns an element that belongs to no container */
  take(cut: Cut): XmlElement | undefined {
    const innermost = this.#stack.at(-1);
    if (cut.kind === 'open') this.#stack.push({ kind: cut.name, name: '', region: undefined });
    else if (cut.kind === 'close') this.#stack.pop();
    else if (cut.element.name === 'name') {
      if (innermost) innermost.name ||= cleanText(cut.element.text);
    } else if (cut.element.name === 'Region') {
      if (innermost) innermost.region = cut.element;
    } else return cut.element;
    return undefined;
  }

  /** The names of all named ones, outermost first. */
  names(): string[] {
    return this.#stack.map(({ name }) => name).filter((name) => name !== '');
  }

  /** The name of the innermost; '' for the outermost document, which is the layer. */
  folder(): string {
    const outermost = this.#stack.findIndex(({ kind }) => kind === 'Document');
    return this.#stack.findLast(({ name }, i) => i !== outermost && name !== '')?.name ?? '';
  }

  /** The name of the outermost document, if it is the innermost container. */
  documentName(): string {
    const documents = this.#stack.filter(({ kind }) => kind === 'Document');
    return documents.length === 1 && documents[0] === this.#stack.at(-1) ? (documents[0]?.name ?? '') : '';
  }

  /** The region of the nearest container that has one. */
  region(): XmlElement | undefined {
    return this.#stack.findLast(({ region }) => region)?.region;
  }
}
