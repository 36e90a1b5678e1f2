import { go } from '../shared/address.ts';

/** The file that one view hands to the next. A reload loses it, as browsers do not return files. */
let chosen: File | undefined;

/** Opens the form for a new file. */
export function describeNew(file: File): void {
  chosen = file;
  go('/new');
}

export function takePendingFile(): File | undefined {
  const file = chosen;
  chosen = undefined;
  return file;
}
