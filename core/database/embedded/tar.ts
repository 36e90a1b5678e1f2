/**
 * A tar archive with only some of its files. It has blocks of 512 bytes: a header for each file, with its name and its size in octal,
 * then its bytes.
 * @throws Error where nothing is left
 */
export function filterTar(archive: Buffer, isKept: (name: string) => boolean): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; archive[at]; ) {
    const name = archive.toString('latin1', at, archive.indexOf(0, at));
    const size = Number.parseInt(archive.toString('latin1', at + 124, at + 136), 8);
    const end = at + 512 + Math.ceil(size / 512) * 512;
    if (isKept(name)) kept.push(archive.subarray(at, end));
    at = end;
  }
  if (kept.length === 0) throw new Error('The archive has another form.');
  return Buffer.concat([...kept, Buffer.alloc(1024)]);
}
