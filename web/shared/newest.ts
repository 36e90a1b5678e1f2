import type { Signal } from '@preact/signals';

/** A page of a list, and where the next one begins. */
export interface Asked {
  limit: number;
  before?: string;
}

/** The newest entries of a list that the API gives in pages. @param maxPage how many it gives at once */
export async function newest<T>(
  wanted: Signal<number>,
  maxPage: number,
  ask: (page: Asked) => Promise<[entries: T[], next: string | null]>,
): Promise<{ entries: T[]; hasMore: boolean }> {
  const all: T[] = [];
  let before: string | null = null;
  do {
    const limit = Math.min(maxPage, wanted.value - all.length);
    const [entries, next]: [T[], string | null] = await ask({ limit, ...(before ? { before } : {}) });
    all.push(...entries);
    before = next;
  } while (before && all.length < wanted.value);
  return { entries: all, hasMore: before !== null };
}
