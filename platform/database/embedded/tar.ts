interface TarEntry {
  name: string;
  isFolder: boolean;
  bytes: Buffer;
  /** Header and bytes, as they are in the archive. */
  blocks: Buffer;
}

/** The entries of a tar archive: 512 bytes of header, with the name and the size in octal, then the bytes. @throws Error where it is truncated */
export function* tarEntries(archive: Buffer): Generator<TarEntry> {
  for (let at = 0; archive[at]; ) {
    const name = archive.toString('latin1', at, archive.indexOf(0, at));
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8);
    const end = at + 512 + Math.ceil(size / 512) * 512;
    if (!(end <= archive.length)) throw new Error(`The archive is cut off in ${name}.`);
    const bytes = archive.subarray(at + 512, at + 512 + size);
    yield { name, isFolder: archive[at + 156] === 0x35, bytes, blocks: archive.subarray(at, end) };
    at = end;
  }
}

/** A tar archive with only some of its files. @throws Error where nothing is left */
export function filterTar(archive: Buffer, isKept: (name: string) => boolean): Buffer {
  const kept = [...tarEntries(archive)].filter(({ name }) => isKept(name)).map(({ blocks }) => blocks);
  if (kept.length === 0) throw new Error('The archive has another form.');
  return Buffer.concat([...kept, Buffer.alloc(1024)]);
}
