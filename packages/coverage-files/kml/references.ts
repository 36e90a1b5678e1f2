import path from 'node:path/posix';
import type { FileEntry } from '../file-set.ts';
import { unescapePercent } from './data-uri.ts';

/* Resolves an href of a KML among the files of the upload. Nothing else is opened. */

export type Reference =
  | { kind: 'inside'; entry: FileEntry }
  /** The data itself; a place outside (a network, a disk, out of the archive); or nothing. */
  | { kind: 'data' | 'outside' | 'missing' };

export type References = ReturnType<typeof referencesAmong>;

export function referencesAmong(entries: readonly FileEntry[]) {
  const byPath = new Map<string, FileEntry>();
  const byLowerCase = new Map<string, FileEntry>();
  // The first of equal names counts.
  for (const entry of entries.toReversed()) {
    const name = path.normalize(sameLetters(entry.path));
    byPath.set(name, entry);
    byLowerCase.set(name.toLowerCase(), entry);
  }
  /** @param from the path of the KML that has the reference */
  return (href: string, from: string): Reference => {
    if (/^data:/i.test(href)) return { kind: 'data' };
    // Unchanged first: a name may contain `%`, `#` or `?`.
    const written = href.replaceAll('\\', '/');
    const readings = [written, decoded(written), decoded(written.replace(/[?#].*$/s, ''))];
    const folder = path.dirname(from);
    if (readings.some((reading) => isOutside(reading) || leadsOut(path.join(folder, reading))))
      return { kind: 'outside' };
    // Relative to the KML, else to the archive's root, where Google Earth keeps doc.kml.
    for (const start of [folder, '.']) {
      for (const reading of readings) {
        const target = sameLetters(path.normalize(path.join(start, reading)));
        const entry = byPath.get(target) ?? byLowerCase.get(target.toLowerCase());
        if (entry) return { kind: 'inside', entry };
      }
    }
    return { kind: 'missing' };
  };
}

/** macOS zips a name with its macrons as marks of their own, which the KML has in one letter. */
const sameLetters = (name: string) => name.normalize('NFC');

/** Tells if it is an absolute path, one with a Windows drive, another machine, or has a scheme. */
const isOutside = (href: string) => /^(\/|[a-z][a-z0-9+.-]*:)/i.test(href.trim());

const leadsOut = (target: string) => target === '..' || target.startsWith('../');

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    // Older programs escape Latin-1.
    return unescapePercent(href);
  }
}
