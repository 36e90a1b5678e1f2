/** A figure of the benchmark, as `npm run bench -- --json` prints it by its name. */
export interface Figure {
  /** The measured value that has an aim. */
  value: number;
  /** The unit of the value: `ratio` (ours to the peer's, or as the aim says), `s`, `processor s`, `MB`. */
  unit: string;
  /** Medians, in `of`. */
  ours: number;
  /** Null without a peer. */
  peer: number | null;
  /** The unit of ours and peer. */
  of: string;
  /** A comparison: `<= 1`. Null where there is none. */
  aim: string | null;
  runs: number;
  /** The smallest and the largest value of the runs. */
  spread: [number, number];
}

/** A value for the elapsed time and for that of all processors: seconds, or an aim. */
export interface Both<T> {
  wall: T;
  processor: T;
}
export type Spent = Both<number>;
export type Aims = Both<string | null>;

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
};

export const number = (value: number, digits = 0) =>
  value.toLocaleString('en-NZ', { maximumFractionDigits: digits, minimumFractionDigits: digits });

/** A figure without a peer. */
export function alone(values: number[], unit: string, aim: string | null = null): Figure {
  return { ...figureOf(values, aim), unit, ours: median(values), peer: null, of: unit };
}

/** The median ratio of adjacent runs of two in turns, as a slow moment slows both. @param inverse the peer's to ours, where more is better */
export function ratio(ours: number[], peer: number[], of: string, aim: string | null, inverse = false) {
  const ratios = ours.map((value, i) =>
    inverse ? (peer[i] as number) / value : value / (peer[i] as number),
  );
  return { ...figureOf(ratios, aim), unit: 'ratio', ours: median(ours), peer: median(peer), of };
}

/** The figures `name` and `name_processor` of some runs. */
export const spentFigures = (name: string, runs: readonly Spent[], aims: Aims): Record<string, Figure> => ({
  [name]: alone(walls(runs), 's', aims.wall),
  [`${name}_processor`]: alone(processors(runs), 'processor s', aims.processor),
});

/** The figures of two that ran in turns. */
export const spentRatios = (
  name: string,
  { ours, peer }: { ours: readonly Spent[]; peer: readonly Spent[] },
  of: string,
  aims: Aims,
): Record<string, Figure> => ({
  [name]: ratio(walls(ours), walls(peer), `s ${of}`, aims.wall),
  [`${name}_processor`]: ratio(processors(ours), processors(peer), `processor s ${of}`, aims.processor),
});

const walls = (runs: readonly Spent[]) => runs.map(({ wall }) => wall);
export const processors = (runs: readonly Spent[]) => runs.map(({ processor }) => processor);

/** Runs both in turns, each first as often as the other. */
export async function inTurns<Ours, Peer>(
  runs: number,
  ours: () => Promise<Ours>,
  peer: () => Promise<Peer>,
) {
  const result = { ours: [] as Ours[], peer: [] as Peer[] };
  for (let run = 0; run < runs; run++) {
    if (run % 2) result.peer.push(await peer());
    result.ours.push(await ours());
    if (run % 2 === 0) result.peer.push(await peer());
  }
  return result;
}

/** True where the value reaches its aim. Undefined without an aim. */
export function reached({ value, aim }: Figure): boolean | undefined {
  if (!aim) return undefined;
  const [comparison, limit] = aim.split(' ');
  return comparison === '<=' ? value <= Number(limit) : value >= Number(limit);
}

export function line(name: string, figure: Figure): string {
  const { value, unit, ours, peer, of, aim, runs, spread } = figure;
  const digits = (one: number) => number(one, Math.abs(one) < 100 ? 2 : 0);
  const beside = peer === null ? '' : `: ${digits(ours)} beside ${digits(peer)} ${of}`;
  const state = { true: ', reached', false: ', NOT reached', undefined: '' }[String(reached(figure))];
  const runsText = runs > 1 ? ` (${runs} runs, ${spread.map(digits).join(' to ')})` : '';
  return `  ${name.padEnd(40)} ${digits(value)} ${unit}${beside}${runsText}${aim ? `; aim ${aim}${state}` : ''}`;
}

function figureOf(values: number[], aim: string | null) {
  const spread: Figure['spread'] = [Math.min(...values), Math.max(...values)];
  return { value: median(values), aim, runs: values.length, spread };
}
