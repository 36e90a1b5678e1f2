import type { Day } from '../../platform/nz-time.ts';
import { dollars } from '../money.ts';
import { type Mentions, mentionsIn, takenApart } from './mentions.ts';
import { matchName, type Name, type NameMatch, nameOf } from './names.ts';
import { payerKey, wordsOf } from './texts.ts';

/*
 * Whose payment a line is, and of which invoices: from what the payer wrote, who the payer is, and the amount. A proposal is a proposal: a person
 * confirms it. It is `certain` where the payer and the amount each say the same by themselves, and nothing says something else.
 */

export interface PaymentLine {
  amount_cents: number;
  payer: string;
  particulars: string;
  code: string;
  reference: string;
  details: string;
}

export interface OpenInvoice {
  number: number;
  /** As of `accountKey`. */
  account: string;
  left_cents: number;
  due_on: Day | null;
}

export interface PayingAccount {
  account: string;
  /** Its own, and the recipients of its invoices. */
  names: readonly string[];
  /** That is printed on invoices. */
  code: string;
}

/** Whose payment a payer's line was before, as a person confirmed. */
export interface KnownPayer {
  payer: string;
  account: string;
}

export interface ProposedAllocation {
  invoice: number;
  amount_cents: number;
  /** What was left of it. */
  left_cents: number;
}

export interface Candidate {
  account: string;
  allocations: ProposedAllocation[];
  /** What is left for the account's credit. */
  credit_cents: number;
  /** In words. */
  reasons: string[];
}

export const confidences = ['certain', 'likely', 'unsure'] as const;
export type Confidence = (typeof confidences)[number];

/** The best candidate first; none where nothing fits. */
export interface Proposal {
  confidence: Confidence;
  candidates: Candidate[];
}

/** Invoices of an account that are looked at, the oldest first. */
const maxOpen = 24;
const maxCandidates = 4;
/** A payer forgot that much: bank fees, rounding. */
const fewCents = 99;

/** Proposes for lines. Pure: the same of the same. */
export function proposer(
  open: readonly OpenInvoice[],
  accounts: readonly PayingAccount[],
  known: readonly KnownPayer[],
): (line: PaymentLine) => Proposal {
  const openOf = grouped(
    open.toSorted((a, b) => a.number - b.number),
    ({ account }) => account,
  );
  const owner = new Map(open.map(({ number, account }) => [number, account]));
  const payers = grouped(
    known.map(({ payer, account }) => ({ payer: payerKey(payer), account })),
    ({ payer }) => payer,
  );
  const prepared = accounts.map(({ account, names, code }) => ({
    account,
    code: code.toLowerCase(),
    names: [...new Set(names)].map(nameOf),
    open: (openOf.get(account) ?? []).slice(0, maxOpen),
  }));
  return (line) => {
    const texts = [line.particulars, line.code, line.reference];
    const facts: Facts = {
      line,
      mentions: mentionsIn(texts, `${line.payer} ${line.details}`),
      words: new Set(wordsOf([...texts, line.payer, line.details].join(' '))),
      fields: [line.payer, ...texts, line.details].map((text) => nameOf(withoutBanksWords(text))),
      payers: [...new Set(payers.get(payerKey(line.payer))?.map(({ account }) => account))],
    };
    const rated = prepared.flatMap((account) => rate(account, facts) ?? []);
    return judge(rated, facts, owner);
  };
}

const withoutBanksWords = (text: string): string =>
  text.replace(
    /^(?:D\/C FROM|DC FROM|AP FROM|A\/P FROM|DIRECT CREDIT|CREDIT FROM|PAYMENT FROM|TFR FROM|FROM)\b/i,
    '',
  );

interface Facts {
  line: PaymentLine;
  mentions: Mentions;
  words: ReadonlySet<string>;
  fields: readonly Name[];
  /** Accounts whose payments this payer's were. */
  payers: readonly string[];
}

interface Rated extends Candidate {
  score: number;
  /** The payer is this account by name, code, or what was confirmed before. */
  isNamed: boolean;
  fit: Fit;
}

const nameScores: Record<NameMatch, number> = { whole: 40, cut: 34, contained: 32, similar: 15 };
const nameReasons: Record<NameMatch, string> = {
  whole: 'the payer is called so',
  cut: 'the payer’s name is the begin of it',
  contained: 'the name is in the texts',
  similar: 'the payer’s name is similar',
};

