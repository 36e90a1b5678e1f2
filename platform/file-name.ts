const maxLength = 200;

/** A file's name for display and storage: the last part of a path, without control characters. It never names a stored file. */
export function plainFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them
  const plain = last.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  const kept = plain.toWellFormed().slice(-maxLength);
  return kept === '' || kept === '.' || kept === '..' ? 'file' : kept;
}
