-- Free queries end: who has no plan is refused afterwards, unless staff allow overage, and never owes by accident.

alter table customer add column overage_allowed boolean not null default false;

-- Queries that were answered without a plan, after the free ones and before every process knew of it: nobody pays for them.
alter table usage_month add column uncharged bigint not null default 0 check (uncharged between 0 and queries);
alter table usage_total add column uncharged bigint not null default 0 check (uncharged between 0 and queries);

-- Whether queries of a day may cost a customer something.
create function may_owe(of_customer integer, of_day date) returns boolean language sql stable as $$
  select c.overage_allowed or exists (
    select from customer_plan p
    where p.customer_id = c.id and p.begins <= of_day and (p.ends is null or p.ends > of_day))
  from customer c where c.id = of_customer
$$;

-- In the place of the one by months: what is not to be paid for is known by the day.
drop function add_usage(integer, date, bigint);
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

create or replace function add_counted_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usage(customer_id, day, queries) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from counted n join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums;
  return null;
end $$;
create or replace function add_changed_usage() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('covermap usage sums', 0));
  perform add_usage(customer_id, day, queries) from (
    select k.customer_id, (n.hour at time zone 'Pacific/Auckland')::date as day, sum(n.queries)::bigint as queries
    from (select key_id, hour, queries from counted union all select key_id, hour, -queries from counted_before) as n
    join api_key k on k.id = n.key_id
    group by 1, 2 order by 1, 2) as sums
  where queries <> 0;
  return null;
end $$;

-- Free queries that a list is about to use, until they are counted. What a killed process leaves ends by itself.
create table free_hold (
  id bigint generated always as identity primary key,
  customer_id integer not null references customer,
  queries integer not null check (queries > 0),
  until timestamptz not null
);
create index free_hold_customer on free_hold (customer_id);

-- A file of coordinates can be asked what it will cost before it is begun.
alter table bulk_job
  drop constraint bulk_job_state_check,
  add constraint bulk_job_state_check check (state in ('quoted', 'queued', 'running', 'done', 'failed')),
  -- Lines that are no heading and not empty: it costs so many queries at most. Null: it was taken in before they were counted.
  add column entries integer check (entries >= 0),
  -- What these come to, as it was when the file was taken in or begun.
  add column cost jsonb check (jsonb_typeof(cost) = 'object');

-- How many free queries a customer has left that nobody is about to use. Below zero where more were answered.
create function free_left(of_customer integer) returns bigint language sql stable as $$
  select c.free_queries - coalesce(t.queries - t.uncharged, 0)
    - coalesce((
      select sum(h.queries) from free_hold h where h.customer_id = c.id and h.until > clock_timestamp()), 0)::bigint
    - coalesce((
      select sum(greatest(0, j.entries - coalesce((
        select sum(p.coordinates) from bulk_job_part p where p.job_id = j.id), 0)))
      from bulk_job j join api_key k on k.id = j.api_key_id
      where k.customer_id = c.id and j.state in ('queued', 'running')), 0)::bigint
  from customer c left join usage_total t on t.customer_id = c.id
  where c.id = of_customer
$$;

-- API processes that remember a customer's keys forget them where the customer may ask for more, or no more, from now on.
create function announce_keys_of_customer() returns trigger language plpgsql as $$
begin
  perform pg_notify('api_key', encode(k.key_sha256, 'hex')) from api_key k
  where k.customer_id in (
    case tg_table_name when 'customer' then (to_jsonb(new)->>'id')::integer
    else (coalesce(to_jsonb(new), to_jsonb(old))->>'customer_id')::integer end);
  return null;
end $$;
create trigger customer_keys_announced after update of overage_allowed, free_queries, closes_at on customer
  for each row execute function announce_keys_of_customer();
create trigger customer_plan_announced after insert or update or delete on customer_plan
  for each row execute function announce_keys_of_customer();
