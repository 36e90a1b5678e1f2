import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { SpeedLegend } from '../shared/map/legend.tsx';
import { coverageOverlay } from '../shared/map/overlays.ts';
import type { Dataset } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Badge } from '../shared/ui/notice.tsx';
import { View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { area, when } from '../shared/words.ts';
import { backHome, exportsPath, isStaff, technologyLabel } from './context.ts';
import { NoteButton } from './note.tsx';
import { rollBack, takeOffline } from './publishing.tsx';
import { MapCard, useMap, WithMap } from './with-map.tsx';

const stateWords: Record<Dataset['state'], string> = {
  ready: 'Not published',
  published: 'Live',
  superseded: 'Superseded',
  restoring: 'Restoring',
  withdrawn: 'Withdrawn',
};

/** The versions of a technology's coverage, by scope; staff see all operators'. @param provider only this one's */
export function VersionsView(of: { technology: string; provider: string | undefined }) {
  const label = technologyLabel(of.technology);
  const chosen = useSignal<Dataset | undefined>(undefined);
  const query = { limit: 500, technology: of.technology, ...(of.provider ? { provider: of.provider } : {}) };
  const versions = useResource(() => api.get('/api/operator/datasets', { query }), 'anywhere');
  const shown = chosen.value ?? versions.data.value?.datasets.find(isLive);
  return (
    <View
      title={`Versions of ${label}`}
      back={backHome()}
      lead="What is live, and what was. The newest versions of each scope are kept."
      actions={
        <a class="button" href={exportsPath(of.technology, of.provider)}>
          Export …
        </a>
      }
    >
      <WithMap title="Versions" map={<VersionMap label={`Map of a version of ${label}`} version={shown} />}>
        <Loaded of={versions}>
          {({ datasets }) =>
            datasets.length === 0 ? (
              <p class="muted">No versions of {label} yet.</p>
            ) : (
              byCoverage(datasets).map((group, _, groups) => {
                const live = group.find(isLive);
                return (
                  <div key={coverageKey(group[0])}>
                    {(groups.length > 1 || isStaff()) && (
                      <h2 class="versions-of">{headingOf(live ?? group[0])}</h2>
                    )}
                    <ul class="divided versions">
                      {group.map((version) => (
                        <Version
                          key={version.id}
                          version={version}
                          live={live}
                          onShow={() => set(chosen, version)}
                          // After a change, the map shows the live version.
                          onChanged={() => set(chosen, undefined)}
                        />
                      ))}
                    </ul>
                  </div>
                );
              })
            )
          }
        </Loaded>
      </WithMap>
    </View>
  );
}

type VersionProps = { version: Dataset; live: Dataset | undefined; onShow(): void; onChanged(): unknown };

function Version({ version, live, onShow, onChanged }: VersionProps) {
  const { submission_id: submissionId, file_name: name, area_km2: km2, note } = version;
  return (
    <li>
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
      {note !== '' && <p class="small">“{note}”</p>}
      <div class="actions">
        {hasAreas(version) && (
          <Button label={`Show on map: ${name}`} onClick={onShow}>
            Show on map
          </Button>
        )}
        {version.can_roll_back && (
          <Button
            icon="undo"
            label={`Roll back to ${name}`}
            onClick={() => rollBack(version, live).then(onChanged)}
          >
            Roll back
          </Button>
        )}
        {isLive(version) && (
          <Button
            kind="quiet"
            label={`Take offline: ${name}`}
            onClick={() => takeOffline(version).then(onChanged)}
          >
            Take offline
          </Button>
        )}
        <NoteButton id={submissionId} fileName={name} note={note} />
      </div>
    </li>
  );
}

function VersionMap({ label, version }: { label: string; version: Dataset | undefined }) {
  const map = useMap();
  useEffect(() => {
    const tiles = `/api/operator/datasets/${version?.id}/tiles/{z}/{x}/{y}.mvt`;
    if (version) map.value?.show('coverage', coverageOverlay(tiles));
    // The only live version was taken offline.
    else map.value?.hide('coverage');
  }, [map.value, version?.id]);
  const caption = version && (
    <>
      <strong class="break">{version.file_name}</strong>, {stateWords[version.state].toLowerCase()}
    </>
  );
  return <MapCard label={label} map={map} caption={caption} legend={<SpeedLegend later />} />;
}

function headingOf({ provider, scope }: Dataset): string {
  return [...(isStaff() ? [provider.name] : []), scope || 'No scope'].join(' · ');
}

function byCoverage(datasets: readonly Dataset[]): [Dataset, ...Dataset[]][] {
  const groups = [...new Set(datasets.map(coverageKey))].map(
    (key) => datasets.filter((one) => coverageKey(one) === key) as [Dataset, ...Dataset[]],
  );
  return groups.sort(
    ([a], [b]) => a.provider.name.localeCompare(b.provider.name) || a.scope.localeCompare(b.scope),
  );
}

/** A key that all versions of one coverage share; scopes ignore case. */
function coverageKey({ provider, scope }: Dataset): string {
  return `${provider.id} ${scope.toLowerCase()}`;
}

function isLive({ state }: Dataset): boolean {
  return state === 'published';
}

function hasAreas({ state, can_roll_back: canRollBack }: Dataset): boolean {
  return canRollBack || ['published', 'ready', 'restoring'].includes(state);
}
