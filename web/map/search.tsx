import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { set } from '../shared/field-value.ts';
import { loadTowns, type Town } from '../shared/map/places.ts';
import { type Area, isWithin, type Position, parsePosition, rounded } from '../shared/position.ts';
import { Button } from '../shared/ui/button.tsx';
import { plain } from '../shared/words.ts';

/** The zoom for a found town. */
const placeZoom = 11;
const locateOptions = { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 };

/** Towns by name, without case and accents. */
type Towns = ReadonlyMap<string, Town>;

export interface SearchFormProps {
  area: Area;
  input: RefObject<HTMLInputElement | null>;
  /** Called with a zoom for a town, which is no point. */
  onFound(position: Position, zoom?: number): void;
}

/** A search by coordinates, by a name on the map, or by the device's position. */
export function SearchForm({ area, input, onFound }: SearchFormProps) {
  const text = useSignal('');
  const problem = useSignal('');
  const towns = useSignal<Towns>(new Map());
  /** The number of searches: a location that is found after another search no longer counts. */
  const searches = useRef(0);

  async function listTowns(): Promise<void> {
    if (towns.value.size === 0) towns.value = townsIn(area, await loadTowns());
  }

  async function search(): Promise<void> {
    searches.current += 1;
    const asked = text.value.trim();
    problem.value = '';
    if (asked === '') {
      problem.value = 'Type coordinates, such as -36.9027, 174.8076, or the name of a town.';
      return;
    }
    const position = parsePosition(asked);
    if (position) return take(position);
    await listTowns();
    const key = plain(asked);
    const town = towns.value.get(key) ?? [...towns.value].find(([name]) => name.startsWith(key))?.[1];
    if (town) onFound({ lat: town.lat, lng: town.lng }, placeZoom);
    else problem.value = 'No such place on this map. Coordinates look like -36.9027, 174.8076.';
  }

  function take(position: Position): void {
    if (isWithin(position, area)) onFound(position);
    else problem.value = 'That is outside the area which this map covers.';
  }

  async function locate(): Promise<void> {
    searches.current += 1;
    const mine = searches.current;
    problem.value = '';
    if (!('geolocation' in navigator) || !window.isSecureContext) {
      problem.value = 'This browser does not share your location. Type coordinates instead.';
      return;
    }
    try {
      const { coords } = await new Promise<GeolocationPosition>((resolve, reject) =>
        navigator.geolocation.getCurrentPosition(resolve, reject, locateOptions),
      );
      if (mine !== searches.current) return;
      const position = rounded({ lat: coords.latitude, lng: coords.longitude });
      text.value = `${position.lat}, ${position.lng}`;
      take(position);
    } catch (error) {
      if (mine !== searches.current) return;
      const isRefused = (error as GeolocationPositionError).code === 1;
      problem.value = isRefused
        ? 'The browser may not share your location. Type coordinates instead.'
        : 'Your location could not be found. Type coordinates instead.';
    }
  }

  return (
    <search>
      <form
        class="stack close search"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <label for="search">Coordinates or a town</label>
        <div class="search-row">
          <input
            ref={input}
            id="search"
            type="search"
            name="search"
            autoComplete="off"
            spellcheck={false}
            enterkeyhint="search"
            list="places"
            placeholder="-36.9027, 174.8076"
            aria-describedby="search-error"
            aria-invalid={problem.value ? 'true' : undefined}
            value={text.value}
            onInput={(event) => set(text, event.currentTarget.value)}
            onFocus={listTowns}
          />
          <button type="submit" class="button primary">
            Search
          </button>
        </div>
        <datalist id="places">
          {[...towns.value.values()].map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <p class="field-error" id="search-error" role="alert">
          {problem.value}
        </p>
        <Button icon="locate" onClick={locate}>
          Use my location
        </Button>
      </form>
    </search>
  );
}

/** Of several towns with one name, the first counts: it is the largest. */
function townsIn(area: Area, all: readonly Town[]): Towns {
  const towns = new Map<string, Town>();
  for (const town of all) {
    const key = plain(town.name);
    if (isWithin(town, area) && !towns.has(key)) towns.set(key, town);
  }
  return towns;
}
