import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';

/** `behind`: too far; `not a replica`: of another database, or promoted to a primary of its own. */
export type ReplicaState = 'ok' | 'behind' | 'unreachable' | 'not a replica';

/** A streaming replica and its fitness for reads. */
export type Replica = Awaited<ReturnType<typeof watchReplica>>;

/** Positions of the primary in memory: an hour of them. */
const maxSamples = 3_600;

const position = (of: string) => `pg_wal_lsn_diff(${of}, '0/0')::float8`;
const identity = '(select system_identifier::text from pg_control_system())';
// A commit that does not wait for the disk (`synchronous_commit = off`) is visible before it is written. Where the next record is to begin a page, it
// is inserted after the page's header, 24 or 40 bytes, which a replica gets with that record.
const primarySql = `select (inserted - case when inserted % 8192 in (24, 40) then inserted % 8192 else 0 end)::float8 as position,
  ${identity} as system, pg_postmaster_start_time()::text as started
  from pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as inserted`;
const replicaSql = `select ${position('case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end')} as position,
  ${identity} as system, pg_postmaster_start_time()::text as started, pg_is_in_recovery() as follows`;

interface ServerState {
  /** The position in the write-ahead log, in bytes. */
  position: number;
  system: string;
  started: string;
}

/**
 * Watches how far a replica is behind: compares the primary's past positions with the replica's current one. So a replica that is cut off counts as
 * behind, which it cannot know itself; one that has replayed everything does not. @param onReplica connections for the checks alone; closed with the
 * watch @param limits the max age of its data, the pause between checks, and the max time of each
 */
export async function watchReplica(
  primary: Database,
  onReplica: Database,
  limits: { maxAgeMs: number; everyMs?: number; timeoutMs?: number },
  logger: Logger,
) {
  const { maxAgeMs, everyMs = 1_000, timeoutMs = 2_000 } = limits;
  const samples: { at: number; position: number }[] = [];
  /** The replica has the primary's data of that time. */
  let freshAt: number | undefined;
  let primaryAway = false;
  let found: ReplicaState = 'unreachable';
  let reported: ReplicaState = 'ok';
  const underWay = new Set<(error: Error) => void>();
  const closed = new AbortController();

  const ageMs = (): number | undefined => {
    if (freshAt === undefined) return undefined;
    // While the primary is away, nothing changes there as far as this process can know.
    const until = primaryAway ? (samples.at(-1)?.at ?? freshAt) : performance.now();
    return until - freshAt;
  };
  const state = (): ReplicaState =>
    found === 'ok' && (ageMs() ?? Number.POSITIVE_INFINITY) > maxAgeMs ? 'behind' : found;
  const within = <T>(asked: Promise<T>): Promise<T | undefined> =>
    Promise.race([asked, sleep(timeoutMs, undefined, { ref: false })]).catch(() => undefined);
  const ask = async <Row extends ServerState>(database: Database, text: string) =>
    (await within(database.query<Row>(text)))?.rows[0];
  const abandon = () => {
    const error = new Error('the replica is away');
    for (const reject of underWay) reject(error);
    underWay.clear();
  };
  const askPrimary = async () => {
    const at = performance.now();
    const reply = await ask<ServerState>(primary, primarySql);
    return reply && { ...reply, at };
  };
  const check = async () => {
    const [here, there] = await Promise.all([
      // Asked twice: a primary that was slow once, or while this process stood still, may still take publications of others.
      askPrimary().then((reply) => reply ?? askPrimary()),
      ask<ServerState & { follows: boolean }>(onReplica, replicaSql),
    ]);
    primaryAway = here === undefined;
    if (here) {
      if (samples.at(-1)?.position === here.position) samples.pop();
      samples.push({ at: here.at, position: here.position });
      if (samples.length > maxSamples) samples.shift();
    }
    if (!there) {
      found = 'unreachable';
      abandon();
    } else if (here && (here.system !== there.system || !(there.follows || here.started === there.started))) {
      found = 'not a replica';
    } else if (here || found !== 'not a replica') {
      found = 'ok';
      const passed = samples.findLastIndex((sample) => sample.position <= there.position);
      if (passed >= 0) freshAt = samples[passed]?.at;
      samples.splice(0, passed);
    }
    tell();
  };
  const tell = () => {
    const now = state();
    if (now === reported) return;
    reported = now;
    const fields = { state: now, age_seconds: ageMs() === undefined ? undefined : Number(ageMs()) / 1000 };
    if (now === 'ok') logger.info(fields, 'lookups read from the replica');
    else logger.warn(fields, 'lookups read from the primary');
  };
  const watch = async () => {
    while (!closed.signal.aborted) {
      await sleep(everyMs, undefined, { ref: false, signal: closed.signal }).catch(() => undefined);
      if (!closed.signal.aborted) await check();
    }
  };

  await check();
  const watching = watch();
  return {
    get state() {
      return state();
    },
    /** The max age of its data; undefined until that is known. */
    get ageSeconds() {
      const age = ageMs();
      return age === undefined ? undefined : age / 1000;
    },
    /** The outcome of a statement on the replica. Rejects as soon as the replica is found to be unreachable. */
    untilLost<T>(statement: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        underWay.add(reject);
        statement.then(resolve, reject).finally(() => underWay.delete(reject));
      });
    },
    /** Records a statement that failed on a server that is away: reads go to the primary until a check reaches the replica. */
    recordFailure(error: unknown) {
      if (found !== 'ok') return;
      found = 'unreachable';
      logger.warn({ err: error }, 'a statement failed on the replica');
      tell();
      abandon();
    },
    async close() {
      closed.abort();
      await watching;
      await Promise.all([primary.close(), onReplica.close()]);
    },
  };
}
