import { beginSpan, isTracing } from '../tracing/tracing.ts';
import type { Connection, Database } from './database.ts';

/** Statements are templates with their values apart, so there are some hundreds of texts. */
const summaries = new Map<string, string>();
const maxSummaries = 2_000;
const maxLength = 8_000;
const maxTables = 3;

/** Makes each statement a step of the traced request or job: with its command and tables, and never its values. */
export function traceStatements<T extends Database>(database: T): T {
  if (!isTracing()) return database;
  // Statements and transactions of their own pass it, too.
  const withConnection = database.withConnection.bind(database);
  database.withConnection = (work) => withConnection((connection) => work(traced(connection)));
  return database;
}

function traced(connection: Connection): Connection {
  return {
    query(statement, values) {
      const { text, name } = typeof statement === 'string' ? { text: statement, name: undefined } : statement;
      return step(name ?? summaryOf(text), () => connection.query(statement, values));
    },
    copyFrom: (target, chunks, limits) =>
      step(`copy ${/^\w*/.exec(target)?.[0]}`, () => connection.copyFrom(target, chunks, limits)),
  };
}

async function step<T>(summary: string, work: () => Promise<T>): Promise<T> {
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  const span = beginSpan(summary, { kind: 'client', attributes });
  if (!span) return work();
  try {
    return await work();
  } catch (error) {
    span.fail(error);
    const { code } = error as { code?: unknown };
    if (typeof code === 'string') span.set({ 'db.response.status_code': code });
    throw error;
  } finally {
    span.end();
  }
}

/** The change of a statement with a `with`, if any. */
const changes = /\b(?:insert(?= into)|merge(?= into)|delete(?= from)|update(?= \w+ (?:\w+ )?set))\b/;
const tables = /\b(?:from|join|into|update) ([a-z_]\w*)(?![\w.(])/g;
/** Words that follow those in other meanings: `on conflict do update set`, `for update of`. */
const noTables = new Set(['set', 'of', 'skip', 'nowait', 'lateral', 'only', 'excluded']);

/** The command of a statement and the first of its tables: `select dataset submission`. */
export function summaryOf(text: string): string {
  let summary = summaries.get(text);
  if (summary === undefined) {
    summary = summarise(text.slice(0, maxLength));
    if (summaries.size < maxSummaries) summaries.set(text, summary);
  }
  return summary;
}

function summarise(text: string): string {
  const plain = text
    .replace(/--[^\n]*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
  const first = /^\w*/.exec(plain)?.[0] || 'statement';
  const command = first === 'with' ? (changes.exec(plain)?.[0] ?? 'select') : first;
  const names = [...plain.matchAll(tables)]
    .map(([, name]) => name as string)
    .filter((name) => !noTables.has(name));
  return [command, ...[...new Set(names)].slice(0, maxTables)].join(' ');
}
