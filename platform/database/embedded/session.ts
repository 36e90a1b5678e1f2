import v8 from 'node:v8';
import { Worker } from 'node:worker_threads';
import { threadFile } from '../../programs.ts';
import type { ThreadMessage, ThreadOptions, ThreadRequest, ThreadResult } from './messages.ts';

// Opening is mostly code that runs once: validating all 28 MB of WebAssembly first, and optimising early, would take a sixth of a start.
for (const flag of ['--wasm-lazy-validation', '--wasm-tiering-budget=30000000']) v8.setFlagsFromString(flag);

interface Pending {
  resolve: (result: ThreadResult | Blob | undefined) => void;
  reject: (error: unknown) => void;
}

/** The one session of an embedded database, in a thread of its own. It stays ended after the thread was killed or has crashed. */
export class EmbeddedSession {
  readonly #thread: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #onNotification: (channel: string, payload: string) => void;
  #lastId = 0;
  #end: Error | undefined;
  #closing = false;
  readonly exited: Promise<void>;

  private constructor(thread: Worker, onNotification: (channel: string, payload: string) => void) {
    this.#thread = thread;
    this.#onNotification = onNotification;
    this.exited = new Promise((resolve) => {
      thread.once('exit', () => {
        this.#fail(crashed('ended by itself'));
        resolve();
      });
    });
    thread.on('message', (message: ThreadMessage) => this.#take(message));
    thread.on('error', (error) => this.#fail(crashed(error.message)));
    // Only work under way keeps the process alive.
    thread.unref();
  }

  /** Opens the database, or makes it where there is none. @param onEnd called once where the thread ends before {@link close} */
  static async open(
    options: ThreadOptions,
    onNotification: (channel: string, payload: string) => void,
    onEnd: (reason: Error) => void,
  ): Promise<EmbeddedSession> {
    const thread = new Worker(threadFile('database'), {
      workerData: options,
      // This process's options are for its own entry.
      execArgv: [],
    });
    await new Promise<void>((resolve, reject) => {
      thread.once('message', () => {
        thread.off('error', reject);
        resolve();
      });
      thread.once('error', reject);
    });
    const session = new EmbeddedSession(thread, onNotification);
    session.exited.then(() => {
      if (session.#end && !session.#closing) onEnd(session.#end);
    });
    return session;
  }

  get ended(): boolean {
    return this.#end !== undefined;
  }

  /** Rejects with PostgreSQL's error (`code`, `constraint`, ...), or with the error that ended the thread. */
  ask(request: Exclude<ThreadRequest, { kind: 'dump' }>): Promise<ThreadResult>;
  ask(request: { kind: 'dump' }): Promise<Blob>;
  ask(request: ThreadRequest): Promise<ThreadResult | Blob | undefined> {
    if (this.#end) return Promise.reject(this.#end);
    const id = ++this.#lastId;
    if (this.#pending.size === 0) this.#thread.ref();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#thread.postMessage({ id, request });
    });
  }

  /** Ends the thread at once, as a crash would: the next one recovers from the log of changes. */
  async kill(reason: Error): Promise<void> {
    this.#fail(reason);
    await this.#thread.terminate();
    await this.exited;
  }

  async close(): Promise<void> {
    if (this.#end) return;
    this.#closing = true;
    await this.ask({ kind: 'close' });
    await this.#thread.terminate();
    await this.exited;
  }

  #take(message: ThreadMessage): void {
    if (message.type === 'opened') return;
    if (message.type === 'notification') {
      this.#onNotification(message.channel, message.payload);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (this.#pending.size === 0) this.#thread.unref();
    if (message.type === 'answer') pending?.resolve(message.result);
    else pending?.reject(Object.assign(new Error(message.error.message), message.error.fields));
  }

  #fail(reason: Error): void {
    this.#end ??= reason;
    for (const { reject } of this.#pending.values()) reject(this.#end);
    this.#pending.clear();
  }
}

/** SQLSTATE 57P02, crash_shutdown, as from a server. */
const crashed = (what: string): Error =>
  Object.assign(new Error(`The embedded database crashed: ${what}`), { code: '57P02' });
