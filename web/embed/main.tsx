import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { latestOnly } from '../shared/latest.ts';
import { OfferItem } from '../shared/offer-item.tsx';
import { nothingHere, type Offer, offersOf } from '../shared/offers.ts';
import { locate, outsideArea, type Position, parsePosition } from '../shared/position.ts';
import type { FoundPlaces, MapSettings, TechnologyAvailability, TileSets } from '../shared/schemas.ts';
import { type Choice, suggestionsOf } from '../shared/suggestions.ts';
import { Combobox } from '../shared/ui/combobox.tsx';

/* The checker for other sites: /embed?key=...[&lat=...&lng=...][&theme=light|dark]. See docs/user/embed.md. */

const asked = new URLSearchParams(location.search);
const key = asked.get('key') ?? '';
const theme = asked.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
/** The place of a page about one place; then there is no field. */
const given = parsePosition(`${asked.get('lat')}, ${asked.get('lng')}`);

/** A place with the address by which it was found. */
type Place = Position & { address?: string };

type Shown =
  | { kind: 'nothing' | 'asking' }
  | { kind: 'problem'; sentence: string }
  | { kind: 'offers'; at: Place; offers: Offer[] };

interface Suggestion extends Choice {
  /** Undefined for a street, a suburb or a town, which the text then begins with. */
  place: Place | undefined;
  isExact: boolean;
}

function Checker() {
  const [text, setText] = useState('');
  const [shown, show] = useState<Shown>({ kind: 'nothing' });
  const [hasAddresses, setHasAddresses] = useState(false);
  const [choices, setChoices] = useState<readonly Suggestion[]>([]);
  const [isOpen, open] = useState(false);
  // A location may be found late, and answers overtake each other.
  const [begin] = useState(latestOnly);
  /** Tells about what is typed, unless something else is shown. */
  const tell = (sentence: string | undefined) =>
    show((now) => {
      if (now.kind === 'offers' || now.kind === 'asking') return now;
      return sentence ? { kind: 'problem', sentence } : { kind: 'nothing' };
    });
  const [suggestions] = useState(() =>
    suggestionsOf(search, (found, error) => {
      setChoices(found ?? []);
      tell(found?.length === 0 ? noAddress : (error as Error | undefined)?.message);
    }),
  );
  const check = async (find: () => Place | Promise<Place>) => {
    const isLatest = begin();
    show({ kind: 'asking' });
    try {
      const at = await find();
      if (!isLatest()) return;
      suggestions.stop();
      open(false);
      if (!at.address) setText(`${at.lat}, ${at.lng}`);
      const offers = await lookUp(at);
      if (isLatest()) show({ kind: 'offers', at, offers });
    } catch (error) {
      if (isLatest()) show({ kind: 'problem', sentence: (error as Error).message });
    }
  };
  const choose = (choice: Suggestion) => {
    const { place } = choice;
    setText(choice.text);
    if (place) void check(() => place);
    else {
      suggestions.stop();
      show({ kind: 'problem', sentence: 'Type the whole address: offers are those of a house.' });
    }
  };
  /** @throws Error with a sentence for the visitor */
  const typed = async (): Promise<Place> => {
    const at = parsePosition(text);
    if (at) return at;
    const found = hasAddresses && text.trim().length > 2 ? await suggestions.now(text) : [];
    const exact = found.find(({ isExact }) => isExact);
    if (exact?.place) {
      setText(exact.text);
      return exact.place;
    }
    if (found.length === 0) throw new Error(hasAddresses ? noAddress : coordinates);
    open(true);
    throw new Error('Choose one of these, or type more of the address.');
  };
  const checkGiven = () => {
    if (given) void check(() => given);
  };
  useEffect(checkGiven, []);
  useEffect(() => {
    if (!given) void findsAddresses().then(setHasAddresses);
  }, []);
  return (
    <>
      <h1>What broadband is here?</h1>
      {!given && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void check(typed);
          }}
        >
          <label for="place">{hasAddresses ? 'Address or coordinates' : 'Coordinates'}</label>
          <Combobox
            id="place"
            field={{ placeholder: hasAddresses ? '14 Rata Street, Ponsonby' : '-36.9027, 174.8076' }}
            text={text}
            choices={choices}
            isOpen={isOpen}
            onType={(to) => {
              setText(to);
              open(true);
              // Numbers alone may become coordinates.
              suggestions.type(hasAddresses && /\p{L}/u.test(to) ? to : '');
            }}
            onChoose={choose}
            onOpen={open}
          />
          <button type="submit">Check</button>
          <button type="button" onClick={() => check(locate)}>
            Use my location
          </button>
        </form>
      )}
      <div role="status">
        <Result of={shown} />
      </div>
      {given && shown.kind === 'problem' && (
        <button type="button" onClick={checkGiven}>
          Try again
        </button>
      )}
    </>
  );
}

