import { useSignal } from '@preact/signals';
import { go } from '../shared/address.ts';
import { api } from '../shared/client.ts';
import type { ReferenceSystemChoice, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { SystemQuestion } from './system-question.tsx';

/* Submits a submission's file again, with the same or other answers. */

/** Opens the form of the file, filled in with its answers. */
export function ReprocessButton({ id, children = 'Reprocess' }: { id: string; children?: string }) {
  const { error, attempt } = useAttempt();
  return (
    <>
      <Button onClick={() => attempt(async () => go(`/file/${(await fileAgain(id)).id}`))}>{children}</Button>
      <ErrorNotice error={error.value} />
    </>
  );
}

type TryAgainAsProps = {
  submission: Submission;
  choices: readonly ReferenceSystemChoice[];
  isStated: boolean;
};

/**
 * Asks for the coordinate system of a file that failed without it; the answer submits it again.
 * @param isStated the file states one, and lies elsewhere in it
 */
export function TryAgainAs({ submission: { id, manifest }, choices, isStated }: TryAgainAsProps) {
  const crs = useSignal('');
  const { error, attempt, refuse } = useAttempt();
  const submit = async () => {
    const { id: file_id } = await fileAgain(id);
    const body = { file_id, manifest: { ...manifest, crs: crs.value } };
    const { id: accepted, duplicate } = await api.post('/api/operator/submissions', { body });
    // It was tried with this system before: the copy would stay as a draft.
    if (duplicate) await api.delete('/api/operator/files/{id}', { path: { id: file_id } });
    go(`/submission/${accepted}`);
  };
  const act = () => (crs.value ? attempt(submit) : refuse('Choose the coordinate system of the file first.'));
  return (
    <div class="stack">
      <SystemQuestion choices={choices} isElsewhere={isStated} value={crs} />
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button kind="primary" onClick={act}>
          Try again with this system
        </Button>
      </div>
    </div>
  );
}

function fileAgain(id: string) {
  return api.post('/api/operator/submissions/{id}/reprocess', { path: { id } });
}
