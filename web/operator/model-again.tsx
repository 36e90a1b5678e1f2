import { useSignal } from '@preact/signals';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import type { ModellingParameters, Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { ModelNumbers, ProfileField } from './modelling-fields.tsx';

/** For staff: has the service model coverage from the towers of a submission, with other parameters. */
export function ModelAgain({ submission: { id, provider, modelling } }: { submission: Submission }) {
  const wanted = useSignal<ModellingParameters>(modelling?.parameters ?? {});
  const { error, attempt } = useAttempt();
  const model = () =>
    attempt(async () => {
      const body = { parameters: wanted.value };
      await api.post('/api/staff/tower-work/{id}/predict', { path: { id }, body });
      announce(`The service models the towers of ${provider.name}.`);
    });
  return (
    <div class="stack small-gap">
      <ProfileField parameters={wanted} of={id} />
      <ModelNumbers parameters={wanted} of={id} />
      <ErrorNotice error={error.value} />
      <div class="actions">
        <Button onClick={model}>Model with the service</Button>
      </div>
    </div>
  );
}