function Result({ of: shown }: { of: Shown }) {
  if (shown.kind === 'problem') return <p>{shown.sentence}</p>;
  if (shown.kind !== 'offers') return shown.kind === 'asking' ? <p>Looking …</p> : null;
  const { at, offers } = shown;
  return (
    <>
      {offers.length === 0 && <p>{nothingHere}</p>}
      <ul>
        {offers.map((offer, i) => (
          <OfferItem offer={offer} key={`${offer.name} ${i}`} />
        ))}
      </ul>
      <p class="small">
        <a
          href={`/${at.address ? `?address=${encodeURIComponent(at.address)}` : ''}#at=${at.lat},${at.lng}`}
          target="_blank"
          rel="noopener"
        >
          See it on the map
        </a>
      </p>
    </>
  );
}

const coordinates = 'Coordinates look like -36.9027, 174.8076.';
const noAddress = `No such address. ${coordinates}`;

/** Whether there is a list of addresses to search. */
const findsAddresses = (): Promise<boolean> =>
  fetch('/api/map/settings')
    .then((answer): Promise<MapSettings> => answer.json())
    .then(({ addresses }) => addresses)
    .catch(() => false);

/** @throws Error with a sentence for the visitor */
async function search(text: string, signal: AbortSignal): Promise<Suggestion[]> {
  const address = `/api/2.0/addresses?${new URLSearchParams({ q: text })}`;
  const response = await fetch(address, { headers: { 'x-api-key': key }, signal }).catch(unreachable);
  if (!response.ok) throw new Error(searchProblems[response.status] ?? 'The search failed. Try again later.');
  const { results }: FoundPlaces = await response.json().catch(unreachable);
  return results.map(({ kind, id, text, location, match }) => ({
    ...{ key: `${kind} ${id ?? text} ${location.lat}`, text, isExact: match === 'exact' },
    ...(id === null
      ? { note: kind, place: undefined }
      : { place: { lat: Number(location.lat), lng: Number(location.lng), address: id } }),
  }));
}

/** @throws Error with a sentence for the visitor, instead of the API's for programs */
async function lookUp({ lat, lng }: Position): Promise<Offer[]> {
  const asking = [askInTurn(`/api/2.0/availability/${lat}/${lng}?orderable=1`), loadLabels()] as const;
  const [response, labels] = await Promise.all(asking).catch(unreachable);
  const { status, ok } = response;
  if (!ok) throw new Error(problems[status] ?? 'The answer could not be found. Try again later.');
  const body: { results: TechnologyAvailability[] } = await response.json().catch(unreachable);
  return offersOf(body.results, labels);
}

function unreachable(): never {
  throw new Error('The server cannot be reached. Try again later.');
}

const problems: Record<number, string> = {
  400: outsideArea,
  403: 'This page may not ask at the moment. Its owner can see why.',
  429: 'No more places can be looked up at the moment. Try again later.',
};

/** Asks with the key, which all visitors share: while too many ask at once, it waits for its turn. */
async function askInTurn(address: string): Promise<Response> {
  for (let turn = 1; ; turn++) {
    const response = await fetch(address, {
      headers: { 'x-api-key': key },
      signal: AbortSignal.timeout(30_000),
    });
    const seconds = Number(response.headers.get('retry-after'));
    // An address that has asked too often today would wait until tomorrow.
    if (response.status !== 429 || seconds > 5 || turn === maxTurns) return response;
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  }
}

const searchProblems: Record<number, string> = {
  403: problems[403] as string,
  429: 'No more addresses can be searched for at the moment. Try again later, or type coordinates.',
};

const maxTurns = 12;

let labels: Promise<ReadonlyMap<string, string>> | undefined;

/** The names of technologies. Without them, the API's names are shown: the offers matter more. */
function loadLabels() {
  labels ??= fetch('/tiles.json')
    .then((answer): Promise<TileSets> => answer.json())
    .then(({ sets }) => new Map(sets.map(({ technology, label }) => [technology, label])))
    .catch(() => {
      labels = undefined;
      return new Map();
    });
  return labels;
}

render(<Checker />, document.getElementById('content') as HTMLElement);
