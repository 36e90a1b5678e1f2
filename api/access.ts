import { type Request, type RequestHandler, Router } from 'express';
import type { Identity, Role } from '../core/access/tokens.ts';
import type { KnownCode } from '../core/error-catalogue.ts';
import { CovermapError } from '../core/errors.ts';
import type { ApiContext } from './context.ts';
import { identityOf, requireIdentity } from './middleware/identity.ts';
import { isUuid, rowNumber } from './request-values.ts';

/*
 * Who may touch what, of all that takes a token or a session: here, and nowhere else. Whose a thing is says the route's own
 * parameter. A route below one of these paths is reached only by those who may touch what its parameters name; what is
 * another's is answered exactly as what there is not.
 */

/** Who may ask for anything below a path. */
export interface Area {
  path: string;
  roles: Role[];
  /** What the others are told. */
  refusal: KnownCode;
}

export const areas: readonly Area[] = [
  { path: '/api/operator', roles: ['operator', 'staff'], refusal: 'operators_only' },
  { path: '/api/staff', roles: ['staff'], refusal: 'staff_only' },
  { path: '/api/account', roles: ['customer'], refusal: 'customers_only' },
];

/** Something that a route's parameter names, and that not everybody may touch. */
interface Kind {
  /** What it is, in the code of the error `<what>_unknown`. */
  what: string;
  readId: (text: unknown) => string | number | undefined;
  /** $1: the id. $2: the provider of an operator, the customer whose it has to be; null: anybody's. */
  exists: string;
}

const readUuid = (text: unknown) => (isUuid(text) ? text : undefined);
const submission: Kind = {
  what: 'submission',
  readId: readUuid,
  exists: 'select from submission where id = $1 and ($2::integer is null or provider_id = $2)',
};
const dataset: Kind = {
  what: 'dataset',
  readId: rowNumber,
  exists: `select from dataset where id = $1 and state <> 'loading' and ($2::integer is null or provider_id = $2)`,
};
const provider: Kind = {
  what: 'provider',
  readId: rowNumber,
  exists: 'select from provider where id = $1 and ($2::integer is null or id = $2)',
};
const upload: Kind = {
  what: 'file',
  readId: readUuid,
  exists: `select from upload u join access_token t on t.id = u.token_id
    where u.id = $1 and ($2::integer is null or t.provider_id = $2)`,
};
const customer: Kind = {
  what: 'customer',
  readId: rowNumber,
  exists: 'select from customer where id = $1 and id = coalesce($2, id)',
};
const key: Kind = {
  what: 'key',
  readId: rowNumber,
  exists: 'select from api_key where id = $1 and customer_id = $2',
};
const token: Kind = {
  what: 'customer_token',
  readId: rowNumber,
  exists: 'select from access_token where id = $1 and customer_id = $2',
};
const entry: Kind = {
  what: 'entry',
  readId: rowNumber,
  exists: 'select from ledger_entry where id = $1 and $2::integer is null',
};
const invoice: Kind = {
  what: 'invoice',
  readId: rowNumber,
  exists: 'select from invoice where number = $1 and customer_id = $2',
};

export interface Thing extends Kind {
  /** The path that ends with the parameter that names it; what is below it is guarded, too. */
  path: string;
  /** What its owner is, for the description; `nobody`: whoever reaches the path may touch any. */
  owner: 'operator' | 'customer' | 'nobody';
}

export const things: readonly Thing[] = [
  { path: '/api/operator/submissions/:id', owner: 'operator', ...submission },
  { path: '/api/operator/datasets/:id', owner: 'operator', ...dataset },
  { path: '/api/operator/providers/:id', owner: 'operator', ...provider },
  { path: '/api/operator/uploads/:id', owner: 'operator', ...upload },
  { path: '/api/operator/files/:id', owner: 'operator', ...upload },
  {
    path: '/api/staff/tower-work/:id',
    owner: 'nobody',
    ...submission,
    exists: `${submission.exists} and kind = 'towers'`,
  },
  { path: '/api/staff/customers/:id', owner: 'nobody', ...customer },
  { path: '/api/staff/customers/:id/keys/:key', owner: 'customer', ...key },
  { path: '/api/staff/customers/:id/tokens/:token', owner: 'customer', ...token },
  { path: '/api/staff/ledger/:id', owner: 'nobody', ...entry },
  { path: '/api/account/keys/:key', owner: 'customer', ...key },
  { path: '/api/account/invoices/:number', owner: 'customer', ...invoice },
];

/** Lets a request through to the routes after it only where whoever asks may touch what it names. */
export function guard(context: ApiContext): Router {
  const { database } = context;
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
      const found = id !== undefined && owner !== undefined && (await database.query(exists, [id, owner]));
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

/**
 * Whose the thing has to be.
 * @param customer the id in the path of the customer that staff look at
 * @returns null: anybody's; undefined: there is no such customer
 */
function ownerOf({ provider, customer }: Identity, named: Request['params'][string] | undefined) {
  if (named !== undefined) return rowNumber(named);
  return provider?.id ?? customer?.id ?? null;
}

/** What is said of what there is not, and of what is another's. */
export function unknownThing(what: string): CovermapError {
  return new CovermapError(`${what}_unknown`, `There is no such ${what.replace('customer_', '')}.`);
}

/** Whether a path is that one, or below it. */
export const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`);

/** Whether a path takes a token or a session. */
export const isGuarded = (path: string) => areas.some((area) => isBelow(path, area.path));

/** What the parameters of a path name, by parameter. @param path as routes have it: `/api/account/keys/{key}` */
export function thingsNamed(path: string): [parameter: string, thing: Thing][] {
  return things
    .filter((thing) => isBelow(path, thing.path.replace(/:(\w+)/g, '{$1}')))
    .map((thing) => [parameterOf(thing), thing]);
}

const parameterOf = ({ path }: Thing) => path.slice(path.lastIndexOf(':') + 1);

/** Whether the errors of a path have codes in words: of what takes a token or a session, and of the session itself. */
export function hasCodedErrors(path: string): boolean {
  return path === '/api/session' || isGuarded(path);
}
