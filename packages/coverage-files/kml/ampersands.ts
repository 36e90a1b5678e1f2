const dataBegins = '<![CDATA[';
const dataEnds = ']]>';
/** Longer than any entity, and than the beginning of a CDATA section. */
const maxPieceLength = 40;

/** Escapes bare "&" in names for XML. Entities and CDATA stay. */
export class Ampersands {
  #held = '';
  #inData = false;

  /** The next piece of the text, without an end that may continue in the following piece. */
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
    // ">" ends all sequences.
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
