-- Caps: how much a customer may use in a month, by itself or by staff; and whose month held queries are of.

create table cap (
  -- A change is a row of another number: processes tell by it that the queries they hold are those of another cap.
  id bigint generated always as identity primary key,
  customer_id integer not null references customer,
  -- Each sets its own, and the smaller one holds.
  set_by text not null check (set_by in ('customer', 'staff')),
  queries bigint check (queries between 0 and 1000000000000),
  -- Plan fees and overage of a month, without GST.
  budget_cents bigint check (budget_cents between 0 and 100000000000),
  -- At the cap keys are answered all the same.
  only_warns boolean not null,
  -- Until then other processes may be storing what they answered before they knew of a cap.
  settled_at timestamptz not null,
  unique (customer_id, set_by),
  check (num_nonnulls(queries, budget_cents) = 1)
);
create trigger cap_announced after insert or delete on cap for each row execute function announce_keys_of_customer();

-- The queries that a process is about to use are those of a month: neither the one before nor the next one is answered by them.
alter table free_hold rename to query_hold;
alter sequence free_hold_id_seq rename to query_hold_id_seq;
alter index free_hold_pkey rename to query_hold_pkey;
alter index free_hold_customer rename to query_hold_customer;
alter table query_hold add column month date not null default date_trunc('month', now() at time zone 'Pacific/Auckland')::date;
alter table query_hold alter column month drop default;
alter table query_hold add check (extract(day from month) = 1);
-- When a file of a limited customer was accepted, for which its queries count; null: the customer had no limit then.
alter table bulk_job add column held_at timestamptz;

-- How many queries of a customer are held, or may have been answered by killed processes, of a month; null: of all months.
create function held_queries(of_customer integer, of_month date) returns bigint language sql stable as $$
  select coalesce((
      select sum(case when h.until > clock_timestamp() then h.queries else h.begun end)
      from query_hold h where h.customer_id = of_customer and (of_month is null or h.month = of_month)), 0)::bigint
    -- What a file is answered with is counted when all of it is there.
    + coalesce((
      select sum(j.entries) from bulk_job j join api_key k on k.id = j.api_key_id
      where k.customer_id = of_customer and j.state in ('queued', 'running') and (of_month is null or j.held_at is null
        or date_trunc('month', j.held_at at time zone 'Pacific/Auckland')::date = of_month)), 0)::bigint
$$;

create or replace function free_left(of_customer integer) returns bigint language sql stable as $$
  select c.free_queries - coalesce(t.queries - t.uncharged, 0) - held_queries(c.id, null)
  from customer c left join usage_total t on t.customer_id = c.id
  where c.id = of_customer
$$;
