/** The file that one view hands to the next. A reload loses it, as browsers do not return files. */
let chosen: File | undefined;

export function setPendingFile(file: File): void {
  chosen = file;
}

export function takePendingFile(): File | undefined {
  const file = chosen;
  chosen = undefined;
  return file;
}
