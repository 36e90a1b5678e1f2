import cliProgress from 'cli-progress';

/** Progress of work: `share` between 0 and 1, undefined: unchanged; `detail`: text after the name, such as `, 3 rows`. */
export type Step = { name: string; share?: number | undefined; detail?: string };

type ProgressDisplay = { show(step: Step): void; stop(): void };

/** A bar on a terminal; elsewhere a line for each step. */
export const progressDisplay = (title: string): ProgressDisplay =>
  process.stdout.isTTY ? bar(title) : lines(title);

/** Shows the steps of work until it ends. @returns its last item */
export async function showUntilEnd<T>(
  title: string,
  items: AsyncIterable<T>,
  stepOf: (item: T) => Step | undefined,
): Promise<T> {
  const display = progressDisplay(title);
  let last: T | undefined;
  try {
    for await (const item of items) {
      const step = stepOf(item);
      if (step) display.show(step);
      last = item;
    }
  } finally {
    display.stop();
  }
  if (last === undefined) throw new Error(`${title}: the work ended without an outcome`);
  return last;
}

function bar(title: string): ProgressDisplay {
  const single = new cliProgress.SingleBar({
    hideCursor: true,
    clearOnComplete: true,
    format: (options, params, payload: { text?: string }) =>
      `${title} ${cliProgress.Format.BarFormat(params.progress, options)} ${payload.text ?? 'waiting'}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
  });
  let shown = 0;
  single.start(1, 0, {});
  return {
    show({ name, share = shown, detail = '' }) {
      shown = Math.min(1, share);
      single.update(shown, { text: name + detail });
    },
    stop: () => single.stop(),
  };
}

function lines(title: string): ProgressDisplay {
  let last = '';
  return {
    show({ name, detail = '' }) {
      if (name !== last) console.log(`${title}: ${name}${detail}`);
      last = name;
    },
    stop() {},
  };
}
