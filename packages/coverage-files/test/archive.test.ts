import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { scratchFolder } from '@covermap/testing/scratch.ts';
import { zip } from '@covermap/testing/write-shapefile.ts';
import { expect, test } from 'vitest';
import yazl from 'yazl';
import { openArchive } from '../archive.ts';
import type { FileSet } from '../file-set.ts';

/* Faults of a zip file, each with its error. */

const folder = scratchFolder();

let files = 0;
function fileOf(bytes: Uint8Array): string {
  const file = path.join(folder, `${++files}.zip`);
  writeFileSync(file, bytes);
  return file;
}

const open = (bytes: Uint8Array) => openArchive(fileOf(bytes), folder);

async function readAll(archive: FileSet): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const entry of archive.entries) texts[entry.path] = (await buffer(entry.read())).toString();
  return texts;
}

async function openAndRead(bytes: Uint8Array): Promise<Record<string, string>> {
  const archive = await open(bytes);
  try {
    return await readAll(archive);
  } finally {
    archive.close();
  }
}

async function zipOf(add: (archive: yazl.ZipFile) => void): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  add(archive);
  archive.end();
  return buffer(archive.outputStream);
}

/** The signatures of a file's header, of its entry in the directory, and of the directory's end. */
const [local, directory, end] = ['504b0304', '504b0102', '504b0506'];

/** The bytes with `change` applied to each header in the archive's directory. */
function withDirectory(bytes: Buffer, change: (header: Buffer) => void): Buffer {
  const copy = Buffer.from(bytes);
  const next = (from: number) => copy.indexOf(directory, from, 'hex');
  for (let at = next(0); at >= 0; at = next(at + 4)) change(copy.subarray(at));
  return copy;
}

const text = (content: string) => Buffer.from(content);
const plain = () => zip({ 'a.shp': text('shape '.repeat(100)), 'b/c.dbf': text('table') });
/** @param message part of it */
const refused = (action: Promise<unknown>, code: string, message = '') =>
  expect(action).rejects.toMatchObject({ code, message: expect.stringContaining(message) });

test('an archive gives its files with their paths, their sizes and their bytes', async () => {
  const archive = await open(await plain());
  expect(archive.entries.map(({ path, size }) => ({ path, size }))).toEqual([
    { path: 'a.shp', size: 600 },
    { path: 'b/c.dbf', size: 5 },
  ]);
  expect(await readAll(archive)).toEqual({ 'a.shp': 'shape '.repeat(100), 'b/c.dbf': 'table' });
  archive.close();
});

test('an entry can be read again, also after reading stopped half way', async () => {
  const archive = await open(await zip({ 'a.shp': Buffer.alloc(500_000, 'x') }));
  const [entry] = archive.entries;
  for await (const chunk of entry?.read() ?? []) {
    expect(chunk.length).toBeLessThan(500_000);
    break;
  }
  expect((await readAll(archive))['a.shp']).toHaveLength(500_000);
  expect((await readAll(archive))['a.shp']).toHaveLength(500_000);
  archive.close();
});

const withFolder = zipOf((archive) => {
  archive.addEmptyDirectory('layers');
  archive.addBuffer(text('shape'), 'layers/a.shp');
});
const forks = ['__MACOSX/._a.shp', '__MACOSX/layers/._a.shp', 'layers/._a.shp', '._a.shp'];
const withForks = zip({
  ...Object.fromEntries(forks.map((name) => [name, text('fork')])),
  ...{ 'layers/a.shp': text('shape'), 'layers/a._b.shp': text('shape') },
});
const shape = await zip({ 'layers/a.shp': text('shape') });
const ofWindows = Buffer.from(shape.toString('latin1').replaceAll('layers/a', 'layers\\a'), 'latin1');
test.each<[what: string, bytes: Buffer, names: string[]]>([
  ['folders are no files', await withFolder, ['layers/a.shp']],
  ['what macOS adds beside each file is passed over', await withForks, ['layers/a.shp', 'layers/a._b.shp']],
  ['names with backslashes, as some Windows programs write them, are paths too', ofWindows, ['layers/a.shp']],
  ['letters beyond ASCII stay', await zip({ 'Ōtāhuhu.shp': text('shape') }), ['Ōtāhuhu.shp']],
])('%s', async (_, bytes, names) => {
  expect(await openAndRead(bytes)).toEqual(Object.fromEntries(names.map((name) => [name, 'shape'])));
});

