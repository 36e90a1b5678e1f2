import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';
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
import type { FoundPlace } from '../shared/schemas.ts';
import { minAskedLength, suggestionsOf } from '../shared/suggestions.ts';
import { Button } from '../shared/ui/button.tsx';
import { Combobox } from '../shared/ui/combobox.tsx';
import { choicesOf, type FoundOnMap, type MapChoice, townZoom } from './choices.ts';
import { type Towns, townNamed, townsIn } from './towns.ts';

export interface SearchFormProps {
  area: Area;
  input: RefObject<HTMLInputElement | null>;
  /** Why the last search, or a link, found nothing. */
  problem: Signal<string>;
  /** Searches the list of addresses; undefined where there is none. */
  findAddresses?: ((text: string, signal: AbortSignal) => Promise<readonly FoundPlace[]>) | undefined;
  /** Begins a search; late results of earlier ones no longer count. */
  begin: ReturnType<typeof latestOnly>;
  onFound(found: FoundOnMap): void;
}

/** A search by address, by coordinates, by a name on the map, or by the device's position. */
export function SearchForm({ area, input, problem, findAddresses, begin, onFound }: SearchFormProps) {
  const text = useSignal('');
  const towns = useSignal<Towns<Town>>(new Map());
  const found = useSignal<readonly FoundPlace[]>([]);
  const isOpen = useSignal(false);
  /** What is told without interrupting somebody who types. */
  const quiet = useSignal('');
  const choices = useComputed(() =>
    choicesOf(text.value, found.value, towns.value, findAddresses !== undefined),
  );
  const [suggestions] = useState(
    () =>
      findAddresses &&
      suggestionsOf(findAddresses, (answer, error) => {
        found.value = answer ?? [];
        quiet.value = error ? sentenceOf(error) : answer && choices.value.length === 0 ? nothing : '';
      }),
  );
  useEffect(() => suggestions?.stop, [suggestions]);

  async function listTowns(): Promise<void> {
    if (towns.value.size === 0) towns.value = townsIn(area, await loadTowns());
  }

  function type(typed: string): void {
    text.value = typed;
    isOpen.value = true;
    // Numbers alone may become coordinates.
    suggestions?.type(/\p{L}/u.test(typed) ? typed : '');
  }

  async function search(): Promise<void> {
    const isLatest = begin();
    const asked = text.value.trim();
    problem.value = '';
    if (asked === '') {
      problem.value = `Type ${findAddresses ? 'an address, ' : ''}coordinates, such as -36.9027, 174.8076, or the name of a town.`;
      return;
    }
    const position = parsePosition(asked);
    if (position) return take(position);
    await listTowns();
    if (!isLatest()) return;
    const town = townNamed(towns.value, asked, findAddresses !== undefined);
    if (town) show({ position: { lat: town.lat, lng: town.lng }, zoom: townZoom });
    else if (findAddresses) await searchAddresses(asked, isLatest);
    else if (towns.value.size === 0)
      problem.value = 'The towns could not be loaded. Type coordinates, or try again.';
    else problem.value = 'No such place on this map. Coordinates look like -36.9027, 174.8076.';
  }

  async function searchAddresses(asked: string, isLatest: () => boolean): Promise<void> {
    if (asked.length < minAskedLength) {
      problem.value = 'Type more of the address.';
      return;
    }
    try {
      await suggestions?.now(asked);
    } catch (error) {
      if (isLatest()) problem.value = sentenceOf(error);
      return;
    }
    if (!isLatest()) return;
    const exact = choices.value.find(({ isExact }) => isExact);
    if (exact) return choose(exact);
    isOpen.value = true;
    problem.value = choices.value.length > 0 ? 'Choose one of these, or type more of the address.' : nothing;
  }

  function choose(choice: MapChoice): void {
    begin();
    text.value = choice.text;
    problem.value = '';
    show(choice);
  }

  function show(place: FoundOnMap): void {
    suggestions?.stop();
    isOpen.value = false;
    onFound(place);
  }

  function take(position: Position): void {
    if (isWithin(position, area)) show({ position });
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
        <label for="search">
          {findAddresses ? 'Address, coordinates or a town' : 'Coordinates or a town'}
        </label>
        {/* Above the field, as the list covers what is below it. */}
        <p class="field-error" id="search-error" role="alert">
          {problem.value}
        </p>
        <div class="search-row">
          <Combobox
            id="search"
            input={input}
            field={{
              name: 'search',
              placeholder: findAddresses ? '14 Rata Street, Ponsonby' : '-36.9027, 174.8076',
              'aria-describedby': 'search-error',
              'aria-invalid': problem.value ? 'true' : undefined,
            }}
            text={text.value}
            choices={choices.value}
            isOpen={isOpen.value}
            onType={type}
            onChoose={choose}
            onOpen={(to) => set(isOpen, to)}
            onFocus={listTowns}
          />
          <button type="submit" class="button primary">
            Search
          </button>
        </div>
        <p class="hint" role="status">
          {problem.value ? '' : quiet.value}
        </p>
        <Button icon="locate" onClick={searchHere}>
          Use my location
        </Button>
      </form>
    </search>
  );
}

const nothing = 'No such address or place. Coordinates look like -36.9027, 174.8076.';

/** Why a search failed, for a visitor. */
const sentenceOf = (error: unknown) =>
  (error as { status?: number }).status === 429
    ? 'No more addresses can be searched for at the moment. Try again later, or type coordinates.'
    : 'The search is not available at the moment. Try again, or type coordinates.';
