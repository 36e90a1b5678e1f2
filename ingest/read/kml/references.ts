import path from 'node:path/posix';
import type { FileEntry } from '../file-set.ts';

/* Resolves an href of a KML among the files of the upload. Nothing else is ever opened. */

export type Reference =
  | { kind: 'inside'; entry: FileEntry }
  /** The file itself stands in it; it leads to another place (a network, a disk, out of the archive); or to nothing. */
  | { kind: 'data' | 'outside' | 'missing' };

export class References {
  readonly #byPath = new Map<string, FileEntry>();
  readonly #byLowerCase = new Map<string, FileEntry>();

  constructor(entries: readonly FileEntry[]) {
    // The first of those with the same name stays.
    for (const entry of entries.toReversed()) {
      const name = path.normalize(entry.path);
      this.#byPath.set(name, entry);
      this.#byLowerCase.set(name.toLowerCase(), entry);
    }
  }

  /** @param from the path of the KML that has the reference */
  resolve(href: string, from: string): Reference {
    if (/^data:/i.test(href)) return { kind: 'data' };
    // As it stands first: a name may hold `%`, `#` or `?`.
    const written = href.replaceAll('\\', '/');
    const readings = [written, decoded(written), decoded(written.replace(/[?#].*$/s, ''))];
    const folder = path.dirname(from);
    if (readings.some((reading) => isOutside(reading) || leadsOut(path.join(folder, reading)))) {
      return { kind: 'outside' };
    }
    // Beside the KML; else from the top of the archive, where Google Earth keeps doc.kml.
    for (const start of [folder, '.']) {
      for (const reading of readings) {
        const target = path.normalize(path.join(start, reading));
        const entry = this.#byPath.get(target) ?? this.#byLowerCase.get(target.toLowerCase());
        if (entry) return { kind: 'inside', entry };
      }
    }
    return { kind: 'missing' };
  }
}

/** An absolute path, one of Windows with its drive, another machine, or anything with a scheme. */
const isOutside = (href: string) => /^(\/|[a-z][a-z0-9+.-]*:)/i.test(href.trim());

const leadsOut = (target: string) => target === '..' || target.startsWith('../');

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}
