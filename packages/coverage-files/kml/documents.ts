import { writeFile } from 'node:fs/promises';
import path from 'node:path/posix';
import { FileError } from '../errors.ts';
import { extensionOf, type FileEntry, type FileSet, looseEntry } from '../file-set.ts';
import { type Scan, type ScannedLink, scanKml } from './scan.ts';

/** A KML with those that its network links lead to. */
export interface KmlDocument {
  main: KmlFile;
  /** The main one first, then in the order of links. */
  files: KmlFile[];
}

export interface KmlFile {
  scan: Scan;
  /** Each file is linked from one place only. */
  links: { link: ScannedLink; file: KmlFile }[];
  /** Links to nothing in the upload. */
  outside: string[];
  missing: string[];
}

/** Levels of a super-overlay: thirty are a millimetre on the earth. */
const maxLinksDeep = 50;

/**
 * Scans all KMLs and finds those that belong together. A KML without links to it is a document; a circle of links begins with doc.kml or the
 * one highest in the archive.
 * @throws FileError `kml_unsafe`, or an error of {@link scanKml}
 */
export async function findDocuments(files: FileSet) {
  const resolve = referencesAmong(files.entries);
  const entries = files.entries.filter(({ path }) => extensionOf(path) === 'kml').sort(mainFirst);
  const scans = new Map<FileEntry, Scan>();
  for (const entry of entries) scans.set(entry, await scanKml(entry));
  const targetsOf = ({ entry, links }: Scan) =>
    links.map((link) => ({ link, target: resolve(link.href, entry.path) }));
  const linked = new Set<FileEntry>();
  for (const [entry, scan] of scans) {
    for (const { target } of targetsOf(scan))
      if (target.kind === 'inside' && target.entry !== entry) linked.add(target.entry);
  }
  const visited = new Set<FileEntry>();
  const follow = (scan: Scan, depth: number, into: KmlFile[]): KmlFile => {
    if (depth > maxLinksDeep) {
      throw new FileError(
        'kml_unsafe',
        `${scan.entry.path} is reached by more than ${maxLinksDeep} network links, one after the other.`,
        'Put the coverage into fewer files that link to one another.',
      );
    }
    visited.add(scan.entry);
    const file: KmlFile = { scan, links: [], outside: [], missing: [] };
    into.push(file);
    for (const { link, target } of targetsOf(scan)) {
      const found = target.kind === 'inside' ? scans.get(target.entry) : undefined;
      if (target.kind === 'outside' || target.kind === 'data') file.outside.push(link.href);
      else if (!found) file.missing.push(link.href);
      else if (!visited.has(found.entry)) file.links.push({ link, file: follow(found, depth + 1, into) });
    }
    return file;
  };
  const documents: KmlDocument[] = [];
  for (const [entry, scan] of [...[...scans].filter(([one]) => !linked.has(one)), ...scans]) {
    if (visited.has(entry)) continue;
    const files: KmlFile[] = [];
    documents.push({ main: follow(scan, 0, files), files });
  }
  return { documents, resolve };
}

/** Compares: doc.kml first, then by depth, else as in the archive (KML 2.3, annex C). */
function mainFirst(a: FileEntry, b: FileEntry): number {
  return depthOf(a) - depthOf(b) || Number(isDoc(b)) - Number(isDoc(a));
}

const depthOf = (entry: FileEntry) => entry.path.split('/').length;
const isDoc = (entry: FileEntry) => /(^|\/)doc\.kml$/i.test(entry.path);

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

let written = 0;

/** Writes an embedded image (RFC 2397) to the scratch folder. @throws FileError `image_damaged` */
export async function fileOfDataUri(uri: string, scratch: string): Promise<FileEntry> {
  const comma = uri.indexOf(',');
  const type = uri.slice('data:'.length, comma).toLowerCase();
  const body = uri.slice(comma + 1);
  const bytes = /;\s*base64\s*$/.test(type)
    ? Buffer.from(body.includes('%') ? unescapePercent(body) : body, 'base64')
    : Buffer.from(unescapePercent(body), 'latin1');
  if (comma < 0 || bytes.length === 0) {
    throw new FileError(
      'image_damaged',
      'An image that stands in the KML as a data URI is empty or damaged.',
    );
  }
  const [, extension] = /^image\/(png|jpe?g|gif|webp|tiff)\b/.exec(type) ?? [];
  const name = `embedded-${++written}${extension ? `.${extension}` : ''}`;
  const file = path.join(scratch, name);
  await writeFile(file, bytes, { flag: 'wx' });
  return looseEntry(file, name);
}

/** Bytes as Latin-1. */
export function unescapePercent(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
