import { randomUUID } from 'node:crypto';
import os from 'node:os';
import type { Connection, Database, Queryable } from '../database/database.ts';
import type { Logger } from '../logger.ts';
import { type Batch, type Damage, type HourCount, type OrphanedFile, UsageSpool } from './usage-spool.ts';

/** How often what was counted is brought into the database. ms */
const flushEveryMs = 400;
/** After this long without the database's answer a batch is written to the disk. ms */
const spoolAfterMs = 250;
/** How often it is looked for what other processes have left behind. ms */
const takeOverEveryMs = 60_000;
/** How long a stop waits for the database. ms */
const closeWithinMs = 5_000;
/** For so long it is known what a process has brought in: its file might turn up again. Days */
const forgetDays = 400;
const hourMs = 3_600_000;

export interface MeterOptions {
  /** Where batches are kept while the database is away. */
  dataDir: string;
  logger: Logger;
  /** The clock, in milliseconds since 1970. */
  now?: () => number;
  /** Undefined: it is flushed by calls of `flush` only. */
  everyMs?: number | undefined;
}

/**
 * Counts billable queries. Counting adds to a map in memory and waits for nothing; a few times a second the map becomes a
 * batch with a number, which goes to the database in one transaction together with that number. So a batch that is sent
 * again, as nobody knows what became of it, is not counted again; and what cannot be brought in is kept on the disk, from
 * where another process brings it in should this one be gone. docs/billing.md has the bound.
 */
export class Meter {
  /** Under which the batches of this meter are known. */
  readonly process = randomUUID();
  readonly #database: Database;
  readonly #spool: UsageSpool;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Queries of the hour by key; the hours are those of `#hour`, and a map for each where the clock has gone on. */
  #counted = new Map<number, Map<number, number>>();
  #hour = Number.NaN;
  #ofHour = new Map<number, number>();
  #sequence = 0;
  /** Batches that are not known to be in the database, oldest first. */
  #pending: Batch[] = [];
  /** The last of them that is on the disk. */
  #spooled = 0;
  #sending: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #timers: NodeJS.Timeout[] = [];
  #away = false;
  #ended = false;

  constructor(database: Database, { dataDir, logger, now = Date.now, everyMs }: MeterOptions) {
    this.#database = database;
    this.#spool = new UsageSpool(dataDir, this.process);
    this.#logger = logger;
    this.#now = now;
    if (everyMs === undefined) return;
    const takeOver = () =>
      this.takeOver().catch((error) => logger.warn({ err: error }, 'counts are left behind'));
    this.#timers = [
      setInterval(() => this.#tick(), everyMs),
      setInterval(takeOver, takeOverEveryMs),
      setTimeout(takeOver, 0),
    ];
  }

  /** A meter that flushes by itself, and brings in what processes before it have left behind. */
  static start(database: Database, options: Omit<MeterOptions, 'everyMs'>): Meter {
    return new Meter(database, { ...options, everyMs: flushEveryMs });
  }

  /** Counts billable queries of a key, at this moment. */
  count(keyId: number, queries = 1): void {
    const now = this.#now();
    const hour = now - (now % hourMs);
    if (hour !== this.#hour) this.#turnTo(hour);
    this.#ofHour.set(keyId, (this.#ofHour.get(keyId) ?? 0) + queries);
  }

  /** Brings in what was counted so far. Rejects where that is not possible now; nothing is lost then. */
  async flush(): Promise<void> {
    this.#seal();
    // What is under way may have begun before.
    await this.#sending?.catch(() => undefined);
    if (this.#pending.length > 0) await this.#send();
  }

  /**
   * Brings in what processes that have ended left on the disk. Any number of processes may do it at once, and one file that
   * is no good keeps no other back.
   */
  async takeOver(): Promise<void> {
    await this.#forget().catch((error) =>
      this.#logger.warn({ err: error }, 'numbers of old batches could not be removed'),
    );
    const skipped = (error: unknown, file: string) =>
      this.#logger.warn(
        { err: error, file },
        'counts on the disk could not be brought in, and will be tried again',
      );
    for (const orphan of await this.#spool.orphaned(skipped)) {
      await this.#bringIn(orphan).catch((error) => skipped(error, orphan.file));
    }
  }

