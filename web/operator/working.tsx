import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { set } from '../shared/field-value.ts';
import type { Submission } from '../shared/schemas.ts';
import { Progress } from '../shared/ui/progress.tsx';
import { count, number } from '../shared/words.ts';

/** After so long without events the page says what may have happened. */
const silentMs = 45_000;
/** After so long in the queue it says that this is normal. */
const queuedMs = 8_000;

const labels: Partial<Record<Submission['status'], string>> = {
  received: 'Queued',
  reading: 'Reading the file',
  loading: 'Loading the areas',
  checking: 'Validating',
};

export function Working({ submission }: { submission: Submission }) {
  const { status, progress, revision } = submission;
  const isModelled = progress?.step === 'predicting';
  const isQueued = status === 'received' && !isModelled;
  const isSilent = useSignal(false);
  const detail = [
    progress?.sites_total
      ? `${number(progress.sites_done ?? 0)} of ${count(progress.sites_total, 'site')}`
      : '',
    progress?.features_read ? `${count(progress.features_read, 'feature')} read` : '',
    progress?.rows_loaded ? `${count(progress.rows_loaded, 'row')} loaded` : '',
  ];
  // Each revision is an event.
  useEffect(() => {
    isSilent.value = false;
    const timer = setTimeout(() => set(isSilent, true), isQueued ? queuedMs : silentMs);
    return () => clearTimeout(timer);
  }, [isQueued, revision]);
  return (
    <>
      <Progress
        label={isModelled ? 'Modelling coverage from the towers' : (labels[status] ?? 'Working on it')}
        percent={isQueued || !progress ? null : progress.percent}
        detail={detail.filter(Boolean).join(', ')}
      />
      {isSilent.value && (
        <p class="hint">
          {isQueued
            ? 'Your file is kept. Another file may be before it; it starts automatically, also if a part of the service is being restarted.'
            : `There has been no news for ${silentMs / 1000} seconds. If the machine that worked on it has stopped, another one starts over automatically. Nothing is lost, and you can close this page.`}
        </p>
      )}
    </>
  );
}
