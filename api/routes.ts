import type { DescribedLimits } from './openapi/types.ts';
import type { Route } from './route.ts';
import { account } from './routes/account/account.ts';
import { availability2 } from './routes/availability/availability-2.0.ts';
import { invoices } from './routes/customer/invoices.ts';
import { keys } from './routes/customer/keys.ts';
import { statement } from './routes/customer/statement.ts';
import { customerUsages } from './routes/customer/usage.ts';
import { audit } from './routes/staff/audit.ts';
import { billing } from './routes/staff/billing.ts';
import { close } from './routes/staff/close.ts';
import { customers } from './routes/staff/customers.ts';
import { ledger } from './routes/staff/ledger.ts';
import { processingFees } from './routes/staff/processing-fees.ts';
import { usage } from './routes/staff/usage.ts';

/**
 * Every route of the API, in the order of its description. The hot path comes first.
 * @param limits settings that some of the descriptions name
 */
export function routes(limits: DescribedLimits): Route[] {
  return [
    ...availability2(limits),
    ...audit,
    ...billing,
    ...processingFees,
    ...usage,
    ...close,
    ...invoices,
    ...ledger,
    ...statement,
    ...customers,
    ...customerUsages,
    ...keys,
    ...account,
  ];
}
