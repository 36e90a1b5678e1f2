import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../shared/announce.ts';
import { api } from '../shared/client.ts';
import { asValue } from '../shared/field-value.ts';
import type { CoverageMap } from '../shared/map/map.ts';
import { MapPlace } from '../shared/map/map-place.tsx';
import type { MapSettings } from '../shared/schemas.ts';
import { Loaded } from '../shared/ui/loaded.tsx';
import { useResource } from '../shared/use-resource.ts';
import { readAddress, type ViewAddress, writeAddress } from './address.ts';
import { AnswerCard, inShort } from './answer.tsx';
import { LayerSwitches } from './layers.tsx';
import { mapLookup } from './lookup.ts';
import { layersOf, technologyOverlay } from './overlay.ts';
import { type Position, rounded } from './position.ts';
import { SearchForm } from './search.tsx';

/** How near a place is looked at that somebody has searched for. */
const searchedZoom = 12;

/** The map for everybody: layers, a search, and what there is at a point. */
export function PublicMap({ settings }: { settings: MapSettings }) {
  const { technologies } = settings;
  const [lookUp] = useState(() => mapLookup(api, settings.lookup_token));
  const labels = new Map(technologies.map(({ name, label }) => [name, label]));
  const view = useSignal<ViewAddress>(readAddress(location.hash));
  const at = useComputed(() => view.value.at);
  const hidden = useComputed(() => view.value.hidden);
  const map = useSignal<CoverageMap | undefined>(undefined);
  const search = useRef<HTMLInputElement>(null);
  const answer = useResource(async () => {
    const position = at.value;
    if (!position) return undefined;
    return lookUp(position);
  });

  /** The address of the page follows the view, without a step for the browser's Back. */
  const change = (changed: Partial<ViewAddress>) => {
    view.value = { ...view.value, ...changed };
    history.replaceState(null, '', writeAddress(view.value));
  };
  const names = technologies.map(({ name }) => name);
  const shown = asValue<readonly string[]>(
    () => names.filter((name) => !hidden.value.includes(name)),
    (shown) => change({ hidden: names.filter((name) => !shown.includes(name)) }),
  );
  /** The browser's Back returns from it. */
  const look = (position: Position) => {
    view.value = { ...view.value, at: position };
    history.pushState(null, '', writeAddress(view.value));
  };
  const goTo = (position: Position, zoom: number | undefined) => {
    const libre = map.value?.map;
    libre?.jumpTo({ center: position, zoom: zoom ?? Math.max(libre.getZoom(), searchedZoom) });
    if (zoom === undefined) look(position);
    else announce('The map has moved.');
  };
  const leave = () => {
    change({ at: undefined });
    search.current?.focus();
  };

  useSignalEffect(() => {
    if (answer.data.value) announce(inShort(answer.data.value, labels));
  });
  useSignalEffect(() => map.value?.mark(at.value));
  useSignalEffect(() => {
    for (const { name } of technologies) map.value?.setVisible(layersOf(name), !hidden.value.includes(name));
  });
  useEffect(() => {
    const goBack = () => {
      view.value = readAddress(location.hash);
      const { centre, zoom } = view.value;
      if (centre) map.value?.map.jumpTo({ center: centre, zoom: zoom ?? searchedZoom });
    };
    window.addEventListener('popstate', goBack);
    return () => window.removeEventListener('popstate', goBack);
  }, [view, map]);

  const begin = (loaded: CoverageMap) => {
    const libre = loaded.map;
    const { centre, zoom, at } = view.value;
    if (centre) libre.jumpTo({ center: centre, zoom: zoom ?? searchedZoom });
    else if (at) libre.jumpTo({ center: at, zoom: searchedZoom });
    for (const [i, { name, set_id: set }] of technologies.entries()) {
      loaded.show(name, technologyOverlay(name, set, i));
    }
    map.value = loaded;
    loaded.onChosen((place) => look(rounded(place)));
    libre.on('moveend', () =>
      change({ centre: rounded(libre.getCenter()), zoom: Number(libre.getZoom().toFixed(2)) }),
    );
  };

  return (
    <div class="map-layout">
      <div class="panel" id="panel" tabIndex={-1}>
        <div class="stack close">
          <h1>What broadband is here?</h1>
          <p class="muted small">Click on the map, or search for a place.</p>
          <SearchForm area={settings.service_area} input={search} onFound={goTo} />
        </div>
        {at.value && (
          <section class="answer" aria-label="At this place">
            <Loaded of={answer}>
              {(found) => found && <AnswerCard answer={found} labels={labels} onClose={leave} />}
            </Loaded>
          </section>
        )}
        <LayerSwitches technologies={technologies} shown={shown} />
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
