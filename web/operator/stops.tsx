import { type Signal, signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import type { Box } from '../shared/map/box.ts';
import { areasOverlay, boxOfArea } from '../shared/map/draw-area.ts';
import { SpeedLegend } from '../shared/map/legend.tsx';
import { coverageOverlay, towerOverlay } from '../shared/map/overlays.ts';
import type { DrawnArea, OrderStop, StopTargets } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { ask } from '../shared/ui/dialog.tsx';
import { Select, TextField } from '../shared/ui/fields.tsx';
import { Badge, ErrorNotice, useAttempt } from '../shared/ui/notice.tsx';
import { Card, View } from '../shared/ui/view.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count, speed } from '../shared/words.ts';
import { backHome, catalog, isStaff, labelOf } from './context.ts';
import { type Drawing, DrawingFields, missingOf, useDrawing, useDrawingOnMap } from './drawing.tsx';
import { daysWords, targetWords } from './stop-words.ts';
import { MapCard, type MapSignal, useMap, WithMap } from './with-map.tsx';

/** The interval of looking for stops that others make. */
const refreshMs = 2_000;
const stateWords = { coming: 'Coming', closed: 'Closed', ended: 'Ended' } as const;
interface OfCoverage {
  technology: string;
  scope: string;
}
type Target =
  | { area: DrawnArea }
  | { tier: OfCoverage & StopTargets['tiers'][number] }
  | { tower: OfCoverage & Pick<StopTargets['towers'][number], 'lat' | 'lng'> };
type NewStop = Target & { provider?: string; from?: string; until?: string; reason: string; large?: boolean };
interface Days {
  from: string;
  until: string;
  reason: string;
}

/** What takes no new connections: a list, and tiers, towers and areas to close. */
export function StopsView() {
  const providers = catalog().providers;
  const provider = useSignal(isStaff() ? (providers[0]?.name ?? '') : '');
  const ofProvider = () => (provider.value === '' ? {} : { provider: provider.value });
  const stops = useResource(
    () => api.get('/api/operator/stops', { query: ofProvider() }),
    'anywhere',
    refreshMs,
  );
  const targets = useResource(
    () => api.get('/api/operator/stop-targets', { query: ofProvider() }),
    'elsewhere',
  );
  const days = useSignal<Days>({ from: catalog().today, until: '', reason: '' });
  const drawing = useDrawing(1_000);
  const { area, corners } = drawing;
  const map = useMap();
  const { error, attempt, refuse } = useAttempt();
  const close = (target: Target) =>
    attempt(async () => {
      const { from, until, reason } = days.value;
      // Today by the server's clock: the page may have been open since yesterday.
      const later = from === '' || from === catalog().today ? {} : { from };
      const asked = { ...ofProvider(), ...target, ...later, reason, ...(until && { until }) };
      const isDone = await makeStop(asked).then(
        () => true,
        (caught) => {
          if (caught.code !== 'stop_too_large') throw caught;
          const question = {
            title: 'Close all of this area?',
            body: caught.message,
            confirm: 'Close it all',
          };
          return ask(question, () => makeStop({ ...asked, large: true }));
        },
      );
      // What was drawn stays for whoever thinks better of it.
      if (!isDone) return;
      corners.value = [];
      await stops.refresh();
    });
  const coverage = targets.data.value?.coverage ?? [];
  const drawnOn = <StopsMap {...{ map, drawing, coverage }} stops={stops.data.value?.stops ?? []} />;
  return (
    <View
      title="New connections"
      back={backHome()}
      lead="Close a tower, a tier or an area to new connections. Coverage stays as it is: the map and lookups say that it cannot be ordered."
    >
      <WithMap
        title="Close to new connections"
        map={drawnOn}
        below={
          <div class="report">
            <Card title="Stops">
              <Loaded of={stops}>
                {({ stops: made }) =>
                  made.length === 0 ? (
                    <p class="muted">All coverage takes new connections.</p>
                  ) : (
                    <ul class="divided versions">
                      {made.map((stop) => (
                        <Stop key={stop.id} stop={stop} map={map} onChanged={stops.refresh} />
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
        <DrawingFields {...drawing} />
        <DayFields days={days} />
        <ErrorNotice error={error.value} />
        <div class="actions">
          <Button
            kind="primary"
            onClick={() => (area.value ? close({ area: area.value }) : refuse(missingOf(drawing)))}
          >
            Close this area
          </Button>
          {corners.value.length > 0 && (
            <Button kind="quiet" onClick={() => set(corners, [])}>
              Clear
            </Button>
          )}
        </div>
        <Loaded of={targets}>
          {({ coverage }) => (
            <>
              {coverage.map((one) => (
                <Targets key={one.dataset_id} coverage={one} close={close} />
              ))}
            </>
          )}
        </Loaded>
      </WithMap>
    </View>
  );
}

const makeStop = (body: NewStop) => api.post('/api/operator/stops', { body });

function DayFields({ days }: { days: Signal<Days> }) {
  const field = (name: keyof Days) => ({
    name,
    value: {
      get value() {
        return days.value[name];
      },
      set value(value: string) {
        days.value = { ...days.value, [name]: value };
      },
    },
  });
  return (
    <>
      <TextField {...field('from')} label="First day" type="date" class="short" />
      <TextField {...field('until')} label="Last day (optional)" type="date" class="short" />
      <TextField
        {...field('reason')}
        label="Reason (optional)"
        hint="For you and for staff. Lookups never show it."
        maxLength={200}
      />
    </>
  );
}

/** The tiers and towers of published coverage, each with a button that closes it. */
function Targets({ coverage, close }: { coverage: StopTargets; close(target: Target): Promise<void> }) {
  const { technology, scope, tiers, towers } = coverage;
  const of = { technology, scope };
  return (
    <section class="stack tight" aria-label={labelOf(coverage)}>
      <h2 class="versions-of">{labelOf(coverage)}</h2>
      <ul class="bare-list">
        {tiers.map((tier) => {
          const words = `${speed(tier.bandwidth_max_mbps)}, ${speed(tier.bandwidth_up_max_mbps)} up`;
          return (
            <li class="between" key={JSON.stringify(tier)}>
              <span>{words}</span>
              <Button
                label={`Close ${labelOf(coverage)} ${words}`}
                onClick={() => close({ tier: { ...of, ...tier } })}
              >
                Close
              </Button>
            </li>
          );
        })}
      </ul>
      {towers.length > 0 && (
        <details>
          <summary>{count(towers.length, 'tower')}</summary>
          <ul class="bare-list">
            {towers.map(({ name, lat, lng, antennas }) => (
              <li class="between" key={`${lat} ${lng}`}>
                <span>
                  {name ?? `${lat}, ${lng}`}
                  {antennas > 1 && <span class="muted small"> {count(antennas, 'antenna')}</span>}
                </span>
                <Button
                  label={`Close tower ${name ?? `${lat}, ${lng}`}`}
                  onClick={() => close({ tower: { ...of, lat, lng } })}
                >
                  Close
                </Button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Stop({ stop, map, onChanged }: { stop: OrderStop; map: MapSignal; onChanged(): unknown }) {
  const { id, area, tower, state, holds, reason, provider, created_by: by } = stop;
  const words = targetWords(stop);
  const path = { id };
  const change = () => {
    const until = signal(stop.until ?? '');
    return ask(
      {
        title: 'Change the last day',
        body: (
          <TextField
            label="Last day (empty: until further notice)"
            name="until-day"
            type="date"
            value={until}
          />
        ),
        confirm: 'Save last day',
      },
      () => api.put('/api/operator/stops/{id}/until', { path, body: { until: until.value || null } }),
    ).then(onChanged);
  };
  const undo = () =>
    ask(
      {
        title: 'Undo this stop?',
        body: `${words}: new connections are taken again at once. The stop leaves no trace in lookups.`,
        confirm: 'Undo stop',
      },
      () => api.delete('/api/operator/stops/{id}', { path }),
    ).then(onChanged);
  const show = () => map.value?.fit(area ? boxOfArea(area) : around(tower as NonNullable<typeof tower>));
  return (
    <li>
      <div class="row">
        <strong class="break">{words}</strong>
        <Badge tone={state === 'closed' ? 'warning' : undefined}>{stateWords[state]}</Badge>
      </div>
      <p class="muted small">
        {isStaff() && `${provider.name}, `}
        {daysWords(stop)}, by {by}
      </p>
      {!holds && state !== 'ended' && (
        <p class="small">The published coverage has nothing of it at present: it closes nothing.</p>
      )}
      {reason !== '' && <p class="small">“{reason}”</p>}
      <div class="actions">
        {(area ?? tower) && (
          <Button label={`Show on map: ${words}`} onClick={show}>
            Show on map
          </Button>
        )}
        {state !== 'ended' && (
          <Button label={`Change last day: ${words}`} onClick={change}>
            Change last day
          </Button>
        )}
        <Button kind="quiet" icon="undo" label={`Undo: ${words}`} onClick={undo}>
          Undo
        </Button>
      </div>
    </li>
  );
}

const around = ({ lat, lng }: { lat: number; lng: number }): Box => [
  lng - 0.1,
  lat - 0.1,
  lng + 0.1,
  lat + 0.1,
];

interface StopsMapProps {
  map: MapSignal;
  drawing: Drawing;
  coverage: readonly StopTargets[];
  stops: readonly OrderStop[];
}

/** Published coverage with its towers, the areas of stops that have not ended, and the one that is drawn. */
function StopsMap({ map, drawing, coverage, stops }: StopsMapProps) {
  const shown = useSignal('0');
  const chosen = coverage[Number(shown.value)] ?? coverage[0];
  const areas = stops.flatMap(({ area, state }) => (area && state !== 'ended' ? [area] : []));
  useEffect(() => {
    const tiles = `/api/operator/datasets/${chosen?.dataset_id}/tiles/{z}/{x}/{y}.mvt`;
    if (chosen) map.value?.show('coverage', coverageOverlay(tiles));
    else map.value?.hide('coverage');
    const features = (chosen?.towers ?? []).map(({ lat, lng }) => ({
      ...{ type: 'Feature' as const, properties: {} },
      geometry: { type: 'Point' as const, coordinates: [lng, lat] },
    }));
    map.value?.show('towers', towerOverlay({ type: 'FeatureCollection', features }));
    const live = catalog().published.find(({ dataset_id: id }) => id === chosen?.dataset_id);
    if (live?.bbox) map.value?.fit(live.bbox);
  }, [map.value, chosen?.dataset_id]);
  useEffect(() => map.value?.show('stops', areasOverlay('stops', areas)), [map.value, JSON.stringify(areas)]);
  useDrawingOnMap(map, drawing);
  const caption = coverage.length > 1 && (
    <Select
      label="Coverage on the map"
      name="coverage"
      options={coverage.map((one, i) => [String(i), labelOf(one)] as const)}
      value={shown}
    />
  );
  return (
    <MapCard
      label="Map of coverage and what is closed"
      map={map}
      caption={caption || undefined}
      legend={<SpeedLegend later />}
    />
  );
}
