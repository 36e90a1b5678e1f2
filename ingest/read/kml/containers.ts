import type { XmlElement } from './element.ts';

interface Container {
  kind: string;
  name: string;
  region: XmlElement | undefined;
}

/** The documents and folders around the place that has been read up to. */
export class Containers {
  readonly #stack: Container[] = [];

  open(kind: string): void {
    this.#stack.push({ kind, name: '', region: undefined });
  }

  close(): void {
    this.#stack.pop();
  }

  /** The first name of the innermost is its name. */
  setName(name: string): void {
    const container = this.#stack.at(-1);
    if (container && container.name === '') container.name = name;
  }

  setRegion(region: XmlElement): void {
    const container = this.#stack.at(-1);
    if (container) container.region = region;
  }

  /** Of all of them, outermost first; those with a name. */
  names(): string[] {
    return this.#stack.map(({ name }) => name).filter((name) => name !== '');
  }

  /** The name of the innermost, '' where that is none but the outermost document, which is the layer. */
  folder(): string {
    const outermost = this.#stack.findIndex(({ kind }) => kind === 'Document');
    return this.#stack.findLast(({ name }, i) => i !== outermost && name !== '')?.name ?? '';
  }

  /** The name of the outermost document, where the innermost container is that. */
  documentName(): string | undefined {
    const documents = this.#stack.filter(({ kind }) => kind === 'Document');
    const innermost = this.#stack.at(-1);
    return documents.length === 1 && innermost?.kind === 'Document' ? innermost.name : undefined;
  }

  /** That of the nearest that has one. */
  region(): XmlElement | undefined {
    return this.#stack.findLast(({ region }) => region)?.region;
  }
}
