import './legend.css';
import './colours.ts';
import { speedSteps } from './overlays.ts';

/** A swatch in a colour, and pattern, of the map. */
export function Swatch({ name }: { name: string }) {
  return (
    <span class={`swatch swatch-${name}`} style={{ '--swatch': `var(--map-${name})` }} aria-hidden="true" />
  );
}

export interface SpeedLegendProps {
  /** The fastest downloads that there are, in Mbps. */
  speeds: readonly number[];
  later: boolean;
}

/** What the colours of coverage mean. */
export function SpeedLegend({ speeds, later }: SpeedLegendProps) {
  return (
    <div class="legend">
      <p class="legend-title">Maximum download speed</p>
      <ul class="bare-list stack close">
        {speedSteps.map((from, i) => {
          const to = speedSteps[i + 1];
          const isThere = speeds.some((speed) => speed >= from && (to === undefined || speed < to));
          return (
            isThere && (
              <li key={from} class="row">
                <Swatch name={`speeds-${i}`} />
                {to === undefined
                  ? `${from} Mbps and more`
                  : from === 0
                    ? `below ${to} Mbps`
                    : `${from} to ${to} Mbps`}
              </li>
            )
          );
        })}
        {later && (
          <li class="row">
            <Swatch name="later" />
            planned or under construction
          </li>
        )}
      </ul>
    </div>
  );
}
