import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import type { Database } from '../../database/database.ts';
import { sql } from '../../database/sql.ts';
import { CovermapError } from '../../errors.ts';

/** A lease that is not renewed ends after this long. */
const leaseMs = 15_000;
const renewEveryMs = 5_000;
/** A writer stops this long after its last renewal: it still has the lease for the seconds that stopping takes. */
const stopAfterMs = 10_000;
const retryMs = 100;
/** How long a request waits for the one before it to stop. */
const timeoutMs = 20_000;

/**
 * Lets one request at a time write to an upload, in all processes. A client may be back before the server has noticed that its
 * connection was lost: its new request asks the old one to stop. A writer that cannot renew its lease stops.
 */
export class UploadLocks implements Locker {
  readonly #database: Database;
  /** Stops the requests of this process, by upload. */
  readonly #releases = new Map<string, () => void>();
  #stopListening: (() => Promise<void>) | undefined;

  private constructor(database: Database) {
    this.#database = database;
  }

  static async open(database: Database): Promise<UploadLocks> {
    const locks = new UploadLocks(database);
    locks.#stopListening = await database.listen('upload_wanted', (id) => locks.#releases.get(id)?.());
    return locks;
  }

  newLock(id: string): Lock {
    const writer = randomUUID();
    let renewing: NodeJS.Timeout | undefined;
    let stopping: NodeJS.Timeout | undefined;
    let stop = () => {};
    return {
      lock: async (signal, release) => {
        const giveUpAt = Date.now() + timeoutMs;
        while (!(await this.#take(id, writer))) {
          if (signal.aborted || Date.now() > giveUpAt) throw new CovermapError('upload_busy');
          await this.#database.query(sql`select pg_notify('upload_wanted', ${id})`);
          await sleep(retryMs);
        }
        stop = () => {
          clearInterval(renewing);
          clearTimeout(stopping);
          void release();
        };
        const stopUnlessRenewed = () => {
          clearTimeout(stopping);
          stopping = setTimeout(stop, stopAfterMs);
        };
        const renew = async () => {
          const renewed = await this.#take(id, writer).catch(() => false);
          if (!renewed) stop();
          // Unless the request has ended meanwhile.
          else if (this.#releases.get(id) === stop) stopUnlessRenewed();
        };
        this.#releases.set(id, stop);
        stopUnlessRenewed();
        renewing = setInterval(() => void renew(), renewEveryMs);
      },
      unlock: async () => {
        clearInterval(renewing);
        clearTimeout(stopping);
        if (this.#releases.get(id) === stop) this.#releases.delete(id);
        await this.#database.query(sql`
          update upload set writer = null, writer_until = null where id = ${id} and writer = ${writer}`);
      },
    };
  }

  async close(): Promise<void> {
    await this.#stopListening?.();
  }

  /** Takes or renews the lease. An upload that is gone needs none: the next step finds that out. */
  async #take(id: string, writer: string): Promise<boolean> {
    const { rows } = await this.#database.query<{ taken: boolean }>(sql`
      with taken as (
        update upload set writer = ${writer},
          writer_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000})
        where id = ${id} and (writer is null or writer = ${writer} or writer_until < clock_timestamp())
        returning id
      )
      select exists (select from taken) or not exists (select from upload where id = ${id}) as taken`);
    return rows[0]?.taken ?? false;
  }
}
