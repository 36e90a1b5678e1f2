const maxLength = 200;

/**
 * What a file is called, as it may be shown and stored: the last part of whatever path somebody sends, without control
 * characters. It never names anything in the storage.
 */
export function plainFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it is here to remove
  const plain = last.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '').trim();
  const kept = plain.toWellFormed().slice(-maxLength);
  return kept === '' || kept === '.' || kept === '..' ? 'file' : kept;
}
