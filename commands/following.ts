import { setTimeout as sleep } from 'node:timers/promises';

const lookEveryMs = 150;

/** Yields the latest progress of some work from time to time, and its outcome at the end. */
export async function* following<Progress, Outcome>(
  work: (onProgress: (progress: Progress) => void) => Promise<Outcome>,
): AsyncGenerator<{ progress: Progress } | { outcome: Outcome }> {
  let latest: Progress | undefined;
  const done = work((progress) => {
    latest = progress;
  });
  const ended = done.then(
    () => true,
    () => true,
  );
  while (!(await Promise.race([ended, sleep(lookEveryMs, false)]))) {
    if (latest) yield { progress: latest };
    latest = undefined;
  }
  yield { outcome: await done };
}
