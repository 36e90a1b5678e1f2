/** What work in the second slot may take: a small file waits no longer than this for the large ones of others. */
export const usualQuickMs = 30_000;
/** How often to look for quick work while there is none. */
const lookEveryMs = 1_000;

/**
 * The two slots of a worker for work of which some takes an hour. The first takes any. The second is for quick work: nobody knows
 * beforehand what is quick, so work that takes longer there is stopped, unless the first is free by then, and begins again in the
 * first. There it is never stopped for others: it would begin from its beginning each time.
 */
export class Slots {
  readonly quickMs: number | undefined;
  /** Whose the first is. */
  first: Slot | undefined;
  /** Called when the first is left, and when work in it begins. */
  onChange = () => {};

  /** @param quickMs undefined where there is one slot only */
  constructor(quickMs: number | undefined) {
    this.quickMs = quickMs;
  }

  /** Takes a slot, the first if it is free. The caller leaves it. */
  enter(): Slot {
    const slot = new Slot(this);
    slot.moveUp();
    return slot;
  }
}

export class Slot {
  readonly #slots: Slots;
  /** Of the work that has begun in it. */
  owner: string | undefined;

  constructor(slots: Slots) {
    this.#slots = slots;
  }

  get isQuick(): boolean {
    return this.#slots.quickMs !== undefined && this.#slots.first !== this;
  }

  /** Whose work is being done in the first slot, where this is the second; undefined until that is known. */
  get other(): string | undefined {
    return this.#slots.first?.owner;
  }

  /** Takes the first slot if it is free. @returns whether this is it now */
  moveUp(): boolean {
    this.#slots.first ??= this;
    return !this.isQuick;
  }

  /** Work begins. @returns its time: the signal is aborted where that is over */
  begin(owner: string): { signal: AbortSignal; end(): void } {
    this.owner = owner;
    if (!this.isQuick) this.#slots.onChange();
    const over = new AbortController();
    const timer = this.isQuick
      ? setTimeout(() => this.moveUp() || over.abort(new Error('this is not quick')), this.#slots.quickMs)
      : undefined;
    return { signal: over.signal, end: () => clearTimeout(timer) };
  }

  leave(): void {
    if (this.#slots.first !== this) return;
    this.#slots.first = undefined;
    this.#slots.onChange();
  }

  /** Waits for a change in the first slot, or for a moment in which quick work may have come. Takes the first if it is free. */
  async wait(stopping: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stopping.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, lookEveryMs);
      stopping.addEventListener('abort', end);
      this.#slots.onChange = end;
    });
    this.moveUp();
  }
}
