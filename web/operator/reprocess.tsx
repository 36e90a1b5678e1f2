import { useSignal } from '@preact/signals';
import { go } from '../shared/address.ts';
import { api, asApiError } from '../shared/client.ts';
import type { Catalog, Submission, SystemChoice } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice, type ShownError } from '../shared/ui/notice.tsx';
import { SystemQuestion } from './system-question.tsx';

/* The file of a submission once more: with the same answers, or with others. */

/** Goes to the form of the file, filled in with the answers that it had. */
export function ReprocessButton({ id, children = 'Reprocess' }: { id: string; children?: string }) {
  const problem = useSignal<ShownError | undefined>(undefined);
  const act = async () => {
    problem.value = undefined;
    try {
      go(`/file/${(await fileAgain(id)).id}`);
    } catch (error) {
      problem.value = asApiError(error);
    }
  };
  return (
    <>
      <Button onClick={act}>{children}</Button>
      <ErrorNotice error={problem.value} />
    </>
  );
}

interface TryAgainAsProps {
  submission: Submission;
  catalog: Catalog;
  choices: SystemChoice[];
}

/** The question in which coordinate system a file is, where it failed for lack of it; the answer submits it again. */
export function TryAgainAs({ submission: { id, manifest }, catalog, choices }: TryAgainAsProps) {
  const crs = useSignal('');
  const problem = useSignal<ShownError | undefined>(undefined);
  const act = async () => {
    problem.value = crs.value ? undefined : { message: 'Choose the coordinate system of the file first.' };
    if (!crs.value) return;
    try {
      const file = await fileAgain(id);
      const again = await api.post('/api/operator/submissions', {
        body: { file_id: file.id, manifest: { ...manifest, crs: crs.value } },
      });
      go(`/submission/${again.id}`);
    } catch (error) {
      problem.value = asApiError(error);
    }
  };
  return (
    <div class="stack">
      <SystemQuestion settings={catalog} choices={choices} value={crs} />
      <ErrorNotice error={problem.value} />
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
