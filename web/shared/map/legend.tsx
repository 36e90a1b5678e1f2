import './legend.css';
import './colours.ts';
import { speedSteps } from './speed-steps.ts';

/** A swatch in a colour of the map. */
export function Swatch({ name }: { name: string }) {
  return (
    <span class={`swatch swatch-${name}`} style={{ '--swatch': `var(--map-${name})` }} aria-hidden="true" />
  );
}

export interface SpeedLegendProps {
  title?: string;
  /** The greatest download speeds present, in Mbps; all classes are shown if absent. */
  speeds?: readonly number[];
  later?: boolean;
}

export function SpeedLegend({ title = 'Maximum download speed', speeds, later }: SpeedLegendProps) {
  return (
    <div class="legend">
      <p class="legend-title">{title}</p>
      <ul class="bare-list stack close">
        {speedSteps.map((from, i) => {
          const to = speedSteps[i + 1];
          const isThere =
            !speeds || speeds.some((speed) => speed >= from && (to === undefined || speed < to));
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
            paler: planned or under construction
          </li>
        )}
      </ul>
    </div>
  );
}
