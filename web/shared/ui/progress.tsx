import { useId } from 'preact/hooks';

type ProgressProps = { label: string; percent: number | null; detail?: string | undefined };

/** A progress bar below the step's name and above its details. @param percent null if unknown */
export function Progress({ label, percent, detail }: ProgressProps) {
  const id = useId();
  const shown = percent === null ? undefined : Math.min(100, Math.max(0, Math.round(percent)));
  return (
    <div class="stack tight progress">
      <div class="between label">
        <span id={id}>{label}</span>
        <span aria-hidden="true">{shown !== undefined && `${shown}%`}</span>
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
      <p class="hint">{detail}</p>
    </div>
  );
}
