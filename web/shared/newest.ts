import type { Signal } from '@preact/signals';

type Page<Name extends string, T> = Record<Name, T[]> & { next: string | null };

/** The newest entries of a list that the API returns in pages. @param name of the list in its answers @param maxPage the page size */
export async function newest<Name extends string, T>(
  name: Name,
  wanted: Signal<number>,
  maxPage: number,
  ask: (query: { limit: number; before?: string }) => Promise<Page<Name, T>>,
): Promise<{ entries: T[]; hasMore: boolean }> {
  const entries: T[] = [];
  let before: string | null = null;
  do {
    const limit = Math.min(maxPage, wanted.value - entries.length);
    const page: Page<Name, T> = await ask({ limit, ...(before ? { before } : {}) });
    entries.push(...page[name]);
    before = page.next;
  } while (before && entries.length < wanted.value);
  return { entries, hasMore: before !== null };
}
