import type { Database } from '../../core/database/database.ts';
import { type EmbeddedDatabase, openEmbeddedDatabase } from '../../core/database/embedded/embedded.ts';
import {
  sessionSettings,
  type ThreadOptions,
  type ThreadRequest,
} from '../../core/database/embedded/messages.ts';
import { EmbeddedSession, type Session } from '../../core/database/embedded/session.ts';

/*
 * Opening a database in memory takes seconds of the processor, emptying one a fraction of one: the session that a test closes
 * is kept for the next test of its worker, which begins with the rows of the template again.
 */

/** A migrated database that tests start from. */
export interface EmbeddedTemplate {
  /** Its data directory, as a tar archive. */
  archive: string;
  /** Its {@link schemaMark}. */
  mark: string;
  /** A script that gives any database with its schema its rows. */
  restore: string;
}

/** Describes a database that has just been migrated. */
export async function describeTemplate(database: Database): Promise<Omit<EmbeddedTemplate, 'archive'>> {
  const { rows: tables } = await database.query<{ name: string; columns: string[] }>(`
    select c.oid::regclass::text as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and c.relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace)
      and c.relname <> 'spatial_ref_sys' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    group by c.oid order by c.oid`);
  const statements = [`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`];
  for (const { name, columns } of tables) {
    const { rows } = await database.query<{ row: string }>(
      `select quote_literal(t::text) || '::' || $1 as row from ${name} t`,
      [name],
    );
    for (const { row } of rows) {
      statements.push(
        `insert into ${name} (${columns}) overriding system value
         select ${columns.map((column) => `(r).${column}`)} from (select ${row} as r) t`,
      );
    }
  }
  const { rows: sequences } = await database.query<{ statement: string }>(`
    select format('select setval(%L, %s, %L)', c.oid::regclass, coalesce(s.last_value, s.start_value),
      s.last_value is not null) as statement
    from pg_class c join pg_sequences s on s.schemaname = c.relnamespace::regnamespace::text and s.sequencename = c.relname
    where c.relkind = 'S'`);
  statements.push(...sequences.map(({ statement }) => statement));
  return { mark: await schemaMark(database), restore: statements.join(';\n') };
}

/** A mark that changes with the schema and with the reference systems. */
async function schemaMark(database: Pick<Database, 'query'>): Promise<string> {
  const { rows } = await database.query<{ mark: string }>(markStatement);
  return rows[0]?.mark as string;
}

// Each row of a catalog has the transaction that wrote it. Those of pg_class are also written by `truncate`.
const markStatement = `select md5(concat(${[
  `select string_agg(concat(oid, relname, relkind, reloptions, relacl), ',' order by oid)
   from pg_class where oid >= 16384 and relnamespace in ('public'::regnamespace, 'bullmq'::regnamespace)`,
  ...[
    ...['type', 'proc', 'attrdef', 'trigger', 'constraint', 'rewrite', 'enum', 'authid'],
    ...['extension', 'policy', 'statistic_ext'],
  ].map(
    (name) => `select concat(count(*), sum(hashtextextended(concat(oid, ':', xmin), 0))) from pg_${name}`,
  ),
  `select concat(count(*), sum(hashtextextended(concat(attrelid, ':', attnum, ':', xmin), 0)))
   from pg_attribute where attrelid < 16384 or attrelid in (select oid from pg_class)`,
  "select string_agg(concat(oid, nspname, nspacl), ',' order by oid) from pg_namespace where nspname !~ 'temp'",
  'select concat(count(*), sum(hashtextextended(concat(indexrelid, xmin), 0))) from pg_index',
  'select concat(count(*), sum(hashtextextended(concat(setdatabase, setrole, xmin), 0))) from pg_db_role_setting',
  'select concat(count(*), sum(hashtextextended(concat(srid, xmin), 0))) from spatial_ref_sys',
]
  .map((query) => `(${query}), '/'`)
  .join(', ')})) as mark`;

/** The newest session that nobody holds. One is enough: few tests open two databases at once. */
let kept: Held | undefined;

/** Opens a database like the template, in memory. */
export function openLikeTemplate(template: EmbeddedTemplate): Promise<EmbeddedDatabase> {
  return openEmbeddedDatabase('memory://', {
    template: async () => template.archive,
    openSession: async (options, onNotification, onEnd) => {
      const before = kept;
      kept = undefined;
      const session = (before && (await before.restored(template))) ?? (await Held.open(options));
      return session.handTo(onNotification, onEnd);
    },
  });
}

type OnNotification = (channel: string, payload: string) => void;
type OnEnd = (reason: Error) => void;

/** A session that goes from one holder to the next. */
class Held {
  readonly #session: EmbeddedSession;
  readonly #listening = new Set<string>();
  private holder: { onNotification: OnNotification; onEnd: OnEnd } | undefined;

  private constructor(session: EmbeddedSession) {
    this.#session = session;
  }

  static async open(options: ThreadOptions): Promise<Held> {
    let held: Held | undefined;
    const session = await EmbeddedSession.open(
      options,
      (channel, payload) => held?.holder?.onNotification(channel, payload),
      (reason) => held?.holder?.onEnd(reason),
    );
    held = new Held(session);
    return held;
  }

  handTo(onNotification: OnNotification, onEnd: OnEnd): Session {
    this.holder = { onNotification, onEnd };
    const holder = this.holder;
    const session = this.#session;
    const isOver = () => this.holder !== holder;
    const ask = (request: ThreadRequest) => {
      if (isOver()) return Promise.reject(new Error('The session of this test has ended.'));
      if (request.kind === 'listen') this.#listening.add(request.channel);
      return session.ask(request as { kind: 'dump' });
    };
    return {
      ask: ask as Session['ask'],
      get ended() {
        return isOver() || session.ended;
      },
      exited: session.exited,
      kill: (reason) => session.kill(reason),
      close: async () => {
        if (isOver()) return;
        this.holder = undefined;
        const before = kept;
        kept = session.ended ? undefined : this;
        await before?.end();
      },
    };
  }

  end(): Promise<void> {
    return this.#session.close();
  }

  /** Restores the template's rows. @returns undefined, and closes the session, where that is impossible */
  async restored({ mark, restore }: EmbeddedTemplate): Promise<Held | undefined> {
    try {
      const script = (text: string) => this.#session.ask({ kind: 'script', text });
      await script('rollback');
      for (const channel of this.#listening) await this.#session.ask({ kind: 'unlisten', channel });
      this.#listening.clear();
      await script('discard all');
      await script(sessionSettings);
      const query = async (text: string) => script(text);
      if ((await schemaMark({ query } as unknown as Database)) === mark) {
        // Without triggers: some of them refuse to have their table emptied.
        await script(`set session_replication_role = replica;\n${restore};\nreset session_replication_role`);
        return this;
      }
    } catch {
      // Treated as a session with another schema.
    }
    await this.#session.close().catch(() => undefined);
    return undefined;
  }
}
