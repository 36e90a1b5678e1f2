import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import type { Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { TextArea } from '../shared/ui/fields.tsx';
import { ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';

export interface PredictionFormProps {
  submission: Submission;
  children?: ComponentChildren;
}

/** For staff: uploads the coverage that was modelled from the towers of a submission. */
export function PredictionForm({ submission: { id, provider }, children }: PredictionFormProps) {
  const input = useRef<HTMLInputElement>(null);
  const manifest = useSignal('');
  const { error, attempt, refuse } = useAttempt();
  const upload = async () => {
    const file = input.current?.files?.[0];
    if (!file) return refuse('Choose the file with the prediction first.');
    const body = new FormData();
    if (manifest.value.trim()) body.append('manifest', manifest.value);
    body.append('file', file);
    await attempt(async () => {
      await api.post('/api/staff/tower-work/{id}/prediction', { path: { id }, body });
      announce(`The prediction for ${provider.name} is uploaded.`);
      // Until the page has asked anew, the form stays: a second press must not send the file again.
      if (input.current) input.current.value = '';
    });
  };
  return (
    <div class="stack small-gap">
      <div class="field">
        <label for={`prediction-${id}`}>Coverage modelled from these towers</label>
        <input type="file" id={`prediction-${id}`} ref={input} />
      </div>
      <details>
        <summary>Advanced: manifest JSON</summary>
        <TextArea
          label="Speeds, classes or fields of this file"
          name={`manifest-${id}`}
          hint={'For example {"classes": [{"min": -90, "speeds": {"bandwidth_max_mbps": 50}}]}'}
          rows={3}
          spellcheck={false}
          value={manifest}
        />
      </details>
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button kind="primary" onClick={upload}>
          Upload prediction
        </Button>
        {children}
      </div>
    </div>
  );
}
