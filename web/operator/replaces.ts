/* Sentences about the coverage that a file replaces, for the form. Contains no components. */

import type { PublishedCoverage } from '../shared/schemas.ts';
import { area, dayOf } from '../shared/words.ts';
import { fromFile } from './description.ts';
import { isLater } from './meaning.ts';

type Live = Pick<PublishedCoverage, 'technology' | 'scope' | 'area_km2' | 'published_at'>;

/** Tells which coverage a file will replace, and which stays; undefined where nothing is published. @param published by its operator */
export function replacesWords(
  { technology, scope, availability }: { technology: string; scope: string; availability: string },
  published: readonly Live[],
  technologyLabel: (name: string) => string,
): { tone: 'info' | 'warning'; title: string; text: string } | undefined {
  const same = published.filter((one) => technology === fromFile || one.technology === technology);
  if (same.length === 0) return undefined;
  const isReplaced = (one: Live) => one.scope.toLowerCase() === scope.toLowerCase();
  const replaced = same.filter(isReplaced);
  const kept = [...new Set(same.filter((one) => !isReplaced(one)).map(scopeWords))];
  const stays = kept.length > 0 ? ` What is published with ${kept.join(', ')} stays.` : '';
  const scoped = scope ? ` with the scope “${scope}”` : '';
  if (replaced.length === 0) {
    const what = technology === fromFile ? '' : `${technologyLabel(technology)} `;
    return {
      tone: 'info',
      title: `Adds ${what}coverage${scope ? scoped : ' without a scope'}; your other ${what}coverage stays.`,
      text: `Where they overlap, lookups answer with the fastest.${stays}`,
    };
  }
  const what = replaced.map((one) => {
    const facts = [one.area_km2 === null ? '' : area(one.area_km2), dayOf(one.published_at)];
    return `${technologyLabel(one.technology)} coverage${scoped} (${facts.filter(Boolean).join(', ')})`;
  });
  const title =
    technology === fromFile
      ? `Replaces, of your published ${what.join(' and ')}, the technologies that this file has.`
      : `Replaces your published ${what.join(' and ')}.`;
  if (!isLater(availability)) {
    const text =
      'If this file is only part of your coverage, such as a region, enter a scope above; the rest then stays.';
    return { tone: 'info', title, text: text + stays };
  }
  const state = availability === 'planned' ? 'planned' : 'under construction';
  return {
    tone: 'warning',
    title,
    text: `This file is coverage that is ${state}: what it replaces would no longer be live. To keep that, enter a scope above, such as “${state}”.${stays}`,
  };
}

function scopeWords({ scope }: Live): string {
  return scope === '' ? 'no scope' : `the scope “${scope}”`;
}
