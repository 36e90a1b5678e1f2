import { notice } from '../shared/notice.ts';
import type { Availability, PublishedCoverage } from '../shared/types.ts';
import { area, dayOf } from '../shared/words.ts';

/** What is known of a file, of which it is to be said what it takes the place of. */
export interface ReplacingFile {
  /** '' where each area has its own. */
  technology: string;
  scope: string;
  availability: Availability;
}

/**
 * What a file will replace, or undefined where nothing is published that it would.
 * @param published of the operator whose file it is
 */
export function replacesNotice(
  { technology, scope, availability }: ReplacingFile,
  published: readonly PublishedCoverage[],
  technologyLabel: (name: string) => string,
): HTMLElement | undefined {
  const same = published.filter((one) => technology === '' || one.technology === technology);
  // Case makes no other scope.
  const isSame = (one: PublishedCoverage) => one.scope.toLowerCase() === scope.toLowerCase();
  const replaced = same.filter(isSame);
  if (replaced.length === 0) return undefined;
  const what = replaced.map((one) => {
    const facts = [one.area_km2 === null ? '' : area(one.area_km2), dayOf(one.published_at)];
    const part = scope ? `, part “${scope}”` : '';
    return `your published ${technologyLabel(one.technology)} coverage${part} (${facts.filter(Boolean).join(', ')})`;
  });
  const kept = same.filter((one) => !isSame(one)).map((one) => one.scope || 'the one without a name');
  const rest = kept.length > 0 ? ` Other parts stay: ${[...new Set(kept)].join(', ')}.` : '';
  const title = `Replaces ${what.join(' and ')}.`;
  if (availability !== 'available') {
    const state = availability === 'planned' ? 'planned' : 'under construction';
    return notice(
      'warning',
      title,
      `This file is coverage that is ${state}: what is live now would be gone. To keep it, name a part above, such as “${state}”.${rest}`,
    );
  }
  return notice(
    'info',
    title,
    `If this file is only a part of your coverage, such as a region, name the part above; the rest then stays.${rest}`,
  );
}
