import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import type { Submission, TriedSpeeds } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ErrorNotice } from '../shared/ui/notice.tsx';
import { type Resource, useResource } from '../shared/use-resource.tsx';
import { count, number } from '../shared/words.ts';

/** A slider that is still moved asks nothing. */
const pauseMs = 150;
const countingMs = 3000;

type Tried = TriedSpeeds | undefined;

/** The premises that modelled coverage would have with other thresholds; no answer where the service has no addresses. @param dbm falling */
export function useTriedPremises(
  { id, can, modelling }: Submission,
  dbm: readonly number[],
): Resource<Tried> {
  // Another modelling of the same thresholds gives others.
  const question = can.try_changes ? `${dbm.join()} ${modelling?.finished_at}` : '';
  const asked = useSignal(question);
  useEffect(() => {
    const timer = setTimeout(() => set(asked, question), pauseMs);
    return () => clearTimeout(timer);
  }, [question]);
  const tried = useResource<Tried>(async () => {
    const [dbm = ''] = asked.value.split(' ');
    if (dbm === '') return undefined;
    return api.get('/api/operator/submissions/{id}/signal/premises', { path: { id }, query: { dbm } });
  });
  const isCounting = tried.error.value?.code === 'premises_counting';
  useEffect(() => {
    if (!isCounting) return;
    const timer = setInterval(tried.refresh, countingMs);
    return () => clearInterval(timer);
  }, [isCounting]);
  return tried;
}

/** The tried premises beside what is published. */
export function TriedPremises({ tried: { data, error, isBusy, reload } }: { tried: Resource<Tried> }) {
  if (error.value?.code === 'premises_counting') return <p class="hint">Counting premises …</p>;
  if (error.value)
    return (
      <ErrorNotice error={error.value}>
        <Button onClick={reload}>Try again</Button>
      </ErrorNotice>
    );
  if (!data.value) return null;
  return <PremisesSentence tried={data.value} isBusy={isBusy.value} />;
}

/** @param isBusy another answer is on its way */
export function PremisesSentence({ tried, isBusy = false }: { tried: TriedSpeeds; isBusy?: boolean }) {
  const { premises, change } = tried;
  return (
    <p class={isBusy ? 'muted' : undefined} aria-busy={isBusy}>
      {count(premises, 'premises', 'premises')} covered. Against what is published: {number(change.gained)}{' '}
      gained, {number(change.lost)} lost, {number(change.faster)} faster, {number(change.slower)} slower.
    </p>
  );
}
