/** An account in a query or a body of staff's routes. */
export type AccountQuery = { customer: number } | { provider: number };

export const accountWords = (account: AccountQuery): string =>
  new URLSearchParams(Object.entries(account).map(([name, id]) => [name, String(id)])).toString();

/** The page of a recipient. */
export const accountHref = ({ kind, id }: { kind: 'customer' | 'operator'; id: number }): string =>
  `#/${kind === 'customer' ? 'customers' : 'operators'}/${id}`;

export const accountQuery = ({ kind, id }: { kind: 'customer' | 'operator'; id: number }): AccountQuery =>
  kind === 'customer' ? { customer: id } : { provider: id };
