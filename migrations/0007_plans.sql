-- Plans and terms. Money is integer cents without GST unless a column says otherwise; months begin and end at midnight in
-- Pacific/Auckland and are named by their first day.

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are only ever added', tg_table_name;
end $$;

-- Plans that can be subscribed to. Terms that a customer has had never change: other terms are another plan.
create table plan (
  name text primary key check (name ~ '^[a-z][a-z0-9-]*$'),
  label text not null check (label <> ''),
  position smallint not null unique,
  bundled_queries integer not null check (bundled_queries > 0),
  price_cents integer not null check (price_cents > 0),
  -- Customers can still get it.
  offered boolean not null default true
);
insert into plan (name, label, position, bundled_queries, price_cents) values
  ('low', 'Low usage', 1, 75000, 50000),
  ('medium', 'Medium usage', 2, 150000, 75000),
  ('high', 'High usage', 3, 300000, 150000);

create function refuse_other_terms() returns trigger language plpgsql as $$
begin
  if (old.name, old.bundled_queries, old.price_cents) is distinct from (new.name, new.bundled_queries, new.price_cents) then
    raise exception 'the terms of a plan do not change: add another plan, and stop offering this one';
  end if;
  return new;
end $$;
create trigger plan_kept before update on plan for each row execute function refuse_other_terms();

-- The terms of every customer and operator, from a month on until the next row's.
create table billing_terms (
  from_month date primary key check (extract(day from from_month) = 1),
  -- Of a customer that is made in such a month: once, before any bundle is used.
  free_queries integer not null check (free_queries >= 0),
  -- A query past the bundle.
  overage_cents integer not null check (overage_cents >= 0),
  gst_percent integer not null check (gst_percent between 0 and 100),
  -- Coverage that the service processes for an operator: its first, and each later one.
  first_processing_cents integer not null check (first_processing_cents >= 0),
  later_processing_cents integer not null check (later_processing_cents >= 0),
  -- From an invoice to when it is to be paid.
  due_days integer not null check (due_days between 0 and 365),
  -- The day of the month after the invoice; null: due_days after it. What was issued keeps its date.
  due_day integer check (due_day between 1 and 28)
);
insert into billing_terms (from_month, free_queries, overage_cents, gst_percent, first_processing_cents, later_processing_cents,
  due_days, due_day)
values ('2000-01-01', 1000, 1, 15, 100000, 25000, 20, 20);
create trigger billing_terms_kept before update or delete on billing_terms
  for each row execute function refuse_change();

create function give_free_queries() returns trigger language plpgsql as $$
begin
  new.free_queries = coalesce(new.free_queries, (
    select free_queries from billing_terms
    where from_month <= (now() at time zone 'Pacific/Auckland')::date order by from_month desc limit 1));
  return new;
end $$;
create trigger customer_free_queries before insert on customer for each row execute function give_free_queries();

-- A customer has a plan from a day until before another; null: until further notice. One at a time.
create table customer_plan (
  id integer generated always as identity primary key,
  customer_id integer not null references customer,
  plan text not null references plan,
  begins date not null,
  ends date check (ends > begins),
  created_at timestamptz not null default clock_timestamp(),
  exclude using gist (int4range(customer_id, customer_id, '[]') with &&, daterange(begins, ends) with &&)
);
create trigger customer_plan_announced after insert or update or delete on customer_plan
  for each row execute function announce_keys_of_customer();

-- Plans as they were before a notice was given: they are restored where it is withdrawn.
create table plan_before_notice (
  customer_id integer not null references customer,
  plan text not null references plan,
  begins date not null,
  ends date check (ends > begins),
  primary key (customer_id, begins)
);

-- Queries of a day may cost a customer something.
create function may_owe(of_customer integer, of_day date) returns boolean language sql stable as $$
  select c.overage_allowed or exists (
    select from customer_plan p
    where p.customer_id = c.id and p.begins <= of_day and (p.ends is null or p.ends > of_day))
  from customer c where c.id = of_customer
$$;
