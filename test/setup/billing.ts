import type { Database } from '../../core/database/database.ts';

/** Billable queries of a customer that are in the database: waits until two looks, some flushes apart, say the same. */
export async function usageOf({ database }: { database: Database }, customer: string): Promise<number> {
  const look = async () => {
    const { rows } = await database.query<{ queries: number }>(
      `select coalesce(sum(u.queries), 0)::bigint as queries
       from usage_hour u join api_key k on k.id = u.key_id join customer c on c.id = k.customer_id
       where c.name = $1`,
      [customer],
    );
    return rows[0]?.queries ?? 0;
  };
  for (let last = -1; ; ) {
    const now = await look();
    if (now === last) return now;
    last = now;
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
