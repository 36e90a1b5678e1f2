import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Database } from './database.ts';

/** `behind`: further than it may be; `not a replica`: of another database, or promoted to a primary of its own. */
export type ReplicaState = 'ok' | 'behind' | 'unreachable' | 'not a replica';

/** Whether a streaming replica may be read from. */
export type Replica = Awaited<ReturnType<typeof watchReplica>>;

/** Positions of the primary to remember: of an hour. */
const maxSamples = 3_600;

const position = (of: string) => `pg_wal_lsn_diff(${of}, '0/0')::float8`;
const identity = '(select system_identifier::text from pg_control_system())';
const primarySql = `select ${position('pg_current_wal_lsn()')} as position, ${identity} as system,
  pg_postmaster_start_time()::text as started`;
const replicaSql = `select ${position('case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end')} as position,
  ${identity} as system, pg_postmaster_start_time()::text as started, pg_is_in_recovery() as follows`;

interface Seen {
  /** In the log of what was written, in bytes. */
  position: number;
  system: string;
  started: string;
}

/**
 * Watches how far a replica is behind: where the primary was at which time is compared with where the replica is now. So one that is cut off counts as
 * behind, which it could not tell itself, and one that has replayed all that there is does not.
 * @param primary @param copy connections for the checks alone; closed with the watch
 * @param limits how old what it has may be, how long after a check the next one begins, and how long each may take
 */
export async function watchReplica(
  primary: Database,
  copy: Database,
  limits: { maxAgeMs: number; everyMs?: number; timeoutMs?: number },
  logger: Logger,
) {
  const { maxAgeMs, everyMs = 1_000, timeoutMs = 2_000 } = limits;
  const samples: { at: number; position: number }[] = [];
  /** What the primary had at that time, the replica has, too. */
  let freshAt: number | undefined;
  let primaryAway = false;
  let found: ReplicaState = 'unreachable';
  let told: ReplicaState = 'ok';
  const underWay = new Set<(error: Error) => void>();
  const closed = new AbortController();

  const ageMs = (): number | undefined => {
    if (freshAt === undefined) return undefined;
    // While the primary is away nothing changes there, as far as anybody here can know.
    const until = primaryAway ? (samples.at(-1)?.at ?? freshAt) : performance.now();
    return until - freshAt;
  };
  const state = (): ReplicaState =>
    found === 'ok' && (ageMs() ?? Number.POSITIVE_INFINITY) > maxAgeMs ? 'behind' : found;
  const within = <T>(asked: Promise<T>): Promise<T | undefined> =>
    Promise.race([asked, sleep(timeoutMs, undefined, { ref: false })]).catch(() => undefined);
  const ask = async <Row extends Seen>(database: Database, text: string) =>
    (await within(database.query<Row>(text)))?.rows[0];
  const abandon = () => {
    const error = new Error('the replica is away');
    for (const reject of underWay) reject(error);
    underWay.clear();
  };
  const check = async () => {
    const at = performance.now();
    const [here, there] = await Promise.all([
      ask<Seen>(primary, primarySql),
      ask<Seen & { follows: boolean }>(copy, replicaSql),
    ]);
    primaryAway = here === undefined;
    if (here) {
      if (samples.at(-1)?.position === here.position) samples.pop();
      samples.push({ at, position: here.position });
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
    if (now === told) return;
    told = now;
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
    /** How old at most what it has is; undefined until that is known. */
    get ageSeconds() {
      const age = ageMs();
      return age === undefined ? undefined : age / 1000;
    },
    /** The outcome of a statement on the replica. It rejects as soon as the replica is found to be unreachable. */
    untilLost<T>(statement: Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        underWay.add(reject);
        statement.then(resolve, reject).finally(() => underWay.delete(reject));
      });
    },
    /** Says that a statement has failed as on a server that is away: it is not read from until a check finds it. */
    lost(error: unknown) {
      if (found !== 'ok') return;
      found = 'unreachable';
      logger.warn({ err: error }, 'a statement failed on the replica');
      tell();
      abandon();
    },
    async close() {
      closed.abort();
      await watching;
      await Promise.all([primary.close(), copy.close()]);
    },
  };
}
