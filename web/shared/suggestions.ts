/** A suggestion for what somebody types. */
export interface Choice {
  key: string;
  text: string;
  /** What it is, where the text alone does not say so. */
  note?: string | undefined;
  /** What it is one of, said above the first of several that follow one another. */
  group?: string | undefined;
}

/** The pause in somebody's typing after which it is asked. */
const pauseMs = 250;
/** Shorter texts are not sent, unless it is said otherwise. */
export const minAskedLength = 3;

export type Suggestions<T> = ReturnType<typeof suggestionsOf<T>>;

/**
 * Asks what a text may mean, as somebody types. An answer counts only while its text is the newest one.
 * @param show gets the answers, undefined for a text that is too short to ask, and errors
 */
export function suggestionsOf<T>(
  ask: (text: string, signal: AbortSignal) => Promise<readonly T[]>,
  show: (found: readonly T[] | undefined, error?: unknown) => void,
  minLength = minAskedLength,
) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest: { text: string; controller: AbortController; answer: Promise<readonly T[]> } | undefined;
  const stop = () => {
    clearTimeout(timer);
    newest?.controller.abort();
    newest = undefined;
  };
  const begin = (text: string) => {
    if (newest?.text === text) return newest.answer;
    stop();
    const controller = new AbortController();
    const mine = { text, controller, answer: ask(text, controller.signal) };
    newest = mine;
    mine.answer.then(
      (found) => {
        if (newest === mine) show(found);
      },
      (error) => {
        if (newest !== mine) return;
        // The same text may be asked again.
        newest = undefined;
        show([], error);
      },
    );
    return mine.answer;
  };
  return {
    /** Asks after a pause. */
    type(typed: string): void {
      const text = typed.trim();
      clearTimeout(timer);
      if (newest?.text === text) return;
      stop();
      if (text.length < minLength) show(undefined);
      else timer = setTimeout(() => begin(text), pauseMs);
    },
    /** The answer for a text, at once. */
    now(typed: string): Promise<readonly T[]> {
      clearTimeout(timer);
      return begin(typed.trim());
    },
    /** Forgets what was asked: an answer that comes later is not shown. */
    stop,
  };
}