function rate(
  account: { account: string; code: string; names: readonly Name[]; open: readonly OpenInvoice[] },
  facts: Facts,
): Rated | undefined {
  const { line, mentions, words, fields, payers } = facts;
  const reasons: string[] = [];
  let identity = 0;
  const say = (score: number, reason: string) => {
    identity = Math.max(identity, score) + (identity > 0 ? 5 : 0);
    reasons.push(reason);
  };
  if (words.has(account.code)) say(40, `customer code ${account.code.toUpperCase()}`);
  if (payers.includes(account.account))
    say(payers.length === 1 ? 38 : 20, 'this payer was confirmed for it before');
  const [match] = account.names
    .flatMap((name) => matchName(name, fields) ?? [])
    .toSorted((a, b) => nameScores[b] - nameScores[a]);
  if (match) say(nameScores[match], nameReasons[match]);
  const isNamed = identity >= 30;
  const numbers = account.open.map(({ number }) => number);
  const explicit = numbers.filter((number) => mentions.explicit.has(number));
  const isMentioned = explicit.length > 0;
  const fit = fitAmount(line.amount_cents, account.open, mentions, isNamed);
  // An amount alone is many accounts'; only that of one whole invoice is worth a look.
  if (identity === 0 && !isMentioned && fit.kind !== 'exact') return undefined;
  const score = identity + (isMentioned ? 12 : 0) + fit.score;
  const { allocations, credit_cents } = fit;
  return {
    ...{ account: account.account, allocations, credit_cents },
    ...{ reasons: [...reasons, ...fit.reasons], score, isNamed, fit },
  };
}

/** `mentioned`: the payer wrote the numbers, and the amount is theirs. `exact`: the amount is that of invoices. */
interface Fit {
  kind: 'mentioned' | 'exact' | 'short' | 'over' | 'part';
  score: number;
  allocations: ProposedAllocation[];
  credit_cents: number;
  reasons: string[];
  /** The amount fits no other invoices of the account as well. */
  isOnly: boolean;
}

const sum = (invoices: readonly OpenInvoice[]): number =>
  invoices.reduce((total, { left_cents }) => total + left_cents, 0);
const list = (invoices: readonly OpenInvoice[]): string =>
  `${invoices.length === 1 ? 'invoice' : 'invoices'} ${invoices.map(({ number }) => number).join(', ')}`;

/** Which of an account's open invoices an amount pays. */
function fitAmount(cents: number, open: readonly OpenInvoice[], mentions: Mentions, isNamed: boolean): Fit {
  const sets = subsets(open);
  const has = (numbers: ReadonlySet<number>) => open.filter(({ number }) => numbers.has(number));
  const explicit = has(mentions.explicit);
  const bare = has(mentions.bare);
  const joined = mentions.digits.flatMap(
    (digits) =>
      takenApart(
        digits,
        open.map(({ number }) => number),
      ) ?? [],
  );
  const exact = sets.filter((set) => sum(set) === cents);
  const isOldestOfEqual = (set: readonly OpenInvoice[]) =>
    set.every((one) =>
      open.every(
        (other) => other.number >= one.number || other.left_cents !== one.left_cents || set.includes(other),
      ),
    );
  const paid = (
    kind: Fit['kind'],
    score: number,
    set: readonly OpenInvoice[],
    reasons: string[],
    isOnly = false,
  ): Fit => ({
    ...allocate(cents, set),
    ...{ kind, score, reasons, isOnly },
  });
  // What the payer wrote, and the amount says the same.
  for (const [written, score] of [
    [explicit, 60],
    [has(new Set(joined)), 52],
    [bare, 48],
  ] as const) {
    if (written.length === 0) continue;
    const isWritten = (set: readonly OpenInvoice[]) => set.every((one) => written.includes(one));
    const set = sum(written) === cents ? written : exact.find(isWritten);
    if (set) {
      const reason = `${list(set)} in the texts, and the amount is what is left of ${set.length === 1 ? 'it' : 'them'}`;
      return paid('mentioned', score, set, [reason], isOldestOfEqual(set) && sum(written) === cents);
    }
  }
  const [first] = exact.toSorted((a, b) => cutRank(b, mentions) - cutRank(a, mentions));
  if (first) {
    const isWhole = first.length === 1 || first.length === open.length;
    const reason = `the amount is what is left of ${list(first)}`;
    const isOnly = isWhole && explicit.length === 0 && exact.length === 1;
    return paid('exact', isWhole ? 38 : 30, first, [reason], isOnly);
  }
  const written = explicit.length > 0 ? explicit : isNamed ? bare : [];
  // Cents short, of what was written first.
  const isShort = (set: readonly OpenInvoice[]) =>
    sum(set) > cents && sum(set) - cents <= Math.min(fewCents, cents / 20);
  const short = written.length > 0 && isShort(written) ? written : sets.find(isShort);
  if (short) {
    const reason = `$${dollars(sum(short) - cents)} short of ${list(short)}`;
    return paid('short', short === written ? 40 : 26, short, [reason]);
  }
  // Some cents or dollars too many, of what was written or of one invoice.
  if (written.length > 0 && sum(written) < cents)
    return paid('over', 28, written, [
      `${list(written)} in the texts, and $${dollars(cents - sum(written))} more`,
    ]);
  if (written.length > 0) return paid('part', 24, written, [`${list(written)} in the texts: a part of it`]);
  const over = sets.filter((set) => cents - sum(set) > 0 && cents - sum(set) <= Math.min(1_000, cents / 20));
  const [near] = over.toSorted((a, b) => sum(b) - sum(a) || a.length - b.length);
  if (near) return paid('over', 20, near, [`$${dollars(cents - sum(near))} more than ${list(near)}`]);
  if (open.length > 0 && sum(open) < cents)
    return paid('over', 12, open, [`$${dollars(cents - sum(open))} more than all that is open`]);
  if (open.length > 0) return paid('part', 8, open, ['the oldest that is open first']);
  return paid('over', 0, [], ['nothing is open: credit for the next invoice']);
}

