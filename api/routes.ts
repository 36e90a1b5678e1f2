import type { DescribedLimits } from './openapi/types.ts';
import type { Route } from './route.ts';
import { customers } from './routes/staff/customers.ts';

/**
 * Every route of the API, in the order of its description. The hot path comes first.
 * @param limits settings that some of the descriptions name
 */
export function routes(_limits: DescribedLimits): Route[] {
  return [...customers];
}
