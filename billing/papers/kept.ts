import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import { CovermapError } from '../../platform/errors.ts';
import { threadFile } from '../../platform/programs.ts';
import type { Paper } from './paper.ts';

/** For a paper of thousands of lines on a busy machine. */
const timeoutMs = 60_000;

/** By the number of the paper; a receipt by its payment's entry, a statement by the e-mail that it went with. */
export type KeptKind = 'invoice' | 'credit_note' | 'receipt' | 'statement';

/**
 * A paper's PDF: as it was first printed, or printed now and kept. Two processes that print at once give the bytes of the first.
 * @throws as {@link printPdf}
 */
export async function keptPdf(
  db: Queryable,
  kind: KeptKind,
  number: number,
  paper: () => Paper | Promise<Paper>,
  asker?: string,
): Promise<Buffer> {
  const kept = await find(db, kind, number);
  if (kept) return kept;
  const bytes = await printPdf(await paper(), asker);
  await db.query(sql`
    insert into paper (kind, number, bytes) values (${kind}, ${number}, ${bytes}) on conflict do nothing`);
  return (await find(db, kind, number)) as Buffer;
}

async function find(db: Queryable, kind: KeptKind, number: number): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ bytes: Uint8Array }>(sql`
    select bytes from paper where kind = ${kind} and number = ${number}`);
  return rows[0] && Buffer.from(rows[0].bytes);
}

const maxPrints = 20;
/** One that is being printed, and two that wait. */
const maxOfAccount = 3;

/** What is being printed, and what waits for it, by the papers; who asked first. */
const prints = new Map<string, { printed: Promise<Buffer>; asker: string | undefined }>();
/** The end of the print before: a process prints one paper at a time. */
let before: Promise<unknown> = Promise.resolve();

/**
 * Writes a paper as PDF, in a thread. Who asks for a paper that is being printed, gets that one.
 * @param asker `staff` or the key of an account; undefined for e-mail, which is never refused
 * @throws CovermapError `prints_too_many` where too many prints wait, or too many of this account
 */
export async function printPdf(paper: Paper, asker?: string): Promise<Buffer> {
  const key = JSON.stringify(paper);
  const same = prints.get(key);
  if (same) return same.printed;
  const ofAsker = [...prints.values()].filter((one) => one.asker === asker).length;
  const isOverAccount = asker !== 'staff' && ofAsker >= maxOfAccount;
  if (asker !== undefined && (isOverAccount || prints.size >= maxPrints))
    throw new CovermapError('prints_too_many');
  const printed = before.then(() => inThread(paper)).finally(() => prints.delete(key));
  prints.set(key, { printed, asker });
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