  async #forget(): Promise<void> {
    await this.#database.query(
      'delete from usage_flush where flushed_at < now() - make_interval(days => $1)',
      [forgetDays],
    );
  }

  async #bringIn(orphan: OrphanedFile): Promise<void> {
    const { file, asideAs, process, batches } = orphan;
    let damage: Damage | undefined;
    try {
      damage = await this.#database.transaction((connection) => reclaim(connection, orphan));
    } catch (error) {
      // A key that is not there, or a number that is too large: it would be so for ever.
      if (!/^2[23]/.test((error as { code?: string }).code ?? '')) throw error;
      damage = { reason: `the database refuses them: ${(error as Error).message}`, gaps: [] };
      await noteDamage(this.#database, orphan, damage);
    }
    if (damage) {
      await orphan.setAside();
      this.#logger.error(
        { file: asideAs, process, reason: damage.reason },
        'counts cannot be read and are not billed',
      );
    } else {
      await orphan.remove();
      this.#logger.info(
        { file, process, batches: batches.length },
        'counts of a process that has ended were brought in',
      );
    }
  }

  /** Brings everything in, or leaves it on the disk for the next process where the database is away. */
  async close(): Promise<void> {
    this.#stopTimers();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the database does not answer')), closeWithinMs);
    });
    try {
      await Promise.race([this.flush(), patience]);
    } catch (error) {
      this.#logger.warn({ err: error }, 'counts are left on the disk for the next process');
      await this.#writeDown();
    } finally {
      clearTimeout(timer);
      await this.#writing.catch(() => undefined);
      await this.#spool.leave();
    }
  }

  /** Ends it as kill -9 would: for tests. */
  async abandon(): Promise<void> {
    this.#stopTimers();
    await this.#writing.catch(() => undefined);
    await this.#spool.leave();
  }

  #stopTimers(): void {
    this.#ended = true;
    for (const timer of this.#timers.splice(0)) clearTimeout(timer);
  }

  #turnTo(hour: number): void {
    this.#hour = hour;
    this.#ofHour = this.#counted.get(hour) ?? new Map();
    this.#counted.set(hour, this.#ofHour);
  }

  /** Makes a batch of what was counted since the last. */
  #seal(): void {
    const counts: HourCount[] = [];
    for (const [hour, byKey] of this.#counted) {
      for (const [keyId, queries] of byKey) counts.push({ keyId, hour, queries });
    }
    this.#counted = new Map();
    this.#hour = Number.NaN;
    if (counts.length > 0) this.#pending.push({ sequence: ++this.#sequence, counts });
  }

  #tick(): void {
    this.#seal();
    if (this.#pending.length === 0) return;
    if (!this.#sending) {
      this.#send().catch((error) => {
        if (!this.#away) this.#logger.warn({ err: error }, 'counts are kept until the database is back');
        this.#away = true;
      });
    }
    const newest = this.#sequence;
    // The database is known to be away, or has had its time.
    if (this.#away) void this.#writeDown();
    else {
      setTimeout(() => {
        const late = this.#pending.some(({ sequence }) => sequence <= newest);
        if (late && !this.#ended) void this.#writeDown();
      }, spoolAfterMs);
    }
  }

  #send(): Promise<void> {
    const batches = [...this.#pending];
    this.#sending = applyBatches(this.#database, this.process, batches)
      .then(async () => {
        const last = batches.at(-1)?.sequence ?? 0;
        this.#pending = this.#pending.filter(({ sequence }) => sequence > last);
        if (this.#away) this.#logger.info('counts that were kept are in the database');
        this.#away = false;
        await this.#tidy();
      })
      .finally(() => {
        this.#sending = undefined;
      });
    return this.#sending;
  }

  /** Writes what is pending to the disk, as far as it is not there. */
  #writeDown(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      const batches = this.#pending.filter(({ sequence }) => sequence > this.#spooled);
      if (batches.length === 0) return;
      try {
        await this.#spool.add(batches);
        this.#spooled = (batches.at(-1) as Batch).sequence;
      } catch (error) {
        this.#logger.error({ err: error }, 'counts cannot be written to the disk');
      }
    });
    return this.#writing;
  }

  /** Removes the file once all that is in it has been brought in. */
  #tidy(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      if (this.#pending.some(({ sequence }) => sequence <= this.#spooled)) return;
      await this.#spool.clear().catch(() => undefined);
    });
    return this.#writing;
  }
}

