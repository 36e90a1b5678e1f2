import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Lock, Locker } from '@tus/server';
import type { Database } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';

/** The lifetime of a lease that is not renewed. */
const leaseMs = 15_000;
const renewEveryMs = 5_000;
/** A writer stops this long after its last renewal: the lease covers the seconds that stopping takes. */
const stopAfterMs = 10_000;
const retryMs = 100;
/** An upload that is being sent is kept for this long at least, so that it can be described after its last byte. */
const keptMs = 3_600_000;
/** A request waits this long for the one before it to stop. */
const timeoutMs = 20_000;

/**
 * Lets one request at a time write to an upload, in all processes. A new request stops the old one, whose connection may be lost unnoticed.
 * A writer that cannot renew its lease stops.
 */
export async function openUploadLocks(database: Database): Promise<Locker & { close(): Promise<void> }> {
  /** Stops the requests of this process, by upload. */
  const releases = new Map<string, () => void>();
  const close = await database.listen('upload_wanted', (id) => releases.get(id)?.());
  return { newLock: (id) => lockOf(database, releases, id), close };
}

function lockOf(database: Database, releases: Map<string, () => void>, id: string): Lock {
  const writer = randomUUID();
  let renewing: NodeJS.Timeout | undefined;
  let stopping: NodeJS.Timeout | undefined;
  let stop = () => {};
  const clearTimers = () => {
    clearInterval(renewing);
    clearTimeout(stopping);
  };
  return {
    async lock(signal, release) {
      const giveUpAt = performance.now() + timeoutMs;
      while (!(await takeLease(database, id, writer))) {
        if (signal.aborted || performance.now() > giveUpAt) throw new CovermapError('upload_busy');
        await database.query(sql`select pg_notify('upload_wanted', ${id})`);
        await sleep(retryMs);
      }
      stop = () => {
        clearTimers();
        void release();
      };
      const renew = async () => {
        const renewed = await takeLease(database, id, writer).catch(() => false);
        if (!renewed) stop();
        // Skipped if the request has ended meanwhile.
        else if (releases.get(id) === stop) stopping?.refresh();
      };
      releases.set(id, stop);
      stopping = setTimeout(stop, stopAfterMs);
      renewing = setInterval(renew, renewEveryMs);
    },
    async unlock() {
      clearTimers();
      if (releases.get(id) === stop) releases.delete(id);
      await database.query(sql`
        update upload set writer = null, writer_until = null where id = ${id} and writer = ${writer}`);
    },
  };
}

/** Takes or renews the lease. An upload that is gone needs none: the next step notices. */
async function takeLease(database: Database, id: string, writer: string): Promise<boolean> {
  const { rows } = await database.query<{ taken: boolean }>(sql`
    with taken as (
      update upload set writer = ${writer},
        writer_until = clock_timestamp() + make_interval(secs => ${leaseMs / 1000}),
        expires_at = greatest(expires_at, clock_timestamp() + make_interval(secs => ${keptMs / 1000}))
      where id = ${id} and (writer is null or writer = ${writer} or writer_until < clock_timestamp())
      returning id
    )
    select exists (select from taken) or not exists (select from upload where id = ${id}) as taken`);
  return rows[0]?.taken ?? false;
}
