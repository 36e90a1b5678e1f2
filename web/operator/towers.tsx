import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { boundsOf } from '../shared/map/box.ts';
import type { Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { TextArea } from '../shared/ui/fields.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { bytes, count, number } from '../shared/words.ts';
import { arrivalOf, technologyLabel } from './context.ts';
import { ModelAgain, ModellingDeclined, PredictionForm } from './modelling.tsx';
import { drawTowers, loadTowers } from './tower-layers.ts';
import { MapCard, useMap, WithMap } from './with-map.tsx';

const maxReason = 500;

/** For staff: towers that wait for modelling, oldest first. */
export function TowersView() {
  /** A new object each time, so that the map goes there again. */
  const chosen = useSignal<{ id: string } | undefined>(undefined);
  const waiting = useResource(() => api.get('/api/staff/tower-work', { query: { limit: 100 } }), 'anywhere');
  const work = waiting.data.value?.work ?? [];
  const shown = work.find(({ id }) => id === chosen.value?.id) ?? work[0];
  return (
    <View
      title="Towers to process"
      lead="Operators want coverage modelled from these towers. The oldest comes first."
    >
      <WithMap title="Waiting towers" map={shown && <TowerMap submission={shown} chosen={chosen.value} />}>
        <Loaded of={waiting}>
          {({ work, count: all }) =>
            work.length === 0 ? (
              <p class="muted">No towers are waiting.</p>
            ) : (
              <>
                <ul class="divided versions">
                  {work.map((one) => (
                    <TowerWork key={one.id} submission={one} onShow={() => set(chosen, { id: one.id })} />
                  ))}
                </ul>
                {all > work.length && (
                  <p class="hint">
                    The oldest {work.length} of {number(all)}.
                  </p>
                )}
              </>
            )
          }
        </Loaded>
      </WithMap>
    </View>
  );
}

function TowerWork({ submission, onShow }: { submission: Submission; onShow(): void }) {
  const { id, file, provider, prediction, modelling, progress, note, towers, technologies } = submission;
  const facts = [
    count(towers?.count ?? 0, 'tower'),
    technologies.map(technologyLabel).join(', '),
    arrivalOf('received', submission),
    bytes(file.size_bytes),
  ];
  return (
    <li aria-label={`${provider.name}, ${file.name}`}>
      <div class="row">
        <strong>{provider.name}</strong>
        <a class="break" href={`#/submission/${id}`}>
          {file.name}
        </a>
      </div>
      <p class="muted small">{facts.filter(Boolean).join(' · ')}</p>
      {note !== '' && <p class="small">“{note}”</p>}
      {prediction?.error && (
        <Notice
          tone="warning"
          title={`${prediction.file.name} could not be used: ${prediction.error.message}`}
          text={prediction.error.hint}
        />
      )}
      <ModellingDeclined submission={submission} />
      {modelling?.state === 'waiting' && (
        <p class="small">
          {progress?.sites_total
            ? `The service is modelling it: ${number(progress.sites_done ?? 0)} of ${count(progress.sites_total, 'site')}.`
            : 'Queued: the service will model it.'}
        </p>
      )}
      <div class="actions">
        <Button icon="pin" label={`Show on map: ${provider.name}, ${file.name}`} onClick={onShow}>
          Show on map
        </Button>
        <a class="button" href={`/api/operator/submissions/${id}/file`} download={file.name}>
          Download towers
        </a>
      </div>
      <details>
        <summary>Upload prediction or reject</summary>
        <PredictionForm submission={submission}>
          <Button kind="danger" onClick={() => reject(submission)}>
            Reject towers
          </Button>
        </PredictionForm>
      </details>
      <details>
        <summary>Model with the service</summary>
        <ModelAgain submission={submission} />
      </details>
    </li>
  );
}

/** Asks for a reason, and fails a submission whose towers cannot be modelled. @returns true if it was done */
function reject({ id, provider, file }: Submission): Promise<boolean> {
  const reason = signal('');
  return ask(
    {
      title: `Reject the towers of ${provider.name}?`,
      body: [
        `${file.name} fails with your sentence. The operator has to upload a corrected file, and no fee is charged. This can’t be undone.`,
        <TextArea
          key="reason"
          label="What is wrong with them?"
          name="reason"
          hint="The operator reads this."
          rows={3}
          maxLength={maxReason}
          required
          value={reason}
        />,
      ],
      confirm: 'Reject towers',
      danger: true,
      done: `The towers of ${provider.name} are rejected.`,
    },
    () => {
      const body = { reason: reason.value.trim().replaceAll(/\s+/g, ' ') };
      return api.post('/api/staff/tower-work/{id}/refuse', { path: { id }, body });
    },
  );
}

type TowerMapProps = { submission: Submission; chosen: unknown };

/** @param chosen set anew to move the map to the towers */
function TowerMap({ submission: { id, provider, file, towers }, chosen }: TowerMapProps) {
  const map = useMap();
  const shownId = useSignal(id);
  shownId.value = id;
  const { value: drawn } = useResource(() => loadTowers(shownId.value)).data;
  useEffect(() => (map.value && drawn ? drawTowers(map.value, drawn) : undefined), [map.value, drawn]);
  useEffect(() => {
    const box = drawn && boundsOf(drawn.features.map(({ geometry }) => geometry.coordinates));
    if (box) map.value?.fit(box, 11);
  }, [map.value, drawn, chosen]);
  const caption = (
    <>
      <strong class="break">{provider.name}</strong>, {file.name}: {count(towers?.count ?? 0, 'tower')}
    </>
  );
  return <MapCard label="Map of the towers of a submission" map={map} caption={caption} />;
}
