import { FileError } from '../errors.ts';
import { extensionOf, type FileEntry, type FileSet } from '../file-set.ts';
import { referencesAmong } from './references.ts';
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
  const seen = new Set<FileEntry>();
  const follow = (scan: Scan, depth: number, into: KmlFile[]): KmlFile => {
    if (depth > maxLinksDeep) {
      throw new FileError(
        'kml_unsafe',
        `${scan.entry.path} is reached by more than ${maxLinksDeep} network links, one after the other.`,
        'Put the coverage into fewer files that link to one another.',
      );
    }
    seen.add(scan.entry);
    const file: KmlFile = { scan, links: [], outside: [], missing: [] };
    into.push(file);
    for (const { link, target } of targetsOf(scan)) {
      const found = target.kind === 'inside' ? scans.get(target.entry) : undefined;
      if (target.kind === 'outside' || target.kind === 'data') file.outside.push(link.href);
      else if (!found) file.missing.push(link.href);
      else if (!seen.has(found.entry)) file.links.push({ link, file: follow(found, depth + 1, into) });
    }
    return file;
  };
  const documents: KmlDocument[] = [];
  for (const [entry, scan] of [...[...scans].filter(([one]) => !linked.has(one)), ...scans]) {
    if (seen.has(entry)) continue;
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
