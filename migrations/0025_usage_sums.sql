-- What was counted is added up by set: a call for each customer took most of what a process's counts cost, where thousands of
-- keys ask at once.

-- Adds queries to the sums of customers: one entry for each customer and day, in their order.
create function add_usages(customers integer[], days date[], added bigint[]) returns void language plpgsql as $$
declare
  -- Whose queries may be past the free ones, which depends on what was added before: these are added one by one.
  limited integer[] = array(
    select distinct n.customer_id
    from unnest(customers, days, added) as n (customer_id, day, queries) join customer c on c.id = n.customer_id
    where n.queries > 0 and not c.overage_allowed and not exists (
      select from customer_plan p
      where p.customer_id = c.id and p.begins <= n.day and (p.ends is null or p.ends > n.day)));
begin
  insert into usage_total as t (customer_id, queries)
  select n.customer_id, sum(n.queries)
  from unnest(customers, added) as n (customer_id, queries)
  where n.customer_id <> all (limited)
  group by 1 order by 1
  on conflict (customer_id) do update set queries = t.queries + excluded.queries;
  insert into usage_month as m (customer_id, month, queries)
  select n.customer_id, date_trunc('month', n.day)::date, sum(n.queries)
  from unnest(customers, days, added) as n (customer_id, day, queries)
  where n.customer_id <> all (limited)
  group by 1, 2 order by 1, 2
  on conflict (customer_id, month) do update set queries = m.queries + excluded.queries;
  perform add_usage(n.customer_id, n.day, n.queries)
  from unnest(customers, days, added) with ordinality as n (customer_id, day, queries, number)
  where n.customer_id = any (limited)
  order by n.number;
end $$;

create or replace function add_counted_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usages(array_agg(customer_id), array_agg(day), array_agg(queries)) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from counted n join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums;
  return null;
end $$;
create or replace function add_changed_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usages(array_agg(customer_id), array_agg(day), array_agg(queries)) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from (select key_id, hour, queries from counted union all select key_id, hour, -queries from counted_before) as n
    join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums
  where queries <> 0;
  return null;
end $$;
