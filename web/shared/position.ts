import { distance } from '@turf/distance';
import type { MapSettings } from './schemas.ts';

/** In degrees, WGS 84. */
export type Position = { lat: number; lng: number };

export type Area = MapSettings['service_area'];

/** Rounds to the decimals that a map shows: the sixth is a hand's width. */
export function rounded({ lat, lng }: Position): Position {
  return { lat: Number(lat.toFixed(6)), lng: Number(lng.toFixed(6)) };
}

export function isWithin({ lat, lng }: Position, { south, west, north, east }: Area): boolean {
  return lat >= south && lat <= north && lng >= west && lng <= east;
}

export const outsideArea = 'That is outside the area which this map covers.';

/** The device's position. @throws Error with a sentence for whoever asked */
export async function locate(): Promise<Position> {
  return new Promise((resolve, reject) =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(rounded({ lat: coords.latitude, lng: coords.longitude })),
      ({ code, PERMISSION_DENIED }) => {
        const reason =
          code === PERMISSION_DENIED
            ? 'The browser may not share your location.'
            : 'Your location could not be found.';
        reject(new Error(`${reason} Type coordinates instead.`));
      },
      { enableHighAccuracy: true, timeout: 20_000, maximumAge: 60_000 },
    ),
  );
}

/** Along the surface of a sphere: within half a percent. */
const metresBetween = (a: Position, b: Position): number =>
  distance([a.lng, a.lat], [b.lng, b.lat], { units: 'metres' });

/** The nearest of some places, and its distance; undefined where there are none. */
export function nearestOf<P extends Position>(places: readonly P[], at: Position) {
  let best: { place: P; metres: number } | undefined;
  for (const place of places) {
    const metres = metresBetween(at, place);
    if (!best || metres < best.metres) best = { place, metres };
  }
  return best;
}

/**
 * Parses a position: `-36.9027, 174.8076`, `36.9027 S 174.8076 E`, `36°54'9.7"S 174°48'27.3"E`, `S36 54.162' E174 48.455'`.
 * The latitude comes first, unless letters or the size of the numbers say otherwise.
 */
export function parsePosition(text: string): Position | undefined {
  const sixtieths = String.raw`([0-5]?\d(?:\.\d+)?)`;
  // No two repetitions are adjacent, so there is one way to match even a long text.
  const parts = `(?: ?° ?| )(?:${sixtieths} ?' ?)?(?:${sixtieths} ?" ?)?`;
  const angle = String.raw`([-+]?\d+(?:\.\d+)?)(?:${parts})?([NSEW])?`;
  const match = new RegExp(`^${angle} ?[,; ] ?${angle}$`, 'i').exec(inPlainMarks(text));
  if (!match) return undefined;
  const [first, second] = [angleOf(match.slice(1, 5)), angleOf(match.slice(5, 9))];
  const isSwapped = /[EW]/i.test(match[4] ?? '') || /[NS]/i.test(match[8] ?? '') || Math.abs(first) > 90;
  const [lat, lng] = isSwapped ? [second, first] : [first, second];
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : undefined;
}

/** Telephones write curly marks, some programs two single marks for seconds, and the letters first. */
const inPlainMarks = (text: string) =>
  text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/[−–]/g, '-')
    .replace(/º/g, '°')
    .replace(/[′’‘]/g, "'")
    .replace(/[″”“]|''/g, '"')
    .replace(/^([NSEW]) ?([^NSEW]{1,40}?)[,; ]{1,3}([NSEW]) ?(.*)$/i, '$2$1 $4$3');

function angleOf([degrees = '', minutes = '0', seconds = '0', letter = '']: (string | undefined)[]): number {
  const size = Math.abs(Number(degrees)) + Number(minutes) / 60 + Number(seconds) / 3600;
  const isNegative = degrees.startsWith('-') || /[SW]/i.test(letter);
  return Number((isNegative ? -size : size).toFixed(7));
}
