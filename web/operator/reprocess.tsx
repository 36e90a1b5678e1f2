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

type TryAgainAsProps = { submission: Submission; choices: ReferenceSystemChoice[] };

/** Asks for the coordinate system of a file that failed without it; the answer submits it again. */
export function TryAgainAs({ submission: { id, manifest }, choices }: TryAgainAsProps) {
  const crs = useSignal('');
  const { error, attempt, refuse } = useAttempt();
  const submit = async () => {
    const file = await fileAgain(id);
    const body = { file_id: file.id, manifest: { ...manifest, crs: crs.value } };
    go(`/submission/${(await api.post('/api/operator/submissions', { body })).id}`);
  };
  const act = () => (crs.value ? attempt(submit) : refuse('Choose the coordinate system of the file first.'));
  return (
    <div class="stack">
      <SystemQuestion choices={choices} value={crs} />
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
