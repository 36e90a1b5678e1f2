import './legend.css';
import { h } from '../dom.ts';
import './colours.ts';
import { speedSteps } from './overlays.ts';

/** A swatch in a colour, and pattern, of the map. */
export function swatch(name: string): HTMLElement {
  return h('span', { class: `swatch swatch-${name}`, 'aria-hidden': 'true' });
}

/** What the colours of coverage mean. @param later whether some of it is not there yet */
export function speedLegend(speeds: readonly number[], later: boolean): HTMLElement {
  const classes = speedSteps
    .map((from, i) => ({ from, to: speedSteps[i + 1], i }))
    .filter(({ from, to }) => speeds.some((speed) => speed >= from && (to === undefined || speed < to)));
  return h(
    'div',
    { class: 'legend' },
    h('p', { class: 'legend-title' }, 'Fastest download'),
    h(
      'ul',
      {},
      ...classes.map(({ from, to, i }) =>
        h(
          'li',
          {},
          swatch(`speed-${i}`),
          to === undefined
            ? `${from} Mbps and more`
            : from === 0
              ? `below ${to} Mbps`
              : `${from} to ${to} Mbps`,
        ),
      ),
      later && h('li', {}, swatch('later'), 'planned or under construction'),
    ),
  );
}
