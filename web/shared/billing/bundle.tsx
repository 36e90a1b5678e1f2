import type { MonthUsage } from '../schemas.ts';
import { number } from '../words.ts';

interface BundleProps {
  of: Pick<MonthUsage['customers'][number], 'queries' | 'free' | 'bundle' | 'projection'>;
}

function bundleOf({ queries, free, bundle, projection }: BundleProps['of']) {
  const forecast = projection ? projection.queries - projection.free : undefined;
  return { used: queries - free, size: bundle, forecast };
}

/** A bar of the bundle's usage; a line shows the forecast. */
export function BundleBar({ of }: BundleProps) {
  const { used, size, forecast } = bundleOf(of);
  // Some room after the last mark, so that it is visible.
  const whole = Math.max(size, used, 1.04 * (forecast ?? 0), 1);
  const share = (queries: number) => `${(100 * queries) / whole}%`;
  return (
    // biome-ignore lint/a11y/useSemanticElements: <meter> shows one bar, and no forecast
    <div
      class="bundle"
      role="meter"
      aria-label="Bundle used"
      aria-valuemin={0}
      aria-valuemax={Math.max(size, used)}
      aria-valuenow={used}
      aria-valuetext={`${number(used)} of ${number(size)} queries`}
    >
      <div class="bundle-used" style={{ width: share(Math.min(used, size)) }} />
      <div class="bundle-past" style={{ width: share(Math.max(0, used - size)) }} />
      {whole > size && size > 0 && <div class="bundle-end" style={{ left: share(size) }} />}
      {forecast !== undefined && forecast > used && (
        <div class="bundle-expected" style={{ left: share(forecast) }} />
      )}
    </div>
  );
}

export function BundleLegend({ of }: BundleProps) {
  const { used, size, forecast } = bundleOf(of);
  const entries: [mark: string, text: string, isThere: boolean][] = [
    ['', 'Used', true],
    ['past', 'Overage', used > size],
    ['end', 'Bundle limit', Math.max(used, forecast ?? 0) > size],
    ['expected', 'Forecast', forecast !== undefined && forecast > used],
  ];
  return (
    <ul class="bare-list caption legend" aria-hidden="true">
      {entries.map(
        ([mark, text, isThere]) =>
          isThere && (
            <li key={text} class="row">
              <span class={`legend-mark ${mark}`} />
              {text}
            </li>
          ),
      )}
    </ul>
  );
}
