import { declaredSeparator } from '../../platform/csv-line.ts';

/** The max names of a list, as of a request. */
export const maxNames = 1_000;

export interface NameList {
  names: string[];
  /** The number of repeated names, which are asked for once. */
  repeated: number;
}

/** The names of a pasted text: one a line, or several between commas, semicolons, tabs, or the separator of a first line `sep=`. */
export function namesIn(text: string): NameList {
  const lines = text.split(/\r\n?|\n/);
  const separator = declaredSeparator(lines[0] ?? '');
  const fields = (separator === undefined ? lines : lines.slice(1)).flatMap((line) =>
    line.split(separator ?? /[,;\t]/),
  );
  const names = fields.map((field) => field.replaceAll('"', '').trim()).filter((name) => name !== '');
  const unlike = new Map<string, string>();
  for (const name of names) if (!unlike.has(alike(name))) unlike.set(alike(name), name);
  return { names: [...unlike.values()], repeated: names.length - unlike.size };
}

/** The same text for all spellings of a name. */
const alike = (name: string) => name.normalize('NFC').toLowerCase().replace(/\.$/, '');

/** Longer names are truncated: the registry refuses them at any length. */
const maxLetters = 300;
/** The max names of a request, and the max bytes of its address: proxies and servers take more. */
const maxInRequest = { names: 250, bytes: 32_000 };

/** Halves of a letter cannot be percent-encoded. */
const wellFormed = (text: string) => new TextDecoder().decode(new TextEncoder().encode(text));

/** The names in parts, in their order: each fits into a request's address. */
export function requestsOf(names: readonly string[]): string[][] {
  const requests: string[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const asked = wellFormed(name.slice(0, maxLetters + 1));
    const size = encodeURIComponent(`domains[]=${asked}&`).length;
    const last = requests.at(-1);
    if (last && last.length < maxInRequest.names && bytes + size <= maxInRequest.bytes) {
      last.push(asked);
      bytes += size;
    } else {
      requests.push([asked]);
      bytes = size;
    }
  }
  return requests;
}
