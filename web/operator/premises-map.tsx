import { type Signal, useSignal } from '@preact/signals';
import type { MapMouseEvent } from 'maplibre-gl';
import { useEffect } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { set } from '../shared/field-value.ts';
import { Swatch } from '../shared/map/legend.tsx';
import { premisesLayer, premisesOverlay } from '../shared/map/overlays.ts';
import { OfferItem } from '../shared/offer-item.tsx';
import { nothingHere, offersOf } from '../shared/offers.ts';
import type { Submission } from '../shared/schemas.ts';
import { Button } from '../shared/ui/button.tsx';
import { Loaded, useResource } from '../shared/use-resource.tsx';
import { count } from '../shared/words.ts';
import type { ChangedPremises } from './changed-premises.tsx';
import { catalog, labelOf } from './context.ts';
import { speedsWords } from './premises-words.ts';
import type { MapSignal } from './with-map.tsx';

/* Changed premises on the map: by suburb from afar, as points near by, each with its addresses. */

/** A click counts for the point within so many pixels; Enter for the one next to the middle. */
const reachPx = { click: 6, enter: 60 };

interface MapProps {
  submission: Submission;
  changed: ChangedPremises;
  map: MapSignal;
  isShown: boolean;
}

/** Shows changed premises on a map. @returns the number of the chosen ones */
export function usePremisesOnMap({
  submission,
  changed,
  map,
  isShown,
}: MapProps): Signal<number | undefined> {
  const chosen = useSignal<number | undefined>(undefined);
  const compared = changed.data.value;
  // Others are in the tiles once they are counted anew.
  const version = JSON.stringify(compared?.datasets.map(({ change }) => change?.others?.as_of)) ?? '';
  const isOnMap = isShown && (compared?.datasets.some(({ state }) => state === 'counted') ?? false);
  useEffect(() => {
    const view = map.value;
    if (!view || !isOnMap || !compared) return;
    const path = `/api/operator/submissions/${submission.id}/premises/{z}/{x}/{y}.mvt?of=${encodeURIComponent(version)}`;
    view.show('premises', premisesOverlay(path, suburbPoints(compared.datasets)));
    const nearest = (x: number, y: number, reach: number) => {
      const around: [[number, number], [number, number]] = [
        [x - reach, y - reach],
        [x + reach, y + reach],
      ];
      const found = view.map.queryRenderedFeatures(around, { layers: [premisesLayer] });
      const number = found[0]?.properties.number;
      if (typeof number === 'number') set(chosen, number);
    };
    const clicked = ({ point }: MapMouseEvent) => nearest(point.x, point.y, reachPx.click);
    const canvas = view.map.getCanvas();
    const pressed = ({ key }: KeyboardEvent) => {
      if (key === 'Enter') nearest(canvas.clientWidth / 2, canvas.clientHeight / 2, reachPx.enter);
    };
    view.map.on('click', clicked);
    canvas.addEventListener('keydown', pressed);
    return () => {
      view.map.off('click', clicked);
      canvas.removeEventListener('keydown', pressed);
      view.hide('premises');
    };
  }, [map.value, isOnMap, version, compared]);
  useEffect(() => {
    if (!isOnMap) set(chosen, undefined);
  }, [isOnMap]);
  return chosen;
}

/** A point for each suburb with premises that lose service, as large as they are many. */
function suburbPoints(datasets: NonNullable<ChangedPremises['data']['value']>['datasets']) {
  const suburbs = datasets.flatMap(
    ({ suburbs: lists }) => lists?.find(({ change }) => change === 'lost')?.suburbs ?? [],
  );
  const features = suburbs.map(({ premises, west, south, east, north }) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [(west + east) / 2, (south + north) / 2] },
    properties: { premises },
  }));
  return { type: 'FeatureCollection' as const, features };
}

const kinds = {
  lost: 'lose service',
  slower: 'become slower',
  faster: 'become faster',
  gained: 'gain service',
} as const;

/** What the points mean, and the chosen premises. */
export function PremisesOnMap({
  submission,
  changed,
  chosen,
  map,
}: Pick<MapProps, 'submission' | 'changed' | 'map'> & { chosen: Signal<number | undefined> }) {
  const counted = changed.data.value?.datasets.flatMap(({ change }) => change ?? []) ?? [];
  const shown = (Object.keys(kinds) as (keyof typeof kinds)[]).filter((kind) =>
    counted.some((one) => one[kind] > 0),
  );
  if (shown.length === 0) return null;
  return (
    <>
      <div class="legend">
        <p class="legend-title">Premises, near by as points</p>
        <ul class="bare-list stack close">
          {shown.map((kind) => (
            <li key={kind} class="row">
              <Swatch name={kind} />
              {`${count(
                counted.reduce((sum, one) => sum + one[kind], 0),
                'premises',
                'premises',
              )} ${kinds[kind]}`}
            </li>
          ))}
        </ul>
        <p class="hint">Choose a point for its addresses; Enter takes the one in the middle of the map.</p>
      </div>
      {chosen.value !== undefined && <ChosenPremises submission={submission} chosen={chosen} map={map} />}
    </>
  );
}

/** Addresses of a tower block beyond these are counted. */
const fewAddresses = 5;

/** One of the changed premises: its addresses, what changes, and what is there now from anybody. */
function ChosenPremises({
  submission: { id },
  chosen,
  map,
}: Pick<MapProps, 'submission' | 'map'> & { chosen: Signal<number | undefined> }) {
  const labels = new Map(catalog().technologies.map(({ name, label }) => [name, label]));
  const found = useResource(async () => {
    const number = chosen.value;
    if (number === undefined) return undefined;
    const premises = await api.get('/api/operator/submissions/{id}/premises/{number}', {
      path: { id, number },
    });
    announce(premises.addresses[0]?.text ?? '');
    return premises;
  });
  const place = found.data.value;
  useEffect(() => {
    map.value?.mark(place ? [place] : []);
    return () => map.value?.mark();
  }, [place]);
  return (
    <section class="stack small-gap" aria-label="Chosen premises">
      <Loaded of={found}>
        {(premises) => {
          if (!premises) return null;
          const { addresses, address_count: all, changes, results } = premises;
          const offers = offersOf(results, labels);
          return (
            <>
              <div class="between">
                <h3>{addresses[0]?.text}</h3>
                <Button kind="quiet" label="Close the chosen premises" onClick={() => set(chosen, undefined)}>
                  Close
                </Button>
              </div>
              {all > 1 && (
                <p class="small break">
                  {addresses
                    .slice(1, fewAddresses)
                    .map(({ text }) => text)
                    .join('; ')}
                  {all > fewAddresses && `, and ${count(all - fewAddresses, 'address', 'addresses')} more`}
                </p>
              )}
              <ul class="plain-list">
                {changes.map((change) => (
                  <li key={change.dataset_id}>
                    {`${labelOf(change)}: ${speedsWords(change.before_mbps, change.after_mbps)}`}
                  </li>
                ))}
              </ul>
              <p class="legend-title">There now, from anybody</p>
              {offers.length === 0 && <p>{nothingHere}</p>}
              <ul class="bare-list offers">
                {offers.map((offer) => (
                  <OfferItem key={`${offer.technology} ${offer.name}`} offer={offer} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </section>
  );
}