test.each([
  ['a text', text('name,speed\nA,100\n')],
  ['nothing at all', Buffer.alloc(0)],
  ['three bytes', text('PK\u0003')],
  ['another archive format', Buffer.from('1f8b0800000000000003', 'hex')],
])('a file of %s is not a zip', async (_, bytes) => {
  await refused(open(bytes), 'archive_damaged');
});

test('a zip without entries, with folders alone, or with resource forks alone is empty', async () => {
  const folders = await zipOf((archive) => archive.addEmptyDirectory('layers'));
  const forks = await zip({ '__MACOSX/._a.shp': text('fork') });
  for (const bytes of [await zip({}), folders, forks]) await refused(open(bytes), 'archive_empty');
});

test('a byte that changed in a file is found by the checksum', async () => {
  const bytes = await zipOf((archive) => archive.addBuffer(text('shape'), 'a.shp', { compress: false }));
  bytes[bytes.indexOf('shape')] = 'S'.charCodeAt(0);
  await refused(openAndRead(bytes), 'archive_damaged', 'checksum');
});

const senseless = await zip({ 'a.shp': text('shape '.repeat(100)) });
senseless.fill(0xff, 35, 39);
const smaller = (header: Buffer) => header.writeUInt32LE(10, 24);
const elsewhere = (header: Buffer) => header.writeUInt32LE(0x7fffffff, 42);
test.each<[what: string, bytes: Buffer]>([
  ['compressed bytes that make no sense', senseless],
  ['a file that unpacks to more than the archive says', withDirectory(await plain(), smaller)],
  ['a directory that points elsewhere', withDirectory(await plain(), elsewhere)],
])('%s is damage', async (_, bytes) => {
  await refused(openAndRead(bytes), 'archive_damaged');
});

test('an archive that unpacks to more than two hundred times its size is refused unread', async () => {
  const sizes = (header: Buffer) => header.writeUInt32LE(101 * 2 ** 20, 24);
  await refused(open(withDirectory(await plain(), sizes)), 'archive_too_large');
});

test('a file of blanks that is no trouble to unpack may be as small as it likes', async () => {
  const archive = await open(await zip({ 'a.dbf': Buffer.alloc(5 * 2 ** 20) }));
  expect(archive.entries[0]?.size).toBe(5 * 2 ** 20);
  archive.close();
});

test('an archive that says it unpacks to more than 20 GiB is refused', async () => {
  const entries = Object.fromEntries(Array.from({ length: 6 }, (_, i) => [`${i}.shp`, text('shape')]));
  const sizes = (header: Buffer) => {
    header.writeUInt32LE(0xf0000000, 20);
    header.writeUInt32LE(0xf0000000, 24);
  };
  await refused(open(withDirectory(await zip(entries), sizes)), 'archive_too_large');
});

test('ten thousand empty files are accepted, one more is not', async () => {
  const bytes = await zip({ 'a.txt': text('') });
  const list = bytes.indexOf(directory, 0, 'hex');
  const last = bytes.indexOf(end, 0, 'hex');
  /** An archive that lists one file so many times. */
  const listed = (times: number) => {
    const tail = Buffer.from(bytes.subarray(last));
    for (const at of [8, 10]) tail.writeUInt16LE(times, at);
    tail.writeUInt32LE(times * (last - list), 12);
    return Buffer.concat([bytes.subarray(0, list), ...Array(times).fill(bytes.subarray(list, last)), tail]);
  };
  const archive = await open(listed(10_000));
  expect(archive.entries).toHaveLength(10_000);
  archive.close();
  await refused(open(listed(10_001)), 'archive_too_large');
});

