import { setTimeout as sleep } from 'node:timers/promises';
import { firstSteps } from '../coverage/attempts.ts';
import { unfinishedStates } from '../coverage/submission-states.ts';
import type { Manifest } from '../coverage/submissions/manifest.ts';
import type { IngestReport } from '../coverage/submissions/report.ts';
import { findSubmission, type Submission } from '../coverage/submissions/submissions.ts';
import { submitLocalFile } from '../coverage/submissions/submit.ts';
import type { Application } from './application.ts';
import type { Step } from './progress.ts';

export type FollowedSubmission = Omit<Submission, 'report'> & { report: IngestReport | null };

/** The interval of reads, for missed notifications. */
const pollMs = 1000;

type File = Parameters<typeof submitLocalFile>[2];

/** Submits a file and follows its submission, as {@link follow} does. */
export async function* submitAndFollow(application: Application, file: File, manifest: Manifest) {
  yield* follow(application, await submit(application, file, manifest));
}

export async function submit({ database, storage, queue }: Application, file: File, manifest: Manifest) {
  const { id } = await submitLocalFile(database, storage, file, manifest);
  for (const step of firstSteps) await queue.send(step, id);
  return id;
}

/** Gives a submission now and after every change, until its work is over. A worker has to be running. */
export async function* follow({ database }: Application, id: string): AsyncGenerator<FollowedSubmission> {
  let changed = new AbortController();
  const stop = await database.listen('submission', (one) => one === id && changed.abort());
  try {
    let last = '';
    for (;;) {
      changed = new AbortController();
      const submission = (await findSubmission(database, id)) as FollowedSubmission;
      const state = JSON.stringify([submission.state, submission.progress, submission.blocking]);
      if (state !== last) yield submission;
      last = state;
      const working = unfinishedStates.includes(submission.state);
      // A dataset that publishes itself is ready only for a moment.
      const publishing =
        submission.state === 'ready' &&
        submission.manifest.publish === 'auto' &&
        !submission.blocking &&
        submission.profile.hasAddress;
      if (!working && !publishing) return;
      await sleep(pollMs, undefined, { signal: changed.signal }).catch(() => undefined);
    }
  } finally {
    await stop();
  }
}

export function stepOf({ state, progress }: FollowedSubmission): Step {
  const rows = progress?.rows_loaded ?? 0;
  return {
    name: state,
    share: progress && progress.bytes_total > 0 ? progress.bytes_read / progress.bytes_total : undefined,
    detail: rows > 0 ? `, ${rows.toLocaleString('en-NZ')} ${rows === 1 ? 'row' : 'rows'}` : '',
  };
}
