import type { FileSet } from '../file-set.ts';
import type { ReadOptions, Source } from '../format.ts';

export async function openKml(_files: FileSet, _options: ReadOptions): Promise<Source> {
  throw new Error('not yet');
}
