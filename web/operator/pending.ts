/** The file that was chosen on one view and is sent on the next. A reload forgets it: browsers give no file twice. */
let chosen: File | undefined;

export function setPendingFile(file: File): void {
  chosen = file;
}

export function takePendingFile(): File | undefined {
  const file = chosen;
  chosen = undefined;
  return file;
}
