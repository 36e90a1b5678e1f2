import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { icons } from '../shared/icons.ts';
import type { Box, CoverageMap } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import { towerOverlay } from '../shared/map/overlays.ts';
import type { Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Card } from '../shared/ui/card.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { TextArea } from '../shared/ui/fields.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { View } from '../shared/ui/view.tsx';
import { useResource } from '../shared/use-resource.ts';
import { bytes, count, number, when } from '../shared/words.ts';
import type { Context } from './context.ts';
import { PredictionForm } from './prediction-form.tsx';

type Towers = GeoJSON.FeatureCollection<GeoJSON.Point>;

const maxReason = 500;

/** For staff: the towers from which operators want coverage modelled, oldest first. */
export function TowersView({ context }: { context: Context }) {
  /** An object of its own each time it is chosen: the map goes there again. */
  const chosen = useSignal<{ id: string } | undefined>(undefined);
  const waiting = useResource(() => api.get('/api/staff/tower-work', { query: { limit: 100 } }), 'elsewhere');
  const work = waiting.data.value?.work ?? [];
  const shown = work.find(({ id }) => id === chosen.value?.id) ?? work[0];
  return (
    <View
      title="Towers to process"
      lead="Operators want coverage modelled from these towers. The oldest comes first."
    >
      <div class="submission">
        <div class="state">
          <Card title="Waiting towers" silent>
            <Loaded of={waiting}>
              {({ work, count: all }) =>
                work.length === 0 ? (
                  <p class="muted">No towers are waiting.</p>
                ) : (
                  <>
                    <ul class="versions">
                      {work.map((one) => (
                        <TowerWork
                          key={`${one.id} ${one.revision}`}
                          submission={one}
                          technologyLabel={context.technologyLabel}
                          onShow={() => {
                            chosen.value = { id: one.id };
                          }}
                          onDone={waiting.refresh}
                        />
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
          </Card>
        </div>
        {shown && <TowerMap submission={shown} chosen={chosen.value} settings={context.catalog} />}
      </div>
    </View>
  );
}

interface TowerWorkProps extends Pick<Context, 'technologyLabel'> {
  submission: Submission;
  onShow(): void;
  onDone(): unknown;
}

function TowerWork({ submission, technologyLabel, onShow, onDone }: TowerWorkProps) {
  const { id, file, provider, prediction, note, towers, technologies, received_at, submitted_by } =
    submission;
  const facts = [
    count(towers?.count ?? 0, 'tower'),
    technologies.map(technologyLabel).join(', '),
    `received ${when(received_at)}${submitted_by ? ` by ${submitted_by}` : ''}`,
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
      {note !== '' && <p class="small break">“{note}”</p>}
      {prediction?.error && (
        <Notice
          tone="warning"
          title={`${prediction.file.name} could not be used: ${prediction.error.message}`}
          text={prediction.error.hint}
        />
      )}
      <div class="actions">
        <Button icon={icons.pin} label={`Show on map: ${provider.name}, ${file.name}`} onClick={onShow}>
          Show on map
        </Button>
        <a class="button" href={`/api/operator/submissions/${id}/file`} download={file.name}>
          Download towers
        </a>
      </div>
      <details>
        <summary>Upload prediction or reject</summary>
        <PredictionForm submission={submission} onUploaded={onDone}>
          <Button
            kind="danger"
            onClick={async () => {
              if (await reject(submission)) await onDone();
            }}
          >
            Reject towers
          </Button>
        </PredictionForm>
      </details>
    </li>
  );
}

/** Asks why, and fails a submission of towers that no coverage can be modelled from. @returns whether it was done */
async function reject({ id, provider, file }: Submission): Promise<boolean> {
  const reason = signal('');
  const isDone = await ask(
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
    },
    () =>
      api.post('/api/staff/tower-work/{id}/refuse', {
        path: { id },
        body: { reason: reason.value.trim().replaceAll(/\s+/g, ' ') },
      }),
  );
  if (isDone) announce(`The towers of ${provider.name} are rejected.`);
  return isDone;
}

interface TowerMapProps {
  submission: Submission;
  /** Set anew whenever the map is to go to the towers. */
  chosen: unknown;
  settings: Context['catalog'];
}

function TowerMap({ submission: { id, provider, file, towers }, chosen, settings }: TowerMapProps) {
  const map = useSignal<CoverageMap | undefined>(undefined);
  useEffect(() => {
    if (!map.value) return;
    const left = new AbortController();
    void showTowers(map.value, id, left.signal).catch(() => undefined);
    return () => left.abort();
  }, [map.value, id, chosen]);
  return (
    <div class="map-side">
      <section class="map-card" aria-label="On the map">
        <p class="map-caption">
          <strong class="break">{provider.name}</strong>, {file.name}: {count(towers?.count ?? 0, 'tower')}
        </p>
        <MapPlace
          label="Map of the towers of a submission"
          settings={settings}
          onReady={(made) => {
            map.value = made;
          }}
        />
      </section>
    </div>
  );
}

async function showTowers(map: CoverageMap, id: string, signal: AbortSignal): Promise<void> {
  // What a feature is, the description leaves to GeoJSON.
  const towers = (await api.get('/api/staff/tower-work/{id}/towers', {
    path: { id },
    signal,
  })) as unknown as Towers;
  if (signal.aborted) return;
  map.show('towers', towerOverlay(towers));
  const box = boxOf(towers);
  if (box) map.fit(box, 11);
}

/** What the points lie in; undefined where there are none. */
function boxOf({ features }: Towers): Box | undefined {
  if (features.length === 0) return undefined;
  const lngs = features.map(({ geometry }) => geometry.coordinates[0] as number);
  const lats = features.map(({ geometry }) => geometry.coordinates[1] as number);
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
