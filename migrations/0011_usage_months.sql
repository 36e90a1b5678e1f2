-- What closing a month and showing a customer's usage read: sums that are kept, so that neither costs more the longer the
-- history is. Counts that come late, and entries that wait for an invoice, are found by an index and not by looking at all.

-- Billable queries by customer and month of Pacific/Auckland: the sum of usage_hour.
create table usage_month (
  customer_id integer not null references customer,
  month date not null check (extract(day from month) = 1),
  queries bigint not null check (queries >= 0),
  -- With how many of them the month was closed. Where it is another number, queries were counted since.
  closed_queries bigint not null default 0 check (closed_queries >= 0),
  primary key (customer_id, month)
);
create index usage_month_changed on usage_month (customer_id, month) where closed_queries <> queries;
create index usage_month_by_month on usage_month (month);

-- Of all months together.
create table usage_total (
  customer_id integer primary key references customer,
  queries bigint not null check (queries >= 0)
);

create function add_usage(customer integer, of_month date, added bigint) returns void language sql as $$
  insert into usage_month as m (customer_id, month, queries) values (customer, of_month, added)
  on conflict (customer_id, month) do update set queries = m.queries + excluded.queries;
  insert into usage_total as t (customer_id, queries) values (customer, added)
  on conflict (customer_id) do update set queries = t.queries + excluded.queries;
$$;

-- The sums change with the counts, whoever writes these. Two who write at once would lock the same sums in different orders:
-- the lock gives them turns, from here to the end of the transaction.
create function add_counted_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usage(customer_id, month, queries) from (
    select k.customer_id, date_trunc('month', n.hour at time zone 'Pacific/Auckland')::date as month, sum(n.queries)::bigint as queries
    from counted n join api_key k on k.id = n.key_id
    group by 1, 2) as sums;
  return null;
end $$;
create function add_changed_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usage(customer_id, month, queries) from (
    select k.customer_id, date_trunc('month', n.hour at time zone 'Pacific/Auckland')::date as month, sum(n.queries)::bigint as queries
    from (select key_id, hour, queries from counted union all select key_id, hour, -queries from counted_before) as n
    join api_key k on k.id = n.key_id
    group by 1, 2) as sums
  where queries <> 0;
  return null;
end $$;
create trigger usage_hour_added after insert on usage_hour referencing new table as counted
  for each statement execute function add_counted_usage();
create trigger usage_hour_changed after update on usage_hour
  referencing new table as counted old table as counted_before for each statement execute function add_changed_usage();
create trigger usage_hour_kept before delete on usage_hour for each row execute function refuse_change();
create trigger usage_hour_not_emptied before truncate on usage_hour execute function refuse_change();

-- What was counted before there were sums. No month says with how many queries it was closed, so the next close looks at each.
select add_usage(customer_id, month, queries) from (
  select k.customer_id, date_trunc('month', u.hour at time zone 'Pacific/Auckland')::date as month, sum(u.queries)::bigint as queries
  from usage_hour u join api_key k on k.id = u.key_id
  group by 1, 2) as sums;

-- Who bills at this moment comes before or after all of this.
lock table ledger_entry, invoice_line in share row exclusive mode;

-- Entries of the ledger that are on no invoice yet.
create table open_entry (
  entry_id bigint primary key references ledger_entry
);
insert into open_entry select e.id from ledger_entry e
where not exists (select from invoice_line l where l.entry_id = e.id);
create function open_entry_added() returns trigger language plpgsql as $$
begin
  insert into open_entry (entry_id) values (new.id);
  return null;
end $$;
create function open_entry_invoiced() returns trigger language plpgsql as $$
begin
  delete from open_entry where entry_id = new.entry_id;
  return null;
end $$;
create trigger ledger_entry_open after insert on ledger_entry for each row execute function open_entry_added();
create trigger invoice_line_closes after insert on invoice_line for each row execute function open_entry_invoiced();

-- What of a customer's queries has been booked for a month, and which months of a plan.
create index ledger_entry_queries on ledger_entry (customer_id, month) where kind in ('overage', 'adjustment');
create index ledger_entry_plan_fee on ledger_entry (month, customer_plan_id) where kind = 'plan_fee';

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
