import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { latestOnly } from '../shared/latest.ts';
import { OfferItem } from '../shared/offer-item.tsx';
import { nothingHere, type Offer, offersOf } from '../shared/offers.ts';
import { locate, outsideArea, type Position, parsePosition } from '../shared/position.ts';
import type { TechnologyAvailability, TileSets } from '../shared/schemas.ts';

/* The checker for other sites: /embed?key=...[&lat=...&lng=...][&theme=light|dark]. See docs/user/embed.md. */

const asked = new URLSearchParams(location.search);
const key = asked.get('key') ?? '';
const theme = asked.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
/** The place of a page about one place; then there is no field. */
const given = parsePosition(`${asked.get('lat')}, ${asked.get('lng')}`);

type Shown =
  | { kind: 'nothing' | 'asking' }
  | { kind: 'problem'; sentence: string }
  | { kind: 'offers'; at: Position; offers: Offer[] };

function Checker() {
  const [text, setText] = useState('');
  const [shown, show] = useState<Shown>({ kind: 'nothing' });
  // A location may be found late, and answers overtake each other.
  const [begin] = useState(latestOnly);
  const check = async (find: () => Position | Promise<Position>) => {
    const isLatest = begin();
    show({ kind: 'asking' });
    try {
      const at = await find();
      if (!isLatest()) return;
      setText(`${at.lat}, ${at.lng}`);
      const offers = await lookUp(at);
      if (isLatest()) show({ kind: 'offers', at, offers });
    } catch (error) {
      if (isLatest()) show({ kind: 'problem', sentence: (error as Error).message });
    }
  };
  const checkGiven = () => {
    if (given) void check(() => given);
  };
  useEffect(checkGiven, []);
  return (
    <>
      <h1>What broadband is here?</h1>
      {!given && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void check(() => typed(text));
          }}
        >
          <label for="place">Coordinates</label>
          <input
            id="place"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            placeholder="-36.9027, 174.8076"
            autoComplete="off"
            spellcheck={false}
            enterkeyhint="search"
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
        <a href={`/#at=${at.lat},${at.lng}`} target="_blank" rel="noopener">
          See it on the map
        </a>
      </p>
    </>
  );
}

/** @throws Error with a sentence for the visitor */
function typed(text: string): Position {
  const at = parsePosition(text);
  if (!at) throw new Error('Coordinates look like -36.9027, 174.8076.');
  return at;
}

/** @throws Error with a sentence for the visitor, instead of the API's for programs */
async function lookUp({ lat, lng }: Position): Promise<Offer[]> {
  const asking = [askInTurn(`/api/2.0/availability/${lat}/${lng}`), loadLabels()] as const;
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