/** Sums of batches by key and hour. */
function sum(batches: readonly Batch[]): HourCount[] {
  const sums = new Map<string, HourCount>();
  for (const { counts } of batches) {
    for (const { keyId, hour, queries } of counts) {
      const known = sums.get(`${keyId} ${hour}`);
      if (known) known.queries += queries;
      else sums.set(`${keyId} ${hour}`, { keyId, hour, queries });
    }
  }
  // In one order, so that two processes never wait for each other's rows.
  return [...sums.values()].sort((a, b) => a.keyId - b.keyId || a.hour - b.hour);
}

/**
 * Brings batches of a process in: those of them that are not in yet, in one transaction with the number of the last.
 * @param batches in the order of their numbers
 */
export async function applyBatches(
  database: Database,
  process: string,
  batches: readonly Batch[],
): Promise<void> {
  if (batches.length === 0) return;
  await database.transaction((connection) => applyWithin(connection, process, batches));
}

/** {@link applyBatches} within a transaction. @returns the number of the last batch that was in before */
async function applyWithin(
  connection: Connection,
  process: string,
  batches: readonly Batch[],
): Promise<number> {
  // Whoever else brings in batches of the same process waits here.
  await connection.query(
    'insert into usage_flush (process, sequence) values ($1, 0) on conflict (process) do nothing',
    [process],
  );
  const { rows } = await connection.query<{ sequence: number }>(
    'select sequence from usage_flush where process = $1 for update',
    [process],
  );
  const applied = rows[0]?.sequence ?? 0;
  const fresh = batches.filter(({ sequence }) => sequence > applied);
  const counts = sum(fresh);
  if (counts.length === 0) return applied;
  await connection.query(
    `insert into usage_hour as u (key_id, hour, queries)
     select key_id, to_timestamp(hour / 1000.0), queries
     from unnest($1::integer[], $2::bigint[], $3::bigint[]) as counted (key_id, hour, queries)
     on conflict (key_id, hour) do update set queries = u.queries + excluded.queries`,
    [counts.map(({ keyId }) => keyId), counts.map(({ hour }) => hour), counts.map(({ queries }) => queries)],
  );
  await connection.query(
    'update usage_flush set sequence = $2, flushed_at = clock_timestamp() where process = $1',
    [process, fresh.at(-1)?.sequence],
  );
  return applied;
}

/**
 * Brings in what can be read of a file, and notes what cannot, so that the two are never apart.
 * @returns what is lost; undefined where nothing is, as all that is damaged was in before
 */
async function reclaim(connection: Connection, orphan: OrphanedFile): Promise<Damage | undefined> {
  const { process, batches, damage } = orphan;
  const applied = process === undefined ? 0 : await applyWithin(connection, process, batches);
  if (!damage) return undefined;
  // Batches come in by their numbers: where the next one was in, the damaged ones before it were, too.
  const isLost = damage.gaps.length === 0 || damage.gaps.some(({ before }) => applied < before - 1);
  if (isLost) await noteDamage(connection, orphan, damage);
  // Another process may have noted it and ended before it could move the file.
  return isLost || (await isNoted(connection, orphan)) ? damage : undefined;
}

async function noteDamage(
  db: Queryable,
  { asideAs, process }: OrphanedFile,
  { reason }: Damage,
): Promise<void> {
  await db.query(
    'insert into usage_damage (host, file, process, reason) values ($1, $2, $3, $4) on conflict (host, file) do nothing',
    [os.hostname(), asideAs, process ?? null, reason],
  );
}

async function isNoted(db: Queryable, { asideAs }: OrphanedFile): Promise<boolean> {
  const { rows } = await db.query('select from usage_damage where host = $1 and file = $2', [
    os.hostname(),
    asideAs,
  ]);
  return rows.length > 0;
}
