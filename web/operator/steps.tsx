import type { Submission } from '../shared/schemas.ts';
import { Icon } from '../shared/ui/icon.tsx';

/** `undone`: the name before the step is done, if it differs. */
const steps: [statuses: Submission['status'][], name: string, undone?: string][] = [
  [['received'], 'Received'],
  [['reading'], 'Read'],
  [['loading'], 'Loaded'],
  [['checking'], 'Validated'],
  [['ready', 'published', 'superseded'], 'Published', 'Publish'],
];

const words = { done: ', done', stopped: ', stopped here', next: ', next', now: ', now' };

export function Steps({ submission: { status, progress, finished } }: { submission: Submission }) {
  const step = progress?.step === 'predicting' ? 'received' : (progress?.step ?? 'reading');
  const stoppedAt = status === 'failed' || status === 'withdrawn' ? step : undefined;
  const at = steps.findIndex(([statuses]) => statuses.includes(stoppedAt ?? status));
  return (
    <ol class="bare-list steps">
      {steps.map(([, name, undone], i) => {
        const isDone = i < at || (i === at && (status === 'published' || status === 'superseded'));
        const current = stoppedAt ? 'stopped' : finished ? 'next' : 'now';
        const kind = isDone ? 'done' : i === at ? current : undefined;
        return (
          <li key={name} class={kind} aria-current={kind === current ? 'step' : undefined}>
            <span class="step-mark">{isDone && <Icon name="check" size={14} />}</span>
            <span>
              {isDone ? name : (undone ?? name)}
              <span class="visually-hidden">{kind && words[kind]}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
