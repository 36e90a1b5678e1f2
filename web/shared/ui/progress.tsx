import { useId } from 'preact/hooks';

export interface ProgressProps {
  /** The name of the step. */
  label: string;
  /** 0 to 100; null where nobody knows how far it is. */
  percent: number | null;
  detail?: string | undefined;
}

/** A bar with the name of the step above it, and under it what there is to say of it. */
export function Progress({ label, percent, detail }: ProgressProps) {
  const id = useId();
  const shown = percent === null ? undefined : Math.min(100, Math.max(0, Math.round(percent)));
  return (
    <div class="progress">
      <div class="progress-head">
        <span id={id} class="progress-label">
          {label}
        </span>
        <span class="progress-share" aria-hidden="true">
          {shown !== undefined && `${shown}%`}
        </span>
      </div>
      <div
        class={shown === undefined ? 'progress-track unknown' : 'progress-track'}
        role="progressbar"
        aria-labelledby={id}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={shown}
      >
        <div class="progress-done" style={shown === undefined ? undefined : { width: `${shown}%` }} />
      </div>
      <p class="progress-detail">{detail}</p>
    </div>
  );
}