test('a link in place of a file is refused by name', async () => {
  const link = (header: Buffer) => header.writeUInt32LE((0o120777 << 16) >>> 0, 38);
  const bytes = withDirectory(await zip({ 'a.dbf': Buffer.from('/etc/passwd') }), link);
  await refused(open(bytes), 'archive_unsafe', 'a.dbf');
});

/** The bytes with another number at a place counted from a signature. */
function changed(bytes: Buffer, signature: string, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt32LE(value, copy.lastIndexOf(signature, undefined, 'hex') + at);
  return copy;
}
const damages: [what: string, damage: (bytes: Buffer) => Buffer, code: string, message: RegExp][] = [
  ['cut short', (bytes) => bytes.subarray(0, -10), 'damaged', /list of files, which comes last/],
  ['without its list', (bytes) => bytes.subarray(0, 60), 'damaged', /list of files, which comes last/],
  ['with another signature in its list', (bytes) => changed(bytes, directory, 0, 7), 'damaged', /of files/],
  ['with another signature of a file', (bytes) => changed(bytes, local, 0, 7), 'damaged', /b\/c\.dbf/],
  ['with sizes of ZIP64 alone', (bytes) => changed(bytes, directory, 24, 2 ** 32 - 1), 'too_large', /unpac/],
  ['with an end of ZIP64 alone', (bytes) => changed(bytes, end, 16, 2 ** 32 - 1), 'damaged', /list of files/],
  ['in several parts', (bytes) => changed(bytes, end, 4, 0x00010001), 'damaged', /one part of several/],
  ['encrypted', (bytes) => changed(bytes, directory, 8, 0x00080001), 'encrypted', /b\/c\.dbf.*encrypted/],
];

test.each(damages)('an archive %s is told in our words', async (_, damage, code, message) => {
  const error = await openAndRead(damage(await plain())).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: `archive_${code}`, message: expect.stringMatching(message) });
  expect(error.message).not.toMatch(/signature|central directory|0x|disk|zip64|EOF|header/i);
});

test('an entry can be let go of at any moment, while others are being read', async () => {
  const content = Buffer.alloc(3_000_000, 'x');
  const archive = await open(await zip({ 'a.shp': content, 'b.dbf': content }, { compress: false }));
  for (let i = 0; i < 50; i++) {
    const readers = archive.entries.map((entry) => entry.read());
    const reads = readers.map((reader) => reader.next());
    await Promise.race(reads);
    await Promise.all(readers.map((reader) => reader.return(undefined)));
    await Promise.all(reads);
  }
  expect(Object.keys(await readAll(archive))).toEqual(['a.shp', 'b.dbf']);
  archive.close();
});

test.each([
  [
    'as macOS writes it: UTF-8 that does not say so, in two pieces',
    'M\u0061\u0304ngere/\u0304.png',
    'utf8',
    'M\u0101ngere/\u0304.png',
  ],
  ['in code page 437', 'M\x84ngere.png', 'latin1', 'M\u00e4ngere.png'],
  ['in UTF-8 that says so', 'Ma\u0304ngere.png', 'flag', 'M\u0101ngere.png'],
] as const)('a name with letters beyond ASCII is read %s', async (_, name, encoding, expected) => {
  const raw = Buffer.from(name, encoding === 'latin1' ? 'latin1' : 'utf8');
  const placeholder = 'x'.repeat(raw.length);
  const bytes = await zip({ [placeholder]: text('content') });
  for (let at = bytes.indexOf(placeholder); at >= 0; at = bytes.indexOf(placeholder, at)) raw.copy(bytes, at);
  const flagged = withDirectory(bytes, (header) => {
    const flags = header.readUInt16LE(8);
    header.writeUInt16LE(encoding === 'flag' ? flags | 0x800 : flags & ~0x800, 8);
  });
  expect(await openAndRead(flagged)).toEqual({ [expected]: 'content' });
});
