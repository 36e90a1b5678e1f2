import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { threadFile } from '../../platform/programs.ts';
import type { Paper } from './paper.ts';

/** For a paper of thousands of lines on a busy machine. */
const timeoutMs = 60_000;

/** By the number of the paper; a receipt by its payment's entry, a statement by the e-mail that it went with. */
export type KeptKind = 'invoice' | 'credit_note' | 'receipt' | 'statement';

/** A paper's PDF: as it was first printed, or printed now and kept. Two processes that print at once give the bytes of the first. */
export async function keptPdf(
  db: Queryable,
  kind: KeptKind,
  number: number,
  paper: () => Paper | Promise<Paper>,
): Promise<Buffer> {
  const kept = await find(db, kind, number);
  if (kept) return kept;
  const bytes = await printPdf(await paper());
  await db.query(sql`
    insert into paper (kind, number, bytes) values (${kind}, ${number}, ${bytes}) on conflict do nothing`);
  return (await find(db, kind, number)) as Buffer;
}

async function find(db: Queryable, kind: KeptKind, number: number): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ bytes: Uint8Array }>(sql`
    select bytes from paper where kind = ${kind} and number = ${number}`);
  return rows[0] && Buffer.from(rows[0].bytes);
}

/** The end of the print before: a process prints one paper at a time. */
let before: Promise<unknown> = Promise.resolve();

/** Writes a paper as PDF, in a thread. */
export function printPdf(paper: Paper): Promise<Buffer> {
  const printed = before.then(() => inThread(paper));
  before = printed.catch(() => undefined);
  return printed;
}

async function inThread(paper: Paper): Promise<Buffer> {
  const thread = new Worker(threadFile('paper'), { execArgv: [], workerData: paper });
  try {
    const [bytes] = await once(thread, 'message', { signal: AbortSignal.timeout(timeoutMs) });
    return Buffer.from(bytes as Uint8Array);
  } finally {
    await thread.terminate();
  }
}
