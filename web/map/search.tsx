import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { set } from '../shared/field-value.ts';
import type { latestOnly } from '../shared/latest.ts';
import { loadTowns, type Town } from '../shared/map/places.ts';
import {
  type Area,
  isWithin,
  locate,
  outsideArea,
  type Position,
  parsePosition,
} from '../shared/position.ts';
import { Button } from '../shared/ui/button.tsx';
import { type Towns, townNamed, townsIn } from './towns.ts';

/** The zoom for a found town. */
const placeZoom = 11;

export interface SearchFormProps {
  area: Area;
  input: RefObject<HTMLInputElement | null>;
  /** Begins a search; late results of earlier ones no longer count. */
  begin: ReturnType<typeof latestOnly>;
  /** Called with a zoom for a town, which is no point. */
  onFound(position: Position, zoom?: number): void;
}

/** A search by coordinates, by a name on the map, or by the device's position. */
export function SearchForm({ area, input, begin, onFound }: SearchFormProps) {
  const text = useSignal('');
  const problem = useSignal('');
  const towns = useSignal<Towns<Town>>(new Map());

  async function listTowns(): Promise<void> {
    if (towns.value.size === 0) towns.value = townsIn(area, await loadTowns());
  }

  async function search(): Promise<void> {
    const isLatest = begin();
    const asked = text.value.trim();
    problem.value = '';
    if (asked === '') {
      problem.value = 'Type coordinates, such as -36.9027, 174.8076, or the name of a town.';
      return;
    }
    const position = parsePosition(asked);
    if (position) return take(position);
    await listTowns();
    if (!isLatest()) return;
    const town = townNamed(towns.value, asked);
    if (town) onFound({ lat: town.lat, lng: town.lng }, placeZoom);
    else if (towns.value.size === 0)
      problem.value = 'The towns could not be loaded. Type coordinates, or try again.';
    else problem.value = 'No such place on this map. Coordinates look like -36.9027, 174.8076.';
  }

  function take(position: Position): void {
    if (isWithin(position, area)) onFound(position);
    else problem.value = outsideArea;
  }

  async function searchHere(): Promise<void> {
    const isLatest = begin();
    problem.value = '';
    try {
      const position = await locate();
      if (!isLatest()) return;
      text.value = `${position.lat}, ${position.lng}`;
      take(position);
    } catch (error) {
      if (isLatest()) problem.value = (error as Error).message;
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
        <Button icon="locate" onClick={searchHere}>
          Use my location
        </Button>
      </form>
    </search>
  );
}
