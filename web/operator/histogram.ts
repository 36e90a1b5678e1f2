import { fill, h } from '../shared/dom.ts';
import type { ValueSummary } from '../shared/types.ts';

const svgNames = 'http://www.w3.org/2000/svg';
const [width, height] = [640, 72];
/** More bars than these are thinner than anybody sees. */
const maxBars = 80;

export interface HistogramView {
  element: HTMLElement;
  /** @param colourOf of a range, as the limits make them: 0 is the highest */
  show(
    summaries: readonly ValueSummary[],
    limits: readonly number[],
    colourOf: (range: number) => string,
  ): void;
}

/** How often each value occurs, in the colours of the ranges. The figures are in the rows; this is for the eye. */
export function histogram(): HistogramView {
  const svg = document.createElementNS(svgNames, 'svg');
  for (const [name, value] of Object.entries({
    viewBox: `0 0 ${width} ${height}`,
    preserveAspectRatio: 'none',
    class: 'histogram-bars',
    'aria-hidden': 'true',
  })) {
    svg.setAttribute(name, value);
  }
  const scale = h('div', { class: 'histogram-scale', 'aria-hidden': 'true' });
  return {
    element: h('div', { class: 'histogram' }, svg, scale),
    show(summaries, limits, colourOf) {
      const bars = barsOf(summaries);
      if (bars.length === 0) return;
      const first = bars[0] as Bar;
      const last = bars.at(-1) as Bar;
      const [from, to] = [first.from, last.from + last.width];
      const highest = Math.max(...bars.map(({ share }) => share));
      const x = (value: number) => (width * (value - from)) / (to - from);
      const shapes: SVGElement[] = bars.map((bar) => {
        const size = (height - 2) * (bar.share / highest);
        const range = limits.filter((limit) => limit > bar.from + bar.width / 2).length;
        return shape('rect', {
          x: x(bar.from),
          y: height - size,
          width: Math.max(0.5, x(bar.from + bar.width) - x(bar.from) - 0.6),
          height: size,
          // A style, as a variable is no value of an attribute; set by script, which the page allows.
          fill: colourOf(range),
        });
      });
      const shown = limits.filter((limit) => limit > from && limit < to);
      svg.replaceChildren(
        ...shapes,
        ...shown.map((limit) => shape('line', { x1: x(limit), x2: x(limit), y1: 0, y2: height })),
      );
      fill(
        scale,
        ...apart([from, ...shown.toReversed(), to], (to - from) * labelShare).map((value, i, all) => {
          const label = h('span', {}, String(round(value)).replace('-', '−'));
          label.style.left = `${(100 * (value - from)) / (to - from)}%`;
          if (i === 0) label.className = 'first';
          if (i === all.length - 1) label.className = 'last';
          return label;
        }),
      );
    },
  };
}

/** Of the width, that a label takes on a phone. */
const labelShare = 0.1;

/** Ascending values without those that are too near to the one before; both ends stay. */
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

/** The bins of all rasters, as many to a bar as it takes. */
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

function shape(
  tag: 'rect' | 'line',
  { fill: colour, ...values }: { [name: string]: number | string },
): SVGElement {
  const element = document.createElementNS(svgNames, tag);
  for (const [name, value] of Object.entries(values)) element.setAttribute(name, String(value));
  if (colour) element.style.fill = String(colour);
  return element;
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}
