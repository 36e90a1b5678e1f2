-- Billable queries: counts by hour, the sums that are kept of them, and free queries.

-- By key and hour. Hours are UTC's; those of Pacific/Auckland begin with them.
create table usage_hour (
  key_id integer not null references api_key,
  hour timestamptz not null check (isfinite(hour) and extract(epoch from hour)::bigint % 3600 = 0),
  queries bigint not null check (queries > 0),
  primary key (key_id, hour)
);
create index usage_hour_by_hour on usage_hour (hour);
create trigger usage_hour_kept before delete on usage_hour for each row execute function refuse_change();
create trigger usage_hour_not_emptied before truncate on usage_hour execute function refuse_change();

-- The last batch of counts that each API process has brought in: a batch that comes again is known by its number.
create table usage_flush (
  process uuid primary key,
  sequence bigint not null check (sequence >= 0),
  flushed_at timestamptz not null default clock_timestamp()
);
create index usage_flush_age on usage_flush (flushed_at);

-- Counts on the disk of an API process that could not be brought in: these queries are not billed.
create table usage_damage (
  host text not null,
  -- Where the file is now.
  file text not null,
  process uuid,
  reason text not null check (reason <> ''),
  found_at timestamptz not null default clock_timestamp(),
  primary key (host, file)
);

-- The sum of usage_hour by customer and month of Pacific/Auckland: closing a month and showing a customer's usage cost no more the
-- longer the history is.
create table usage_month (
  customer_id integer not null references customer,
  month date not null check (extract(day from month) = 1),
  queries bigint not null check (queries >= 0),
  -- With how many of them the month was closed. Where it is another number, queries were counted since.
  closed_queries bigint not null default 0 check (closed_queries >= 0),
  -- Queries that were answered without a plan, after the free ones and before every process knew of it: nobody pays for them.
  uncharged bigint not null default 0 check (uncharged between 0 and queries),
  primary key (customer_id, month)
);
create index usage_month_changed on usage_month (customer_id, month) where closed_queries <> queries;
create index usage_month_by_month on usage_month (month);

-- Of all months together.
create table usage_total (
  customer_id integer primary key references customer,
  queries bigint not null check (queries >= 0),
  uncharged bigint not null default 0 check (uncharged between 0 and queries)
);

-- Adds queries of a day to the sums of a customer: what is not to be paid for is known by the day.
create function add_usage(of_customer integer, of_day date, added bigint) returns void language plpgsql as $$
declare
  asked bigint;
  past bigint = 0;
begin
  insert into usage_total as t (customer_id, queries) values (of_customer, added)
  on conflict (customer_id) do update set queries = t.queries + excluded.queries
  returning t.queries - t.uncharged into asked;
  if added > 0 and not may_owe(of_customer, of_day) then
    select greatest(0, least(added, asked - c.free_queries)) into past from customer c where c.id = of_customer;
    if past > 0 then
      update usage_total set uncharged = uncharged + past where customer_id = of_customer;
    end if;
  end if;
  insert into usage_month as m (customer_id, month, queries, uncharged)
  values (of_customer, date_trunc('month', of_day)::date, added, past)
  on conflict (customer_id, month)
  do update set queries = m.queries + excluded.queries, uncharged = m.uncharged + excluded.uncharged;
end $$;

-- The same for many customers: one entry for each customer and day, in their order. A call for each would take most of what a process's
-- counts cost, where thousands of keys ask at once.
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

-- The sums change with the counts, whoever writes these. Two who write at once would lock the same sums in different orders:
-- the lock gives them turns, from here to the end of the transaction.
create function add_counted_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usages(array_agg(customer_id), array_agg(day), array_agg(queries)) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from counted n join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums;
  return null;
end $$;
create function add_changed_usage() returns trigger language plpgsql as $$
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
create trigger usage_hour_added after insert on usage_hour referencing new table as counted
  for each statement execute function add_counted_usage();
create trigger usage_hour_changed after update on usage_hour
  referencing new table as counted old table as counted_before for each statement execute function add_changed_usage();

-- Free queries that a process is about to use, until they are counted: free queries are exact, and whoever answers one has held it
-- before. What a killed process holds ends by itself.
create table free_hold (
  id bigint generated always as identity primary key,
  customer_id integer not null references customer,
  queries integer not null check (queries > 0),
  until timestamptz not null,
  -- How many of them may have been answered by now: these stay used where the process that holds them is killed.
  begun integer not null default 0,
  check (begun between 0 and queries)
);
create index free_hold_customer on free_hold (customer_id);

-- How many free queries a customer has left that nobody is about to use. Below zero where more were answered.
create function free_left(of_customer integer) returns bigint language sql stable as $$
  select c.free_queries - coalesce(t.queries - t.uncharged, 0)
    - coalesce((
      select sum(case when h.until > clock_timestamp() then h.queries else h.begun end)
      from free_hold h where h.customer_id = c.id), 0)::bigint
    -- What a file is answered with is counted when all of it is there.
    - coalesce((
      select sum(j.entries) from bulk_job j join api_key k on k.id = j.api_key_id
      where k.customer_id = c.id and j.state in ('queued', 'running')), 0)::bigint
  from customer c left join usage_total t on t.customer_id = c.id
  where c.id = of_customer
$$;
