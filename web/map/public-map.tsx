import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { computedValue } from '../shared/field-value.ts';
import { latestOnly } from '../shared/latest.ts';
import { boundsOf } from '../shared/map/box.ts';
import { mapLookup } from '../shared/map/lookup.ts';
import type { CoverageMap } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import { isWithin, type Position, rounded } from '../shared/position.ts';
import type { MapSettings } from '../shared/schemas.ts';
import { Button, CopyButton } from '../shared/ui/button.tsx';
import { useResource } from '../shared/use-resource.tsx';
import { readAddress, type ViewAddress, writeAddress } from './address.ts';
import type { FoundOnMap } from './choices.ts';
import { type Differences, differencesOf } from './differences.ts';
import { MapLayers } from './layers.tsx';
import { areasOverlay, bestOverlay } from './overlay.ts';
import { findPlace, inShort, type Place } from './place.ts';
import { PlaceCard } from './place-card.tsx';
import { SearchForm } from './search.tsx';
import { useTitles } from './titles.ts';

const choose = matchMedia('(pointer: coarse)').matches ? 'Tap the map' : 'Click on the map';
/** The zoom for a found position, and for an address. */
const searchedZoom = 12;
const addressZoom = 14;
/** From this zoom on, the search prefers what is near the middle of the map. */
const nearZoom = 9;

