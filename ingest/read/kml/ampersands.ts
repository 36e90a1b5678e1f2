const dataBegins = '<![CDATA[';
const dataEnds = ']]>';
/** Longer than any entity, and than the beginning of a section of data. */
const maxPieceLength = 40;

/** Writes a bare "&", as people and programs leave it in names, as XML wants it. What is one already, and data, stay. */
export class Ampersands {
  #held = '';
  #inData = false;

  /** The next piece of the text, but for an end that the following piece may go on with. */
  take(piece: string): string {
    let rest = this.#held + piece;
    let written = '';
    for (;;) {
      const mark = this.#inData ? dataEnds : dataBegins;
      const at = rest.indexOf(mark);
      if (at < 0) break;
      const before = rest.slice(0, at);
      written += (this.#inData ? before : escaped(before)) + mark;
      rest = rest.slice(at + mark.length);
      this.#inData = !this.#inData;
    }
    // After ">" nothing goes on.
    const last = this.#inData
      ? rest.lastIndexOf(']') - 1
      : rest.endsWith('>')
        ? -1
        : Math.max(rest.lastIndexOf('&'), rest.lastIndexOf('<'));
    const end = last >= 0 && last > rest.length - maxPieceLength ? last : rest.length;
    this.#held = rest.slice(end);
    return written + (this.#inData ? rest.slice(0, end) : escaped(rest.slice(0, end)));
  }

  end(): string {
    return this.#inData ? this.#held : escaped(this.#held);
  }
}

function escaped(text: string): string {
  return text.replace(/&(?!#?\w{1,32};)/g, '&amp;');
}
