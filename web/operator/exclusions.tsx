import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api, asApiError } from '../shared/client.ts';
import { cornersOf } from '../shared/map/corners.ts';
import { areasOverlay, boxOfArea } from '../shared/map/draw-area.ts';
import { SpeedLegend } from '../shared/map/legend.tsx';
import { coverageOverlay } from '../shared/map/overlays.ts';
import type { Catalog, DrawnArea, Exclusion, ExclusionPreview } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { Badge, ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { area as areaWords, calendarDay, count, when } from '../shared/words.ts';
import { AddressField, type ChosenAddress } from './address-field.tsx';
import { backHome, catalog, isStaff, labelOf, technologyLabel } from './context.ts';
import { type Drawing, DrawingFields, missingOf, useDrawing, useDrawingOnMap } from './drawing.tsx';
import { MapCard, type MapSignal, useMap, WithMap } from './with-map.tsx';

/** The interval of looking whether live coverage has been made again. */
const refreshMs = 2_000;
const stateWords: Record<Exclusion['state'], string> = {
  applying: 'Being applied',
  in_force: 'In force',
  ended: 'Ended',
  removed: 'Removed',
};

type Place = { area: DrawnArea } | { address: string };

/** What operators take back, for good or until a day: a list, and a place to exclude. */
export function ExclusionsView() {
  const providers = catalog().providers;
  const provider = useSignal(isStaff() ? (providers[0]?.name ?? '') : '');
  const technology = useSignal('');
  const reason = useSignal('');
  const until = useSignal('');
  const address = useSignal<ChosenAddress | undefined>(undefined);
  const drawing = useDrawing(200);
  const { area } = drawing;
  const map = useMap();
  const { error, attempt, refuse } = useAttempt();
  const ofProvider = () => (provider.value === '' ? {} : { provider: provider.value });
  const found = useResource(
    () => api.get('/api/operator/exclusions', { query: { ...ofProvider(), limit: 200 } }),
    'anywhere',
    refreshMs,
  );
  const settings = useResource(() => api.get('/api/map/settings'), 'elsewhere');
  const ground = (place: Place) => ({
    ...ofProvider(),
    ...(technology.value && { technology: technology.value }),
    ...place,
  });
  const chosen = (): Place | undefined =>
    address.value ? { address: address.value.id } : area.value && { area: area.value };
  const exclude = () => {
    const place = chosen();
    if (!place) return refuse(missingOf(drawing, ', or choose an address'));
    if (reason.value.trim() === '') return refuse('Say why there is no service.');
    return attempt(async () => {
      const body = { ...ground(place), reason: reason.value, ...(until.value && { until: until.value }) };
      const send = (more: object = {}) =>
        api.post('/api/operator/exclusions', { body: { ...body, ...more } }).then(() => true);
      const isDone = await send().catch((caught) => {
        if (caught.code !== 'exclusion_takes_most') throw caught;
        const question = { title: 'Exclude most of it?', body: caught.message, confirm: 'Exclude it all' };
        return ask(question, () => send({ confirmed: true }));
      });
      // What was drawn stays for whoever thinks better of it.
      if (!isDone) return;
      clear();
      reason.value = '';
      await found.refresh();
    });
  };
  const clear = () => {
    drawing.corners.value = [];
    address.value = undefined;
  };
  const exclusions = found.data.value?.exclusions ?? [];
  return (
    <View
      title="Exclusions"
      back={backHome()}
      lead="Take a place off your coverage, whatever your files say: what is live is made again without it, and later uploads lose it, too."
    >
      <WithMap
        title="Exclude a place"
        map={<ExclusionsMap {...{ map, drawing, exclusions, technology, provider }} />}
        below={
          <div class="report">
            <Card title="Excluded">
              <Loaded of={found}>
                {({ exclusions: listed }) =>
                  listed.length === 0 ? (
                    <p class="muted">Nothing is excluded.</p>
                  ) : (
                    <ul class="divided versions">
                      {listed.map((one) => (
                        <Excluded key={one.id} exclusion={one} map={map} onChanged={found.refresh} />
                      ))}
                    </ul>
                  )
                }
              </Loaded>
            </Card>
          </div>
        }
      >
        {isStaff() && (
          <Select
            label="Operator"
            name="provider"
            options={providers.map(({ name }) => [name, name] as const)}
            value={provider}
          />
        )}
        <Select
          label="Technology"
          name="technology"
          options={[
            ['', 'Every technology'],
            ...catalog().technologies.map(({ name, label }) => [name, label] as const),
          ]}
          value={technology}
        />
        {settings.data.value?.addresses && (
          <AddressField label="An address" token={settings.data.value.lookup_token} chosen={address} />
        )}
        {!address.value && <DrawingFields {...drawing} />}
        <TextField
          label="Reason"
          name="reason"
          hint="Whoever asks why an answer is as it is sees it."
          maxLength={300}
          value={reason}
        />
        <TextField label="Last day (optional)" name="until" type="date" class="short" value={until} />
        <WouldTake
          place={chosen()}
          ground={ground}
          technology={technology.value}
          provider={provider.value}
          map={map}
        />
        <ErrorNotice error={error.value} />
        <div class="actions">
          <Button kind="primary" onClick={exclude}>
            Exclude this place
          </Button>
          {(chosen() || drawing.corners.value.length > 0) && (
            <Button kind="quiet" onClick={clear}>
              Clear
            </Button>
          )}
        </div>
      </WithMap>
    </View>
  );
}

interface WouldTakeProps {
  map: MapSignal;
  place: Place | undefined;
  ground(place: Place): object;
  technology: string;
  provider: string;
}

/** What a place would take from live coverage. */
function WouldTake({ map, place, ground, technology, provider }: WouldTakeProps) {
  const preview = useSignal<ExclusionPreview | undefined>(undefined);
  const failed = useSignal<string | undefined>(undefined);
  const key = place && JSON.stringify([place, technology, provider]);
  useEffect(() => {
    preview.value = undefined;
    failed.value = undefined;
    if (!place) return undefined;
    let isNewest = true;
    api.post('/api/operator/exclusion-previews', { body: ground(place) }).then(
      (found) => {
        if (!isNewest) return;
        preview.value = found;
        if ('address' in place) map.value?.fit(boxOfArea(found.area), 16);
      },
      (error) => {
        if (isNewest) failed.value = asApiError(error).message;
      },
    );
    return () => {
      isNewest = false;
    };
  }, [key]);
  if (!place) return null;
  if (failed.value) return <p class="small">{failed.value}</p>;
  const takes = preview.value?.takes.filter(({ km2 }) => km2 > 0);
  if (!takes) return <p class="muted small">Working out what it would take …</p>;
  if (takes.length === 0)
    return <p class="small">Nothing that is live lies there. Later uploads will lose it.</p>;
  return (
    <ul class="plain-list small" aria-label="What it would take">
      {takes.map(({ technology: of, km2, percent, premises }) => (
        <li key={of}>
          {technologyLabel(of)}: {areaWords(km2)}, {percent}% of what is live
          {premises !== undefined && `, ${count(premises, 'premises', 'premises')}`}
        </li>
      ))}
    </ul>
  );
}

/** Which place an exclusion takes off: "Fibre within 200 m of -36.9000, 174.7500". */
function placeWords({ technology, area, address }: Exclusion): string {
  const what = technology === null ? 'Everything' : technologyLabel(technology);
  if (address) return `${what} at ${address.text}`;
  if ('polygon' in area) return `${what} in an area of ${cornersOf(area.polygon[0])} corners`;
  const { lat, lng, radius_m: metres } = area.circle;
  return `${what} within ${metres < 1_000 ? `${metres} m` : `${metres / 1_000} km`} of ${lat.toFixed(4)}, ${lng.toFixed(4)}`;
}

interface ExcludedProps {
  exclusion: Exclusion;
  map: MapSignal;
  onChanged(): unknown;
}

function Excluded({ exclusion, map, onChanged }: ExcludedProps) {
  const { id, state, reason, until, provider, created_at: at, created_by: by, took } = exclusion;
  const { removed_at: removedAt, removed_by: removedBy, removed_because: because } = exclusion;
  const words = placeWords(exclusion);
  const remove = () => {
    const why = signal('');
    return ask(
      {
        title: 'Remove this exclusion?',
        body: (
          <>
            <p>{words}: what your files say of it is offered again, once they are loaded anew.</p>
            <TextField label="Why (optional)" name="why" maxLength={300} value={why} />
          </>
        ),
        confirm: 'Remove exclusion',
      },
      () => api.post('/api/operator/exclusions/{id}/remove', { path: { id }, body: { reason: why.value } }),
    ).then(onChanged);
  };
  return (
    <li>
      <div class="row">
        <strong class="break">{words}</strong>
        <Badge tone={state === 'in_force' ? 'good' : state === 'applying' ? 'warning' : undefined}>
          {stateWords[state]}
        </Badge>
      </div>
      <p class="small break">“{reason}”</p>
      <p class="muted small">
        {isStaff() && `${provider.name}, `}
        {when(at)} by {by}
        {until !== null && `, until ${calendarDay(until)}`}
        {removedAt !== null && `; removed ${when(removedAt)} by ${removedBy}${because ? `: ${because}` : ''}`}
      </p>
      {took.map((one) => (
        <p class="small" key={labelOf(one)}>
          Takes {areaWords(one.km2)} of {labelOf(one)}
        </p>
      ))}
      <div class="actions">
        <Button label={`Show on map: ${words}`} onClick={() => map.value?.fit(boxOfArea(exclusion.area))}>
          Show on map
        </Button>
        {removedAt === null && state !== 'ended' && (
          <Button kind="quiet" icon="undo" label={`Remove: ${words}`} onClick={remove}>
            Remove
          </Button>
        )}
      </div>
    </li>
  );
}

interface ExclusionsMapProps {
  map: MapSignal;
  drawing: Drawing;
  exclusions: readonly Exclusion[];
  technology: Signal<string>;
  provider: Signal<string>;
}

/** Live coverage, what is excluded of it, and the place that is drawn. */
function ExclusionsMap({ map, drawing, exclusions, technology, provider }: ExclusionsMapProps) {
  const areas = exclusions
    .filter(({ state }) => state === 'in_force' || state === 'applying')
    .map(({ area }) => area);
  const known = useResource(() => api.get('/api/operator/catalog'), 'anywhere');
  // Live coverage is another version once an exclusion is applied.
  const states = exclusions.map(({ state }) => state).join();
  useEffect(() => void known.refresh(), [states]);
  const live = liveOf(known.data.value ?? catalog(), technology.value, provider.value);
  useEffect(() => {
    const tiles = `/api/operator/datasets/${live?.dataset_id}/tiles/{z}/{x}/{y}.mvt`;
    if (live) map.value?.show('coverage', coverageOverlay(tiles));
    else map.value?.hide('coverage');
  }, [map.value, live?.dataset_id]);
  useEffect(() => {
    if (live?.bbox) map.value?.fit(live.bbox);
  }, [map.value, technology.value, provider.value]);
  useEffect(
    () => map.value?.show('excluded', areasOverlay('excluded', areas)),
    [map.value, JSON.stringify(areas)],
  );
  useDrawingOnMap(map, drawing);
  return <MapCard label="Map of coverage and what is excluded" map={map} legend={<SpeedLegend later />} />;
}

/** The first live version of a provider's technology. */
function liveOf({ published, providers }: Catalog, technology: string, provider: string) {
  const id = providers.find(({ name }) => name === provider)?.id;
  return published.find(
    (one) =>
      (technology === '' || one.technology === technology) && (provider === '' || one.provider_id === id),
  );
}
