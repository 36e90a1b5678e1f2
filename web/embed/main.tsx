import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Offer, OfferItem, offersOf } from '../shared/offers.tsx';
import { type Position, parsePosition, rounded } from '../shared/position.ts';
import type { MapSettings, TechnologyAvailability } from '../shared/schemas.ts';

/* The checker for other sites: /embed?key=...[&lat=...&lng=...][&theme=light|dark]. See docs/user/embed.md. */

const asked = new URLSearchParams(location.search);
const key = asked.get('key') ?? '';
const theme = asked.get('theme');
if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme;
/** A page about one place gives it: then there is no field. */
const given = parsePosition(`${asked.get('lat')}, ${asked.get('lng')}`);

type Shown =
  | { kind: 'nothing' | 'asking' }
  | { kind: 'problem'; sentence: string }
  | { kind: 'offers'; at: Position; offers: Offer[] };

/** Shows the outcome of a question, unless another one was asked since. @returns true if it is shown */
type Tell = (now: Shown) => boolean;

function Checker() {
  const [shown, show] = useState<Shown>({ kind: 'nothing' });
  const questions = useRef(0);
  // A location may be found late, and answers overtake each other.
  const ask = (): Tell => {
    questions.current += 1;
    const mine = questions.current;
    return (now) => {
      if (mine === questions.current) show(now);
      return mine === questions.current;
    };
  };
  const check = async (at: Position, tell: Tell) => {
    tell({ kind: 'asking' });
    tell(await lookUp(at));
  };
  useEffect(() => {
    if (given) void check(given, ask());
  }, []);
  return (
    <>
      <h1>What broadband is here?</h1>
      {!given && <PlaceForm ask={ask} onPlace={check} />}
      <div role="status">
        <Result of={shown} />
      </div>
    </>
  );
}

type PlaceFormProps = { ask(): Tell; onPlace(at: Position, tell: Tell): void };

function PlaceForm({ ask, onPlace }: PlaceFormProps) {
  const [text, setText] = useState('');
  const locate = () => {
    const tell = ask();
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        if (!tell({ kind: 'asking' })) return;
        const at = rounded({ lat: coords.latitude, lng: coords.longitude });
        setText(`${at.lat}, ${at.lng}`);
        onPlace(at, tell);
      },
      () =>
        tell({
          kind: 'problem',
          sentence: 'Your location could not be found. Type coordinates instead.',
        }),
      { enableHighAccuracy: true, timeout: 20_000 },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const tell = ask();
        const at = parsePosition(text);
        if (at) onPlace(at, tell);
        else tell({ kind: 'problem', sentence: 'Coordinates look like -36.9027, 174.8076.' });
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
      <button type="button" onClick={locate}>
        Use my location
      </button>
    </form>
  );
}

function Result({ of: shown }: { of: Shown }) {
  if (shown.kind === 'problem') return <p>{shown.sentence}</p>;
  if (shown.kind !== 'offers') return shown.kind === 'asking' ? <p>Looking …</p> : null;
  const { at, offers } = shown;
  return (
    <>
      {offers.length === 0 && <p>No operator reports broadband here.</p>}
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

async function lookUp(at: Position): Promise<Shown> {
  try {
    const [response, settings] = await Promise.all([
      fetch(`/api/2.0/availability/${at.lat}/${at.lng}`, { headers: { 'x-api-key': key } }),
      fetch('/api/map/settings').then((answer): Promise<MapSettings> => answer.json()),
    ]);
    const body: { results: TechnologyAvailability[]; message: string } = await response.json();
    if (!response.ok) return { kind: 'problem', sentence: problems[response.status] ?? body.message };
    const labels = new Map(settings.technologies.map(({ name, label }) => [name, label]));
    return { kind: 'offers', at, offers: offersOf(body.results, labels) };
  } catch {
    return { kind: 'problem', sentence: 'The server cannot be reached. Try again later.' };
  }
}

/** Sentences for visitors instead of the API's for programs. */
const problems: Record<number, string> = {
  400: 'These coordinates are outside the area that this map covers.',
  403: 'This page may not ask at the moment. Its owner can see why.',
  500: 'The answer could not be found. Try again later.',
};

render(<Checker />, document.getElementById('content') as HTMLElement);
