const everyMs = 250;

/**
 * Writes the progress of work to its row without delaying the work.
 * @param advance returns false where the work has ended meanwhile, and `onEnded` is then called
 */
export function progressWriter<P extends { step: string }>(
  advance: (progress: P) => Promise<boolean>,
  onEnded: () => void,
) {
  let writing: Promise<void> | undefined;
  let latest: P | undefined;
  let last: { step: string; at: number } | undefined;
  const write = async () => {
    while (latest) {
      const progress = latest;
      latest = undefined;
      last = { step: progress.step, at: performance.now() };
      // A failure to write progress is ignored: its cause shows in the work itself.
      const unfinished = await advance(progress).catch(() => true);
      if (!unfinished) onEnded();
    }
    writing = undefined;
  };
  return {
    /** Writes a new step at once, and each step a few times a second. */
    soon(progress: P): void {
      if (last?.step === progress.step && performance.now() - last.at < everyMs) return;
      latest = progress;
      writing ??= write();
    },
    async settled(): Promise<void> {
      await writing;
    },
  };
}
