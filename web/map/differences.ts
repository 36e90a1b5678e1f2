import type { Offer } from '../shared/offers.ts';
import { speed } from '../shared/words.ts';

export type Letter = 'A' | 'B';

/** The differences of two places: sentences about both, and the advantages of each offer over the other place. */
export interface Differences {
  sentences: string[];
  /** For each offer of a place, in their order: "Only at A", "Faster than at B". None for an offer that the other place has as well. */
  notes: Record<Letter, string[][]>;
}

/** @param a the offers of a place, as `offersOf` lists them @param b those of another one */
export function differencesOf(a: readonly Offer[], b: readonly Offer[]): Differences {
  const notes = {
    A: a.map((offer) => notesOn(offer, 'A', b, 'B')),
    B: b.map((offer) => notesOn(offer, 'B', a, 'A')),
  };
  if (a.length > 0 && Object.values(notes).flat(2).length === 0)
    return { sentences: ['The same offers at both.'], notes };
  const best = (offers: readonly Offer[], mbps: (offer: Offer) => number) =>
    Math.max(0, ...offers.filter(({ isAvailable }) => isAvailable).map(mbps));
  const [downA, downB] = [best(a, down), best(b, down)];
  const sentences = [
    ...(downA > 0 && downB > 0
      ? [
          fasterSentence('download', downA, downB) ?? `Both have up to ${speed(downA)}.`,
          fasterSentence('upload', best(a, up), best(b, up)),
        ]
      : [availableSentence(downA, downB)]),
    ...technologySentences(a, b),
    ...onlySentences('Providers', providersOf(a), providersOf(b)),
  ];
  return { sentences: sentences.filter((sentence) => sentence !== undefined), notes };
}

const down = (offer: Offer) => offer.bandwidth_max_mbps;
const up = (offer: Offer) => offer.bandwidth_up_max_mbps;

/** Compares speeds as they are shown. */
const isFaster = (one: number, other: number) => one > other && speed(one) !== speed(other);

function notesOn(offer: Offer, here: Letter, others: readonly Offer[], there: Letter): string[] {
  const same = others.find(({ technology, name }) => technology === offer.technology && name === offer.name);
  if (!same) return [`Only at ${here}`];
  const isSooner = offer.isAvailable ? !same.isAvailable : !same.isAvailable && dateOf(offer) < dateOf(same);
  return [
    ...(isSooner ? [`Sooner than at ${there}`] : []),
    ...(isFaster(down(offer), down(same))
      ? [`Faster than at ${there}`]
      : isFaster(up(offer), up(same))
        ? [`Faster upload than at ${there}`]
        : []),
  ];
}

/** In milliseconds; the end of time where no date is planned. */
function dateOf({ planned_date }: Offer): number {
  return planned_date ? new Date(planned_date).getTime() : Number.POSITIVE_INFINITY;
}

function fasterSentence(what: 'download' | 'upload', a: number, b: number): string | undefined {
  const sentence = (letter: Letter, most: number, other: Letter, less: number) =>
    `Faster ${what} at ${letter}: up to ${speed(most)}, and ${speed(less)} at ${other}.`;
  if (isFaster(a, b)) return sentence('A', a, 'B', b);
  return isFaster(b, a) ? sentence('B', b, 'A', a) : undefined;
}

function availableSentence(a: number, b: number): string {
  if (a === 0 && b === 0) return 'Broadband is available at neither of them.';
  return `Broadband is available at ${a > 0 ? 'A' : 'B'} only.`;
}

/** The technologies that only one place has now, and those that only one will have. */
function technologySentences(a: readonly Offer[], b: readonly Offer[]): string[] {
  const technologies = (offers: readonly Offer[], isAvailable: boolean) =>
    new Set(offers.filter((offer) => offer.isAvailable === isAvailable).map(({ technology }) => technology));
  const [nowA, nowB] = [technologies(a, true), technologies(b, true)];
  const [laterA, laterB] = [technologies(a, false), technologies(b, false)];
  const rest = (of: Set<string>, without: Set<string>) => [...of].filter((one) => !without.has(one));
  return [
    ...onlySentences('Available', nowA, nowB),
    ...onlySentences('Planned', new Set(rest(laterA, nowB)), new Set(rest(laterB, nowA))),
  ];
}

function onlySentences(what: string, a: Set<string>, b: Set<string>): string[] {
  const only = (letter: Letter, of: Set<string>, without: Set<string>) => {
    const names = [...of].filter((name) => !without.has(name));
    return names.length > 0 ? [`${what} only at ${letter}: ${names.join(', ')}.`] : [];
  };
  return [...only('A', a, b), ...only('B', b, a)];
}

const providersOf = (offers: readonly Offer[]) => new Set(offers.map(({ name }) => name));
