import yazl from 'yazl';

/** A zip archive of files by path. The same files make the same archive. */
export async function zip(files: Record<string, Buffer>, { compress = true } = {}): Promise<Buffer> {
  const archive = new yazl.ZipFile();
  for (const [path, bytes] of Object.entries(files)) {
    archive.addBuffer(bytes, path, {
      mtime: new Date(Date.UTC(2026, 0, 1)),
      forceDosTimestamp: true,
      mode: 0o100644,
      compress,
    });
  }
  archive.end();
  const chunks: Buffer[] = [];
  for await (const chunk of archive.outputStream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
