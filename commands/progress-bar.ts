import cliProgress from 'cli-progress';
import type { FollowedSubmission } from './submit.ts';

export interface ProgressDisplay {
  show(submission: FollowedSubmission): void;
  stop(): void;
}

/** A bar on a terminal; elsewhere a line for each step. */
export function progressDisplay(title: string): ProgressDisplay {
  return process.stdout.isTTY ? bar(title) : lines(title);
}

function bar(title: string): ProgressDisplay {
  const single = new cliProgress.SingleBar({
    hideCursor: true,
    clearOnComplete: true,
    format: (options, params, payload: { step?: string; rows?: number }) =>
      `${title} ${cliProgress.Format.BarFormat(params.progress, options)} ${payload.step ?? 'waiting'}, ${(payload.rows ?? 0).toLocaleString('en-NZ')} rows`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    barsize: 30,
  });
  single.start(1, 0, {});
  return {
    show({ progress }) {
      if (!progress) return;
      const { bytes_read, bytes_total, step, rows_loaded } = progress;
      single.update(bytes_total > 0 ? Math.min(1, bytes_read / bytes_total) : 0, { step, rows: rows_loaded });
    },
    stop: () => single.stop(),
  };
}

function lines(title: string): ProgressDisplay {
  let last = '';
  return {
    show({ state, progress }) {
      if (state === last) return;
      last = state;
      const count = progress?.rows_loaded ?? 0;
      const rows = count > 0 ? `, ${count.toLocaleString('en-NZ')} ${count === 1 ? 'row' : 'rows'}` : '';
      console.log(`${title}: ${state}${rows}`);
    },
    stop() {},
  };
}
