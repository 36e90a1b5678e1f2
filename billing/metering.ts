import { randomUUID } from 'node:crypto';
import type { Database } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Logger } from '../platform/logger.ts';
import { applyBatches, reclaim, recordDamage } from './usage-batches.ts';
import type { Batch, Damage, HourCount } from './usage-file.ts';
import { type OrphanedFile, UsageSpool } from './usage-spool.ts';

const flushEveryMs = 400;
/** A batch that the database does not answer for within this time is written to the disk. */
const spoolAfterMs = 250;
const reclaimEveryMs = 60_000;
const closeTimeoutMs = 5_000;
/** The database keeps the numbers of stored batches this long, as a process's file might turn up again. */
const keepSequencesDays = 400;
const hourMs = 3_600_000;

interface MeterOptions {
  /** The folder of batches while the database is away. */
  dataDir: string;
  logger: Logger;
  /** ms since 1970 */
  now?: () => number;
  /** The flush interval; undefined: no flush by itself. */
  everyMs?: number | undefined;
}

/**
 * Counts billable queries in memory. A few times a second the counts become a numbered batch, stored in one transaction with its number,
 * so that a batch sent twice counts once. While the database is away, batches wait on the disk, where another process finds them if this
 * one ends. docs/administrator/billing-operations.md says how many queries can be lost.
 */
export class Meter {
  readonly process = randomUUID();
  readonly #database: Database;
  readonly #spool: UsageSpool;
  readonly #logger: Logger;
  readonly #now: () => number;
  /** Queries by hour and key, and the map of the current hour. */
  #counted = new Map<number, Map<number, number>>();
  #hour = Number.NaN;
  #ofHour = new Map<number, number>();
  #sequence = 0;
  /** Batches that are not known to be stored, oldest first. */
  #pending: Batch[] = [];
  /** The time when each batch was sealed. */
  readonly #sealedAt = new WeakMap<Batch, number>();
  #lastSealed: number;
  /** The number of the last batch that is on the disk. */
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
    this.#lastSealed = now();
    if (everyMs === undefined) return;
    const reclaimAll = () => this.reclaim().catch(this.#warn('orphaned counts could not be reclaimed'));
    this.#timers = [
      setInterval(() => this.#tick(), everyMs),
      setInterval(reclaimAll, reclaimEveryMs),
      setTimeout(reclaimAll, 0),
    ];
  }

  /** A meter that flushes by itself, and reclaims orphaned counts. */
  static start(database: Database, options: Omit<MeterOptions, 'everyMs'>): Meter {
    return new Meter(database, { ...options, everyMs: flushEveryMs });
  }

  /** @param at the time that they count for, in ms since 1970 */
  count(keyId: number, queries = 1, at = this.#now()): void {
    const hour = at - (at % hourMs);
    if (hour !== this.#hour) this.#turnTo(hour);
    this.#ofHour.set(keyId, (this.#ofHour.get(keyId) ?? 0) + queries);
  }

  /** The time of the oldest unstored count, within a flush interval; undefined where all are stored. ms since 1970 */
  get unstoredSince(): number | undefined {
    const [oldest] = this.#pending;
    return oldest ? this.#sealedAt.get(oldest) : this.#counted.size > 0 ? this.#lastSealed : undefined;
  }

  /** Stores all counts so far. Where that is not possible, rejects and loses nothing. */
  async flush(): Promise<void> {
    this.#seal();
    // A flush that is under way may have begun before the last count.
    await this.#sending?.catch(() => undefined);
    if (this.#pending.length > 0) await this.#send();
  }

  /** Stores the batches that ended processes left on the disk. Several processes may do it at once; a damaged file holds up no other. */
  async reclaim(): Promise<void> {
    const old = sql`delete from usage_flush where flushed_at < now() - make_interval(days => ${keepSequencesDays})`;
    await this.#database.query(old).catch(this.#warn('numbers of old batches could not be removed'));
    const message = 'counts on the disk could not be stored, and will be tried again';
    const skipped = (error: unknown, file: string) => this.#logger.warn({ err: error, file }, message);
    for (const orphan of await this.#spool.orphaned(skipped)) {
      await this.#reclaimFile(orphan).catch((error) => skipped(error, orphan.file));
    }
  }

  #warn(message: string): (error: unknown) => void {
    return (error) => this.#logger.warn({ err: error }, message);
  }

  async #reclaimFile(orphan: OrphanedFile): Promise<void> {
    const { file, quarantinePath, process, batches } = orphan;
    let damage: Damage | undefined;
    try {
      damage = await this.#database.transaction((connection) => reclaim(connection, orphan));
    } catch (error) {
      // The key does not exist or a number is too large: a retry would not help.
      if (!/^2[23]/.test((error as { code?: string }).code ?? '')) throw error;
      damage = { reason: `the database refuses them: ${(error as Error).message}`, gaps: [] };
      await recordDamage(this.#database, orphan, damage);
    }
    if (damage) {
      await orphan.quarantine();
      const fields = { file: quarantinePath, process, reason: damage.reason };
      this.#logger.error(fields, 'counts cannot be read and are not billed');
    } else {
      await orphan.remove();
      this.#logger.info({ file, process, batches: batches.length }, 'orphaned counts were reclaimed');
    }
  }

  /** Stores everything, or leaves it on the disk for the next process if the database is away. */
  async close(): Promise<void> {
    this.#stopTimers();
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((_, reject) => {
      timer = setTimeout(() => reject(new Error('the database does not answer')), closeTimeoutMs);
    });
    try {
      await Promise.race([this.flush(), timeout]);
    } catch (error) {
      this.#warn('counts are left on the disk for the next process')(error);
      await this.#spoolPending();
    } finally {
      clearTimeout(timer);
      await this.abandon();
    }
  }

  /** Ends without storing pending batches, as kill -9 would in tests. */
  async abandon(): Promise<void> {
    this.#stopTimers();
    await this.#writing.catch(() => undefined);
    await this.#spool.abandon();
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

  #seal(): void {
    const counts: HourCount[] = [];
    for (const [hour, byKey] of this.#counted) {
      for (const [keyId, queries] of byKey) counts.push({ keyId, hour, queries });
    }
    this.#counted = new Map();
    this.#hour = Number.NaN;
    const since = this.#lastSealed;
    this.#lastSealed = this.#now();
    if (counts.length === 0) return;
    const batch = { sequence: ++this.#sequence, counts };
    this.#sealedAt.set(batch, since);
    this.#pending.push(batch);
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
    if (this.#away) void this.#spoolPending();
    else {
      setTimeout(() => {
        const late = this.#pending.some(({ sequence }) => sequence <= newest);
        if (late && !this.#ended) void this.#spoolPending();
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
        await this.#clearSpool();
      })
      .finally(() => {
        this.#sending = undefined;
      });
    return this.#sending;
  }

  #spoolPending(): Promise<void> {
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

  #clearSpool(): Promise<void> {
    this.#writing = this.#writing.then(async () => {
      if (this.#pending.some(({ sequence }) => sequence <= this.#spooled)) return;
      await this.#spool.clear().catch(() => undefined);
    });
    return this.#writing;
  }
}
