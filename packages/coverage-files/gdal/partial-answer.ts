/** Longer than what services write of it. */
const maxLength = 64;
/** Of WFS 2.0 and of OGC API Features, as JSON or as attributes of GML. */
const counts = /\bnumber(?<of>Matched|Returned)"?\s{0,9}[:=]\s{0,9}"?(?<count>\d{1,15})/g;

/** Finds out from a service's answer if it sent only a part of what it has. */
export class PartialAnswer {
  #rest = '';
  #isPart = false;
  readonly #counts: Record<string, number> = {};

  /** @param text the next piece of the answer */
  take(text: string): this {
    const piece = this.#rest + text;
    this.#isPart ||= /"exceededTransferLimit"\s{0,9}:\s{0,9}true\b/.test(piece);
    for (const { groups } of piece.matchAll(counts)) this.#counts[groups?.of ?? ''] = Number(groups?.count);
    this.#rest = piece.slice(-maxLength);
    return this;
  }

  get isPart(): boolean {
    const { Matched = 0, Returned = Matched } = this.#counts;
    return this.#isPart || Matched > Returned;
  }
}
