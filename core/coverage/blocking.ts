import type { CoverageChange } from './compare.ts';

/** Why a submission does not publish itself. */
export interface Blocking {
  code: string;
  message: string;
}

export interface BlockingRules {
  /** Percent of a published coverage's area that may be lost. */
  lostPercent: number;
  /** Codes of warnings. */
  warnings: readonly string[];
}

/** What somebody should look at before this is published: much of the area lost, and warnings of the kinds that matter. */
export function blockingOf(
  report: {
    change: readonly (CoverageChange & { technology: string })[];
    warnings: readonly { code: string; message: string }[];
  },
  rules: BlockingRules,
): Blocking[] {
  const lost = report.change.flatMap(({ technology, lost_km2, unchanged_km2 }): Blocking[] => {
    const before = lost_km2 + unchanged_km2;
    const percent = before > 0 ? (100 * lost_km2) / before : 0;
    if (percent <= rules.lostPercent) return [];
    const share = percent < 10 ? percent.toFixed(1) : String(Math.round(percent));
    return [
      {
        code: 'area_lost',
        message: `${share}% of the published ${technology} would be lost: more than the ${rules.lostPercent}% that may be without somebody's look.`,
      },
    ];
  });
  const warned = report.warnings.filter(({ code }) => rules.warnings.includes(code));
  return [...lost, ...warned.map(({ code, message }) => ({ code, message }))];
}
