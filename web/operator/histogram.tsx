import type { ValueSummary } from '../shared/schemas.ts';

const [width, height] = [640, 72];
/** More bars would be too thin to see. */
const maxBars = 80;
/** The share of the width that a label takes on a phone. */
const labelShare = 0.1;

export interface HistogramProps {
  summaries: readonly ValueSummary[];
  /** The limits between ranges, the highest first. */
  limits: readonly number[];
  /** @param range by `limits`: 0 is the highest */
  colourOf(range: number): string;
}

/** The frequency of each value, in the colours of the ranges. Decorative: the rows have the figures. */
export function Histogram({ summaries, limits, colourOf }: HistogramProps) {
  const bars = barsOf(summaries);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last) return null;
  const [from, to] = [first.from, last.from + last.width];
  const highest = Math.max(...bars.map(({ share }) => share));
  const x = (value: number) => (width * (value - from)) / (to - from);
  const shown = limits.filter((limit) => limit > from && limit < to);
  const labels = apart([from, ...shown.toReversed(), to], (to - from) * labelShare);
  return (
    <div>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        class="histogram-bars"
        aria-hidden="true"
      >
        {bars.map((bar) => {
          const size = (height - 2) * (bar.share / highest);
          const range = limits.filter((limit) => limit > bar.from + bar.width / 2).length;
          return (
            <rect
              key={bar.from}
              x={x(bar.from)}
              y={height - size}
              width={Math.max(0.5, x(bar.from + bar.width) - x(bar.from) - 0.6)}
              height={size}
              // A style, as attributes do not accept variables.
              style={{ fill: colourOf(range) }}
            />
          );
        })}
        {shown.map((limit) => (
          <line key={limit} x1={x(limit)} x2={x(limit)} y1={0} y2={height} />
        ))}
      </svg>
      <div class="histogram-scale" aria-hidden="true">
        {labels.map((value) => (
          <span key={value} style={{ left: `${(100 * (value - from)) / (to - from)}%` }}>
            {String(Number(value.toPrecision(6))).replace('-', '−')}
          </span>
        ))}
      </div>
    </div>
  );
}

/** Ascending values without those too close to the one before; both ends stay. */
function apart(values: readonly number[], distance: number): number[] {
  const [first = 0, ...rest] = values;
  const last = rest.pop() ?? first;
  const kept = [first];
  for (const value of rest) {
    if (value - (kept.at(-1) as number) >= distance && last - value >= distance) kept.push(value);
  }
  return [...kept, last];
}

interface Bar {
  from: number;
  width: number;
  share: number;
}

/** The bins of all rasters, several to a bar if there are many. */
function barsOf(summaries: readonly ValueSummary[]): Bar[] {
  const bins = summaries.flatMap(({ histogram: one }) =>
    one ? one.shares.map((share, i) => ({ from: one.from + i * one.step, width: one.step, share })) : [],
  );
  if (bins.length === 0) return [];
  const from = Math.min(...bins.map((bin) => bin.from));
  const to = Math.max(...bins.map((bin) => bin.from + bin.width));
  let step = Math.max(...bins.map(({ width: one }) => one));
  while ((to - from) / step > maxBars) step *= 2;
  const start = Math.floor(from / step) * step;
  const bars = Array.from({ length: Math.ceil((to - start) / step) }, (_, i) => ({
    from: start + i * step,
    width: step,
    share: 0,
  }));
  for (const bin of bins) {
    const bar = bars[Math.min(bars.length - 1, Math.floor((bin.from - start) / step))];
    if (bar) bar.share += bin.share;
  }
  return bars;
}
