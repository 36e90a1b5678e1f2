import type { FileSet } from '../file-set.ts';
import type { ReadOptions, Source } from '../format.ts';

/** Whether a file by its ending is one that {@link openGdal} opens. */
export function recognisedByGdal(_path: string): boolean {
  return false;
}

export async function openGdal(_files: FileSet, _options: ReadOptions): Promise<Source> {
  throw new Error('not yet');
}
