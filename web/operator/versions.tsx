import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { icons } from '../shared/icons.ts';
import { SpeedLegend } from '../shared/map/legend.tsx';
import type { CoverageMap } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import { coverageOverlay } from '../shared/map/overlays.ts';
import type { Dataset } from '../shared/schemas.ts';
import { Badge } from '../shared/ui/badge.tsx';
import { Button } from '../shared/ui/button.tsx';
import { Card } from '../shared/ui/card.tsx';
import { Loaded } from '../shared/ui/loaded.tsx';
import { View } from '../shared/ui/view.tsx';
import { useResource } from '../shared/use-resource.ts';
import { area, when } from '../shared/words.ts';
import { backHome, type Context } from './context.ts';
import { NoteButton } from './note.tsx';
import { rollBack, takeOffline } from './publishing.tsx';

const stateWords: Record<Dataset['state'], string> = {
  ready: 'Not published',
  published: 'Live',
  superseded: 'Previous version',
  restoring: 'Restoring',
  withdrawn: 'Withdrawn',
};

export interface VersionsViewProps {
  context: Context;
  technology: string;
  /** Only this operator's. */
  provider: string | undefined;
}

/**
 * The versions of coverage with a technology, by scope: looked at one by one, rolled back to, taken offline. Staff see those
 * of every operator, under their names.
 */
export function VersionsView({ context, technology, provider }: VersionsViewProps) {
  const label = context.technologyLabel(technology);
  const chosen = useSignal<Dataset | undefined>(undefined);
  const versions = useResource(
    () =>
      api.get('/api/operator/datasets', {
        query: { limit: 500, technology, ...(provider === undefined ? {} : { provider }) },
      }),
    'elsewhere',
  );
  /** What was done shows what is live by then. */
  const changed = async () => {
    chosen.value = undefined;
    await versions.refresh();
  };
  return (
    <View
      title={`Versions of ${label}`}
      back={backHome(context)}
      lead="Current and previous versions. The newest of each scope are kept."
    >
      <div class="submission">
        <div class="state">
          <Card title="Versions" silent>
            <Loaded of={versions}>
              {({ datasets }) =>
                datasets.length === 0 ? (
                  <p class="muted">No versions of {label} yet.</p>
                ) : (
                  byCoverage(datasets).map((group, _, groups) => {
                    const live = group.find(isLive);
                    const named = live ?? (group[0] as Dataset);
                    return (
                      <div key={coverageKey(named)}>
                        {(groups.length > 1 || context.isStaff) && (
                          <h2 class="versions-of break">{headingOf(named, context)}</h2>
                        )}
                        <ul class="versions">
                          {group.map((version) => (
                            <Version
                              key={version.id}
                              version={version}
                              live={live}
                              context={context}
                              onShow={() => {
                                chosen.value = version;
                              }}
                              onNoted={versions.refresh}
                              onChanged={changed}
                            />
                          ))}
                        </ul>
                      </div>
                    );
                  })
                )
              }
            </Loaded>
          </Card>
        </div>
        <VersionMap
          label={`Map of a version of ${label}`}
          settings={context.catalog}
          version={chosen.value ?? versions.data.value?.datasets.find(isLive)}
        />
      </div>
    </View>
  );
}

interface VersionProps {
  version: Dataset;
  /** What is live of the same coverage. */
  live: Dataset | undefined;
  context: Context;
  onShow(): void;
  onNoted(): unknown;
  onChanged(): unknown;
}

function Version({ version, live, context, onShow, onNoted, onChanged }: VersionProps) {
  const { submission_id: submissionId, file_name: name, area_km2: km2, note } = version;
  return (
    <li class={isLive(version) ? 'current' : ''}>
      <div class="row">
        <a class="break" href={`#/submission/${submissionId}`}>
          {name}
        </a>
        <Badge tone={isLive(version) ? 'good' : undefined}>{stateWords[version.state]}</Badge>
      </div>
      <p class="muted small">
        Uploaded {when(version.received_at)}
        {km2 !== null && `, ${area(km2)}`}
      </p>
      {note !== '' && <p class="small break">“{note}”</p>}
      <div class="actions">
        {hasAreas(version) && (
          <Button label={`Show on map: ${name}`} onClick={onShow}>
            Show on map
          </Button>
        )}
        {version.can_roll_back && (
          <Button
            icon={icons.undo}
            label={`Roll back to ${name}`}
            onClick={async () => {
              await rollBack(version, live, context);
              await onChanged();
            }}
          >
            Roll back
          </Button>
        )}
        {isLive(version) && (
          <Button
            kind="quiet"
            label={`Take offline: ${name}`}
            onClick={async () => {
              await takeOffline(version, context);
              await onChanged();
            }}
          >
            Take offline
          </Button>
        )}
        <NoteButton submissionId={submissionId} fileName={name} note={note} onSaved={onNoted} />
      </div>
    </li>
  );
}

interface VersionMapProps {
  label: string;
  settings: Context['catalog'];
  version: Dataset | undefined;
}

function VersionMap({ label, settings, version }: VersionMapProps) {
  const map = useSignal<CoverageMap | undefined>(undefined);
  useEffect(() => {
    if (version)
      map.value?.show(
        'coverage',
        coverageOverlay(`/api/operator/datasets/${version.id}/tiles/{z}/{x}/{y}.mvt`),
      );
  }, [map.value, version?.id]);
  return (
    <div class="map-side">
      <section class="map-card" aria-label="On the map">
        <p class="map-caption">
          {version && (
            <>
              <strong class="break">{version.file_name}</strong>, {stateWords[version.state].toLowerCase()}
            </>
          )}
        </p>
        <MapPlace
          label={label}
          settings={settings}
          onReady={(made) => {
            map.value = made;
          }}
        />
        <div class="map-legend">
          <SpeedLegend speeds={[1, 10, 30, 100, 300]} later />
        </div>
      </section>
    </div>
  );
}

/** Whose versions, and of which scope. */
function headingOf({ provider, scope }: Dataset, { isStaff }: Context): string {
  return [...(isStaff ? [provider.name] : []), scope || 'No scope'].join(' · ');
}

/** Versions of one operator's scope together, by operator and scope. */
function byCoverage(datasets: readonly Dataset[]): Dataset[][] {
  return [...new Set(datasets.map(coverageKey))]
    .map((key) => datasets.filter((one) => coverageKey(one) === key))
    .sort(
      ([a], [b]) =>
        (a?.provider.name ?? '').localeCompare(b?.provider.name ?? '') ||
        (a?.scope ?? '').localeCompare(b?.scope ?? ''),
    );
}

/** The same for versions of one coverage; case makes no other scope. */
function coverageKey({ provider, scope }: Dataset): string {
  return `${provider.id} ${scope.toLowerCase()}`;
}

function isLive({ state }: Dataset): boolean {
  return state === 'published';
}

/** Whether its areas are kept. */
function hasAreas({ state, can_roll_back: canRollBack }: Dataset): boolean {
  return state === 'published' || state === 'ready' || state === 'restoring' || canRollBack;
}
