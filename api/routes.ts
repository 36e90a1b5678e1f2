import type { DescribedLimits } from './openapi/types.ts';
import type { Route } from './route.ts';
import { availability2 } from './routes/availability/availability-2.0.ts';
import { customers } from './routes/staff/customers.ts';

/**
 * Every route of the API, in the order of its description. The hot path comes first.
 * @param limits settings that some of the descriptions name
 */
export function routes(limits: DescribedLimits): Route[] {
  return [...availability2(limits), ...customers];
}