/** The public map: the best speeds, a search, and the offers at a point. */
export function PublicMap({ settings }: { settings: MapSettings }) {
  const { technologies, service_area: area } = settings;
  const [lookUp] = useState(() => mapLookup(api, settings.lookup_token));
  const labels = new Map(technologies.map(({ name, label }) => [name, label]));
  const names = technologies.map(({ name }) => name);
  const named = (shown: readonly string[]) => names.filter((name) => shown.includes(name));
  /** The part of the address that the map can show: a provider of an old link may be gone. */
  const read = (): ViewAddress => {
    const { shown, provider, ...rest } = readAddress(location.hash);
    const isKnown = settings.providers.includes(provider);
    return { ...rest, shown: named(shown), provider: isKnown ? provider : '' };
  };
  const view = useSignal(read());
  const titles = useTitles(lookUp);
  const titled = (place: Place): Place => ({ ...place, title: titles.at(place.at)?.text ?? place.title });
  const addressOf = (of: ViewAddress) => titles.link(of.at) + writeAddress(of);
  const at = useComputed(() => view.value.at);
  const beside = useComputed(() => view.value.beside);
  const find = async (position: Position | undefined) =>
    position && findPlace(position, { area, lookUp, labels });
  const first = useResource(() => find(at.value));
  const second = useResource(() => find(beside.value));
  /** The differences of the shown places, once both are found. */
  const differences = useComputed<Differences | undefined>(() => {
    const [a, b] = [first.data.value, second.data.value];
    const areShown = a && b && a.at === at.value && b.at === beside.value;
    return areShown ? differencesOf(a.offers, b.offers) : undefined;
  });
  /** The next chosen place is compared with the first. */
  const isComparing = useSignal(false);
  const map = useSignal<CoverageMap | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  const problem = useSignal('');
  const [beginSearch] = useState(latestOnly);
  /** The page's address follows the view, without adding entries to the browser's history. */
  const change = (changed: Partial<ViewAddress>) => {
    view.value = { ...view.value, ...changed };
    history.replaceState(null, '', addressOf(view.value));
  };
  const choices = computedValue(
    () => view.value,
    (to) => change({ ...to, shown: named(to.shown) }),
  );
  const outlined = useComputed(() => {
    const { shown, provider, planned } = view.value;
    return shown.length > 0 || provider || planned ? [...shown, provider, planned].join() : '';
  });
  /** The browser's Back undoes this. */
  const choosePlace = (position: Position) => {
    titles.leaveLink();
    view.value = { ...view.value, [isComparing.value ? 'beside' : 'at']: position };
    isComparing.value = false;
    history.pushState(null, '', addressOf(view.value));
  };
  const goTo = ({ position, zoom, address }: FoundOnMap) => {
    if (address) titles.learn(position, address);
    // A town is no point, but can be compared with a place. The map then moves as far as both need it.
    if (isComparing.value) return choosePlace(position);
    const libre = map.value?.map;
    const least = address ? addressZoom : searchedZoom;
    if (libre) libre.jumpTo({ center: position, zoom: zoom ?? Math.max(libre.getZoom(), least) });
    // The map is still being loaded, and begins there.
    else change({ centre: position, zoom: zoom ?? least });
    if (zoom === undefined) choosePlace(position);
    else announce('The map has moved.');
  };
  const findAddresses = async (text: string, signal: AbortSignal) => {
    const { centre, zoom } = view.peek();
    const isNear = centre && isWithin(centre, area) && (zoom ?? 0) >= nearZoom;
    return (await lookUp.addresses(text, isNear ? centre : undefined, signal)).results;
  };
  /** Shows what the page's address names before `#`: an address, or a position of a link from elsewhere. */
  const openLink = async () => {
    const hasCentre = view.peek().centre !== undefined;
    try {
      const position = await titles.readLink(view.peek().at);
      if (!position) return;
      change({ at: position });
      if (!hasCentre) map.peek()?.map.jumpTo({ center: position, zoom: addressZoom });
    } catch (error) {
      problem.value = (error as Error).message;
    }
  };
  /** A second place becomes the first. */
  const closePlace = () => {
    titles.leaveLink();
    change({ at: beside.value, beside: undefined });
    isComparing.value = false;
    search.current?.focus();
  };

  useSignalEffect(() => map.value?.mark(placesOf(view.value), beside.value && ['A', 'B']));
  useEffect(() => {
    const libre = map.value?.map;
    if (!libre || !beside.value) return;
    // The panel has become wider.
    libre.resize();
    if (!placesOf(view.value).every((place) => libre.getBounds().contains(place)))
      showPlaces(libre, view.value);
  }, [at.value, beside.value]);
  useSignalEffect(() => {
    const [a, b] = [first.data.value, second.data.value];
    if (!beside.value) return a && announce(inShort(titled(a)));
    if (a && b && differences.value)
      announce(`A, ${titled(a).title}, and B, ${titled(b).title}: ${differences.value.sentences.join(' ')}`);
  });
  const { best, areas } = settings.pictures;
  // Their addresses change with what is published.
  useEffect(() => map.value?.show('best', bestOverlay(best)), [map.value, ...best.tiles]);
  useEffect(() => {
    if (outlined.value) map.value?.show('areas', areasOverlay(areas, names, view.peek()));
    else map.value?.hide('areas');
  }, [map.value, outlined.value, ...areas.tiles]);
  useEffect(() => {
    const goBack = () => {
      view.value = read();
      void openLink();
      const { centre, zoom } = view.value;
      if (centre) map.value?.map.jumpTo({ center: centre, zoom: zoom ?? searchedZoom });
    };
    window.addEventListener('popstate', goBack);
    void openLink();
    return () => window.removeEventListener('popstate', goBack);
  }, [view, map]);

  const begin = (loaded: CoverageMap) => {
    const libre = loaded.map;
    const { centre, zoom } = view.value;
    if (centre) libre.jumpTo({ center: centre, zoom: zoom ?? searchedZoom });
    else showPlaces(libre, view.value);
    map.value = loaded;
    loaded.onChosen((place) => {
      beginSearch();
      choosePlace(rounded(place));
    });
    libre.on('moveend', () =>
      change({ centre: rounded(libre.getCenter()), zoom: Number(libre.getZoom().toFixed(2)) }),
    );
  };

  const { value: place } = at;
  const { value: other } = beside;
  const copyLink = (
    <CopyButton text={() => location.href} onRefused={() => announce('Copy the address of this page.')}>
      Copy link
    </CopyButton>
  );
  return (
    <div class={other ? 'map-layout comparing' : 'map-layout'}>
      <div class="panel">
        <div class="stack close">
          <h1>What broadband is here?</h1>
          <p class="muted small">
            {choose}, or search for {settings.addresses ? 'an address or ' : ''}a place.
          </p>
          <SearchForm
            area={area}
            input={search}
            problem={problem}
            findAddresses={settings.addresses ? findAddresses : undefined}
            begin={beginSearch}
            onFound={goTo}
          />
        </div>
        {other && (
          <section class="stack tight" aria-label="What differs">
            <h2>What differs</h2>
            {differences.value && (
              <ul class="plain-list">
                {differences.value.sentences.map((sentence) => (
                  <li key={sentence}>{sentence}</li>
                ))}
              </ul>
            )}
            <div class="actions">{copyLink}</div>
          </section>
        )}
        {place && (
          <div class="place-cards">
            <PlaceCard
              at={place}
              place={first}
              known={titles.at(place)}
              letter={other && 'A'}
              notes={differences.value?.notes.A}
              onClose={closePlace}
            >
              {!other && (
                <div class="actions">
                  {copyLink}
                  <Button
                    onClick={() => {
                      isComparing.value = !isComparing.value;
                    }}
                  >
                    {isComparing.value ? 'Do not compare' : 'Compare'}
                  </Button>
                </div>
              )}
            </PlaceCard>
            {isComparing.value && (
              <p class="place-card muted" role="status">
                {choose}, or search for the place to see beside this one.
              </p>
            )}
            {other && (
              <PlaceCard
                at={other}
                place={second}
                known={titles.at(other)}
                letter="B"
                notes={differences.value?.notes.B}
                onClose={() => change({ beside: undefined })}
              />
            )}
          </div>
        )}
        <MapLayers technologies={technologies} providers={settings.providers} choices={choices} />
      </div>
      <MapPlace
        label="Map of broadband coverage"
        settings={settings}
        options={{ isPage: true }}
        onReady={begin}
      />
    </div>
  );
}

/** The chosen places of a view. */
const placesOf = ({ at, beside }: ViewAddress) => [at, beside].filter((place) => place !== undefined);

function showPlaces(libre: CoverageMap['map'], view: ViewAddress): void {
  const box = boundsOf(placesOf(view).map(({ lat, lng }) => [lng, lat]));
  // The padding keeps marks clear of the map's buttons.
  if (box) libre.fitBounds(box, { padding: 56, maxZoom: searchedZoom, animate: false });
}
