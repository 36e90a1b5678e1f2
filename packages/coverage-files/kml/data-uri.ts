import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { FileError } from '../errors.ts';
import { type FileEntry, looseEntry } from '../file-set.ts';

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