/** How many of the numbers begin with digits that may have been cut off. */
const cutRank = (set: readonly OpenInvoice[], { digits }: Mentions): number =>
  set.filter(({ number }) =>
    digits.some((one) => one.length >= 2 && String(number).startsWith(one.replace(/^0+/, '') || '-')),
  ).length;

/** Sets of one, two and three, and of all; small ones and old invoices first. */
function subsets(open: readonly OpenInvoice[]): (readonly OpenInvoice[])[] {
  const sets: OpenInvoice[][] = open.map((one) => [one]);
  for (const [i, a] of open.entries()) for (const b of open.slice(i + 1)) sets.push([a, b]);
  for (const [i, a] of open.entries())
    for (const [j, b] of open.entries()) if (j > i) for (const c of open.slice(j + 1)) sets.push([a, b, c]);
  if (open.length > 3) sets.push([...open]);
  return sets;
}

function allocate(cents: number, set: readonly OpenInvoice[]): Pick<Fit, 'allocations' | 'credit_cents'> {
  let left = cents;
  const allocations: ProposedAllocation[] = [];
  for (const { number, left_cents } of set) {
    const amount_cents = Math.min(left, left_cents);
    if (amount_cents > 0) allocations.push({ invoice: number, amount_cents, left_cents });
    left -= amount_cents;
  }
  return { allocations, credit_cents: left };
}

/** The least by which the best has to be ahead. */
const ahead = 20;

function judge(rated: Rated[], { mentions }: Facts, owner: ReadonlyMap<number, string>): Proposal {
  const ranked = rated.toSorted((a, b) => b.score - a.score);
  const [best, second] = ranked;
  if (!best) return { confidence: 'unsure', candidates: [] };
  const lead = best.score - (second?.score ?? 0);
  const isAlone = ranked.every((one) => one === best || !one.isNamed);
  // An invoice that is paid, another's, or none.
  const isContradicted = [...mentions.explicit].some((number) => owner.get(number) !== best.account);
  const { kind, isOnly } = best.fit;
  const isExact = kind === 'mentioned' || kind === 'exact';
  const confidence: Confidence =
    best.isNamed && isExact && isOnly && isAlone && lead >= ahead && !isContradicted
      ? 'certain'
      : lead >= 8 && (best.isNamed || kind === 'mentioned') && best.score >= 50
        ? 'likely'
        : 'unsure';
  const candidates = ranked
    .filter((one) => one === best || one.score >= best.score - 30)
    .slice(0, confidence === 'certain' ? 1 : maxCandidates)
    .map(({ account, allocations, credit_cents, reasons }) => ({
      account,
      allocations,
      credit_cents,
      reasons,
    }));
  return { confidence, candidates };
}

function grouped<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
