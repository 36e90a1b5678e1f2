import type { PointCoverage } from './lookup.ts';

/** Caches the written form of a point's coverage: many points share one, and writing it is most of the work. */
export function cachedByTiers<T>(write: (coverage: PointCoverage) => T): (coverage: PointCoverage) => T {
  const written = new WeakMap<PointCoverage, T>();
  return (coverage) => {
    let known = written.get(coverage);
    if (known === undefined) {
      known = write(coverage);
      written.set(coverage, known);
    }
    return known;
  };
}
