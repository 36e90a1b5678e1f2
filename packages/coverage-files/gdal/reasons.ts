/* Translates GDAL's messages about unreadable files: its own name functions and source files. */

const reasons: [message: RegExp, reason: string][] = [
  [/it is not of this format/, 'it is not of this format'],
  [/line (\d+), character (\d+): /i, 'its JSON is damaged in line $1, at character $2'],
  [/\(at offset (\d+)\)/, 'its JSON is damaged after $1 bytes'],
  [/Missing '(\w{1,20})' member/, 'it has no "$1"'],
  [/\bline (\d+)\b/, 'line $1 cannot be read'],
  [/file short|unexpected end|unable to read|can't read|cannot read|failed to read/i, 'it ends early'],
  [/a record cannot be read/, 'a record cannot be read'],
];

/** The reason why GDAL cannot read a file, in our words. @param message GDAL's message */
export function reasonOf(message: string): string {
  for (const [pattern, reason] of reasons) {
    const found = pattern.exec(message);
    if (found) return reason.replace(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '');
  }
  return 'it is damaged, or not written as such a file has to be';
}

/** Tells if a file is in a compression that this build of GDAL lacks. @param said GDAL's message */
export const lacksCodec = (said: string): boolean => /missing codec/.test(said);
