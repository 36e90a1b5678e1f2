import type { FeatureCollection, Point } from 'geojson';
import places from '../generated/places.json?url';
import { button } from '../shared/button.ts';
import { fill, h } from '../shared/dom.ts';
import { type Area, isWithin, type Position, parsePosition } from './position.ts';

/** How near a town is looked at that somebody has searched for. */
const placeZoom = 11;
const locateOptions = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 };

export interface SearchForm {
  element: HTMLElement;
  focus(): void;
}

/**
 * A search by coordinates, by the name of a place on the map, or by where the device is.
 * @param found with a zoom where it is a place to look around in, and no point
 */
export function searchForm(area: Area, found: (position: Position, zoom?: number) => unknown): SearchForm {
  const named = new Map<string, Position>();
  const problem = h('p', { class: 'field-error', id: 'search-error', role: 'alert' });
  const list = h('datalist', { id: 'places' });
  const input = h('input', {
    id: 'search',
    type: 'search',
    name: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
    list: 'places',
    placeholder: '-36.9027, 174.8076',
    'aria-describedby': 'search-error',
    // The names of places are fetched when somebody is about to need them.
    onfocus: () => void loadPlaces(),
  });

  async function loadPlaces(): Promise<void> {
    if (named.size > 0) return;
    const response = await fetch(places).catch(() => undefined);
    if (!response?.ok || named.size > 0) return;
    const { features } = (await response.json()) as FeatureCollection<Point>;
    for (const { properties, geometry } of features) {
      const name = String(properties?.name);
      const [lng = 0, lat = 0] = geometry.coordinates;
      // They are listed with the largest first.
      if (isWithin({ lat, lng }, area) && !named.has(plain(name))) {
        named.set(plain(name), { lat, lng });
        list.append(h('option', { value: name }));
      }
    }
  }

  function tell(sentence: string): void {
    fill(problem, sentence);
    input.toggleAttribute('aria-invalid', sentence !== '');
    if (sentence !== '') input.setAttribute('aria-invalid', 'true');
  }

  async function search(): Promise<void> {
    const text = input.value.trim();
    if (text === '') return tell('Type coordinates, such as -36.9027, 174.8076, or the name of a town.');
    const position = parsePosition(text);
    if (position) return take(position);
    await loadPlaces();
    const key = plain(text);
    const place = named.get(key) ?? [...named].find(([name]) => name.startsWith(key))?.[1];
    if (!place) return tell('There is no such place on this map. Coordinates look like -36.9027, 174.8076.');
    tell('');
    await found(place, placeZoom);
  }

  async function take(position: Position): Promise<void> {
    if (!isWithin(position, area)) return tell('That is outside the area which this map covers.');
    tell('');
    await found(position);
  }

  async function locate(): Promise<void> {
    if (!('geolocation' in navigator) || !window.isSecureContext) {
      return tell('This browser does not tell where you are. Coordinates can be typed in.');
    }
    try {
      const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject, locateOptions),
      );
      const position = { lat: Number(coords.latitude.toFixed(6)), lng: Number(coords.longitude.toFixed(6)) };
      input.value = `${position.lat}, ${position.lng}`;
      await take(position);
    } catch (error) {
      const isRefused = (error as GeolocationPositionError).code === 1;
      tell(
        isRefused
          ? 'The browser was told not to say where you are. Coordinates can be typed in.'
          : 'It could not be found out where you are. Coordinates can be typed in.',
      );
    }
  }

  const element = h(
    'form',
    {
      class: 'search',
      role: 'search',
      onsubmit: (event) => {
        event.preventDefault();
        void search();
      },
    },
    h('label', { for: 'search' }, 'Coordinates or a town'),
    h(
      'div',
      { class: 'search-row' },
      input,
      h('button', { type: 'submit', class: 'button primary' }, 'Search'),
    ),
    list,
    problem,
    button('Where I am', locate, {
      icon: 'M12 2v3m0 14v3M2 12h3m14 0h3M19 12a7 7 0 1 1-14 0 7 7 0 0 1 14 0Z',
    }),
  );
  return { element, focus: () => input.focus() };
}

/** For comparing: no case, no marks over letters. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
