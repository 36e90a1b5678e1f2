import { type Request, type RequestHandler, Router } from 'express';
import type { Identity } from '../access/actor.ts';
import { CovermapError } from '../platform/errors.ts';
import { type Area, areas, isBelow } from './areas.ts';
import type { ApiContext } from './context.ts';
import { identityOf, requireIdentity } from './middleware/identity.ts';

/*
 * The access to everything behind a token or a session. A request below one of these paths passes only if its caller may access the things that
 * the path names. Another's thing is answered exactly like one that does not exist.
 */

/** The kind of a thing that a parameter of a path names and that has an owner. */
interface Kind {
  /** The first part of the error code `<what>_unknown`. */
  what: string;
  readId: (text: unknown) => string | number | undefined;
  /** SQL. $1: its id. $2: the provider of an operator, or the customer, that has to own it; null: any owner. */
  exists: string;
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const uuid = (text: unknown) => (typeof text === 'string' && uuidForm.test(text) ? text : undefined);
const rowNumber = (text: unknown) =>
  typeof text === 'string' && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;

const kind = (what: string, readId: Kind['readId'], exists: string): Kind => ({ what, readId, exists });
const ofProvider = '($2::integer is null or provider_id = $2)';
const submission = kind('submission', uuid, `select from submission where id = $1 and ${ofProvider}`);
const towers = kind('submission', uuid, `${submission.exists} and kind = 'towers'`);
const dataset = kind(
  'dataset',
  rowNumber,
  `select from dataset where id = $1 and state <> 'loading' and ${ofProvider}`,
);
const provider = kind(
  'provider',
  rowNumber,
  'select from provider where id = $1 and ($2::integer is null or id = $2)',
);
const exclusion = kind('exclusion', rowNumber, `select from exclusion where id = $1 and ${ofProvider}`);
const upload = kind(
  'file',
  uuid,
  `select from upload u join access_token t on t.id = u.token_id where u.id = $1 and ${ofProvider}`,
);
const stop = kind('stop', rowNumber, `select from order_stop where id = $1 and ${ofProvider}`);
const customer = kind('customer', rowNumber, 'select from customer where id = $1 and id = coalesce($2, id)');
const key = kind('key', rowNumber, 'select from api_key where id = $1 and customer_id = $2');
const token = kind(
  'customer_token',
  rowNumber,
  'select from access_token where id = $1 and customer_id = $2',
);
const addressImport = kind(
  'import',
  uuid,
  'select from address_import where id = $1 and $2::integer is null',
);
const coverageExport = kind(
  'export',
  uuid,
  'select from coverage_export where id = $1 and ($2::integer is null or (provider_id = $2 and not by_staff))',
);
const entry = kind('entry', rowNumber, 'select from ledger_entry where id = $1 and $2::integer is null');
const invoice = kind('invoice', rowNumber, 'select from invoice where number = $1 and customer_id = $2');
const operatorsInvoice = kind(
  'invoice',
  rowNumber,
  `select from invoice where number = $1 and ${ofProvider} and provider_id is not null`,
);
const creditNote = kind(
  'credit_note',
  rowNumber,
  'select from credit_note where number = $1 and customer_id = $2',
);
const operatorsCreditNote = kind(
  'credit_note',
  rowNumber,
  `select from credit_note where number = $1 and ${ofProvider} and provider_id is not null`,
);

const ofPayment = "select from ledger_entry where id = $1 and settles and kind = 'payment'";
const receipt = kind('receipt', rowNumber, `${ofPayment} and ($2::integer is null or customer_id = $2)`);
const operatorsReceipt = kind('receipt', rowNumber, `${ofPayment} and ${ofProvider}`);

const mail = kind('mail', rowNumber, 'select from mail_message where id = $1 and $2::integer is null');

const bankFile = kind('bank_file', rowNumber, 'select from bank_file where id = $1 and $2::integer is null');
const bankLine = kind('bank_line', rowNumber, 'select from bank_line where id = $1 and $2::integer is null');

const xeroExport = kind(
  'xero_export',
  rowNumber,
  'select from books_export where id = $1 and $2::integer is null',
);

export interface Thing extends Kind {
  /** Ends with the parameter that names the thing. Everything below it is guarded, too. */
  path: string;
  /** `nobody`: open to every caller of the path. */
  owner: 'operator' | 'customer' | 'nobody';
}

export const things: readonly Thing[] = [
  { path: '/api/operator/submissions/:id', owner: 'operator', ...submission },
  { path: '/api/operator/datasets/:id', owner: 'operator', ...dataset },
  { path: '/api/operator/providers/:id', owner: 'operator', ...provider },
  { path: '/api/operator/exclusions/:id', owner: 'operator', ...exclusion },
  { path: '/api/operator/uploads/:id', owner: 'operator', ...upload },
  { path: '/api/operator/files/:id', owner: 'operator', ...upload },
  { path: '/api/operator/stops/:id', owner: 'operator', ...stop },
  { path: '/api/operator/exports/:id', owner: 'operator', ...coverageExport },
  { path: '/api/staff/tower-work/:id', owner: 'nobody', ...towers },
  { path: '/api/staff/customers/:id', owner: 'nobody', ...customer },
  { path: '/api/staff/customers/:id/keys/:key', owner: 'customer', ...key },
  { path: '/api/staff/customers/:id/tokens/:token', owner: 'customer', ...token },
  { path: '/api/staff/address-imports/:id', owner: 'nobody', ...addressImport },
  { path: '/api/staff/ledger/:id', owner: 'nobody', ...entry },
  { path: '/api/staff/mail/:id', owner: 'nobody', ...mail },
  { path: '/api/staff/bank/files/:id', owner: 'nobody', ...bankFile },
  { path: '/api/staff/bank/lines/:id', owner: 'nobody', ...bankLine },
  { path: '/api/staff/xero/exports/:id', owner: 'nobody', ...xeroExport },
  { path: '/api/staff/receipts/:id', owner: 'nobody', ...receipt },
  { path: '/api/account/receipts/:id', owner: 'customer', ...receipt },
  { path: '/api/operator/receipts/:id', owner: 'operator', ...operatorsReceipt },
  { path: '/api/account/keys/:key', owner: 'customer', ...key },
  { path: '/api/account/invoices/:number', owner: 'customer', ...invoice },
  { path: '/api/account/credit-notes/:number', owner: 'customer', ...creditNote },
  { path: '/api/operator/invoices/:number', owner: 'operator', ...operatorsInvoice },
  { path: '/api/operator/credit-notes/:number', owner: 'operator', ...operatorsCreditNote },
];

/** Passes a request on only if its caller may access the things that it names. */
export function guard(context: ApiContext): Router {
  const router = Router({ caseSensitive: true });
  router.use(
    areas.map(({ path }) => path),
    requireIdentity(context),
  );
  for (const area of areas) router.use(area.path, requireRole(area));
  for (const thing of things) {
    const { path, what, readId, exists } = thing;
    const parameter = parameterOf(thing);
    router.use(path, async (request, _response, next) => {
      const id = readId(request.params[parameter]);
      const owner = ownerOf(identityOf(request), parameter === 'id' ? undefined : request.params.id);
      const found =
        id !== undefined && owner !== undefined && (await context.database.query(exists, [id, owner]));
      if (!found || found.rowCount === 0) throw unknownThing(what);
      next();
    });
  }
  return router;
}

function requireRole({ roles, refusal }: Area): RequestHandler {
  return (request, _response, next) => {
    if (!roles.includes(identityOf(request).role)) throw new CovermapError(refusal);
    next();
  };
}

/** The required owner of the thing. @param named the customer in staff's path @returns null: anybody; undefined: there is no such customer */
function ownerOf({ provider, customer }: Identity, named: Request['params'][string] | undefined) {
  if (named !== undefined) return rowNumber(named);
  return provider?.id ?? customer?.id ?? null;
}

/** The error for a thing that does not exist or belongs to somebody else. */
export function unknownThing(what: string): CovermapError {
  return new CovermapError(
    `${what}_unknown`,
    `There is no such ${what.replace('customer_', '').replace('_', ' ')}.`,
  );
}

/** The things that the parameters of a path name. @param path as in routes: `/api/account/keys/{key}` */
export function thingsNamed(path: string): [parameter: string, thing: Thing][] {
  return things
    .filter((thing) => isBelow(path, thing.path.replace(/:(\w+)/g, '{$1}')))
    .map((thing) => [parameterOf(thing), thing]);
}

const parameterOf = ({ path }: Thing) => path.slice(path.lastIndexOf(':') + 1);
