import cliProgress from 'cli-progress';
import type { ImportProgress } from '../core/registry/import.ts';

export interface ImportDisplay {
  show(progress: ImportProgress): void;
  stop(): void;
}

/** A bar on a terminal, half of it for reading and half for applying; elsewhere a line for each step. */
export function importDisplay(title: string): ImportDisplay {
  return process.stdout.isTTY ? bar(title) : lines(title);
}

function bar(title: string): ImportDisplay {
  const single = new cliProgress.SingleBar({
    hideCursor: true,
    clearOnComplete: true,
    format: (options, params, payload: { step?: string }) =>
      `${title} ${cliProgress.Format.BarFormat(params.progress, options)} ${payload.step ?? 'waiting'}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
  });
  single.start(1, 0, {});
  return {
    show({ step, done, total }) {
      const part = total > 0 ? Math.min(1, done / total) : 1;
      single.update(step === 'reading' ? part / 2 : 0.5 + part / 2, { step });
    },
    stop: () => single.stop(),
  };
}

function lines(title: string): ImportDisplay {
  let last = '';
  return {
    show({ step }) {
      if (step !== last) console.log(`${title}: ${step}`);
      last = step;
    },
    stop() {},
  };
}
