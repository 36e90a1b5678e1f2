-- Billing: plans and who has them, what was asked, what is owed, and the invoices. Money is integer cents without GST
-- unless a column says otherwise; months begin and end at midnight in Pacific/Auckland and are named by their first day.

-- What can be subscribed to. Terms that a customer has had never change: other terms are another plan.
create table plan (
  name text primary key check (name ~ '^[a-z][a-z0-9-]*$'),
  label text not null check (label <> ''),
  position smallint not null unique,
  bundled_queries integer not null check (bundled_queries > 0),
  price_cents integer not null check (price_cents > 0),
  -- Whether customers can still get it.
  offered boolean not null default true
);
insert into plan (name, label, position, bundled_queries, price_cents) values
  ('low', 'Low usage', 1, 75000, 50000),
  ('medium', 'Medium usage', 2, 150000, 75000),
  ('high', 'High usage', 3, 300000, 150000);

-- What holds for every customer, from a month on until the next row's.
create table billing_terms (
  from_month date primary key check (extract(day from from_month) = 1),
  -- Of a customer that is made in such a month: once, before any bundle is used.
  free_queries integer not null check (free_queries >= 0),
  -- A query past the bundle.
  overage_cents integer not null check (overage_cents >= 0),
  gst_percent integer not null check (gst_percent between 0 and 100)
);
insert into billing_terms (from_month, free_queries, overage_cents, gst_percent) values ('2000-01-01', 1000, 1, 15);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% rows are only ever added', tg_table_name;
end $$;
create function refuse_other_terms() returns trigger language plpgsql as $$
begin
  if (old.name, old.bundled_queries, old.price_cents) is distinct from (new.name, new.bundled_queries, new.price_cents) then
    raise exception 'the terms of a plan do not change: add another plan, and stop offering this one';
  end if;
  return new;
end $$;
create trigger plan_kept before update on plan for each row execute function refuse_other_terms();
create trigger billing_terms_kept before update or delete on billing_terms
  for each row execute function refuse_change();

alter table customer
  -- Those of the terms when it was made, unless given.
  add column free_queries integer check (free_queries >= 0),
  -- When notice was given, and when the last plan and with it every key ends.
  add column cancelled_on date,
  add column closes_at timestamptz,
  add check ((cancelled_on is null) = (closes_at is null));

update customer set free_queries = (select free_queries from billing_terms);
alter table customer alter column free_queries set not null;
create function give_free_queries() returns trigger language plpgsql as $$
begin
  new.free_queries = coalesce(new.free_queries, (
    select free_queries from billing_terms
    where from_month <= (now() at time zone 'Pacific/Auckland')::date order by from_month desc limit 1));
  return new;
end $$;
create trigger customer_free_queries before insert on customer for each row execute function give_free_queries();

-- Which plan a customer has from a day until before another; null: until further notice. One at a time.
create table customer_plan (
  id integer generated always as identity primary key,
  customer_id integer not null references customer,
  plan text not null references plan,
  begins date not null,
  ends date check (ends > begins),
  created_at timestamptz not null default clock_timestamp(),
  exclude using gist (int4range(customer_id, customer_id, '[]') with &&, daterange(begins, ends) with &&)
);

alter table api_key
  add column label text not null default '' check (label = btrim(label)),
  -- A key that another has taken the place of is good for a while.
  add column expires_at timestamptz,
  add column replaced_by integer references api_key;

-- Customers look at their own usage and invoices with tokens, too.
alter table access_token
  drop constraint access_token_role_check,
  drop constraint access_token_check,
  add column customer_id integer references customer,
  add constraint access_token_role_check check (role in ('operator', 'staff', 'customer')),
  add constraint access_token_owner_check
    check ((role = 'operator') = (provider_id is not null) and (role = 'customer') = (customer_id is not null));

alter table audit_event
  drop constraint audit_event_actor_kind_check,
  add constraint audit_event_actor_kind_check
    check (actor_kind in ('operator', 'staff', 'customer', 'command', 'service')),
  add column customer_id integer references customer;
create index audit_event_customer on audit_event (customer_id, id);

-- Billable queries by key and hour. Hours are UTC's; those of Pacific/Auckland begin with them.
create table usage_hour (
  key_id integer not null references api_key,
  hour timestamptz not null check (isfinite(hour) and extract(epoch from hour)::bigint % 3600 = 0),
  queries bigint not null check (queries > 0),
  primary key (key_id, hour)
);
create index usage_hour_by_hour on usage_hour (hour);

-- The last batch of counts that each API process has brought in: a batch that comes again is known by its number.
create table usage_flush (
  process uuid primary key,
  sequence bigint not null check (sequence >= 0),
  flushed_at timestamptz not null default clock_timestamp()
);
create index usage_flush_age on usage_flush (flushed_at);

-- Everything that anybody owes or is owed. Rows are only ever added, and one cause is booked once.
create table ledger_entry (
  id bigint generated always as identity primary key,
  customer_id integer references customer,
  provider_id integer references provider,
  kind text not null
    check (kind in ('plan_fee', 'overage', 'adjustment', 'processing_fee', 'waiver', 'credit')),
  -- The month that it is about.
  month date not null check (extract(day from month) = 1),
  description text not null check (description <> ''),
  quantity bigint not null check (quantity <> 0),
  unit_price_cents integer not null,
  amount_cents bigint not null check (amount_cents = quantity * unit_price_cents),
  -- As in overage:17:2026-11. What made it is told again by `source`, with the figures that it was worked out from.
  cause text not null unique check (cause <> ''),
  source jsonb not null default '{}' check (jsonb_typeof(source) = 'object'),
  customer_plan_id integer references customer_plan,
  processing_fee_id integer references processing_fee,
  booked_at timestamptz not null default clock_timestamp(),
  booked_by text not null,
  check (num_nonnulls(customer_id, provider_id) = 1),
  check ((kind = 'plan_fee') = (customer_plan_id is not null)),
  check ((kind in ('processing_fee', 'waiver')) = (processing_fee_id is not null)),
  check (kind not in ('waiver', 'credit') or amount_cents < 0),
  check (kind not in ('plan_fee', 'overage', 'processing_fee') or amount_cents >= 0)
);
create index ledger_entry_customer on ledger_entry (customer_id, id);
create index ledger_entry_provider on ledger_entry (provider_id, id);
create index ledger_entry_fee on ledger_entry (processing_fee_id);
create index ledger_entry_plan on ledger_entry (customer_plan_id);

-- Months that are over for billing, every one before the newest of them included.
create table month_close (
  month date primary key check (extract(day from month) = 1),
  closed_at timestamptz not null default clock_timestamp(),
  closed_by text not null
);

-- The next invoice takes its number from here, in its own transaction: one that comes to nothing takes none.
create table invoice_counter (
  one boolean primary key default true check (one),
  last integer not null default 0 check (last >= 0)
);
insert into invoice_counter default values;

create table invoice (
  number integer primary key check (number > 0),
  customer_id integer references customer,
  provider_id integer references provider,
  month date not null references month_close,
  -- As the name was then.
  recipient text not null,
  issued_on date not null,
  due_on date not null check (due_on >= issued_on),
  -- Of a customer: the month's queries, and how they were told apart.
  usage jsonb check (jsonb_typeof(usage) = 'object'),
  subtotal_cents bigint not null,
  gst_percent integer not null,
  gst_cents bigint not null,
  total_cents bigint not null check (total_cents = subtotal_cents + gst_cents),
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(customer_id, provider_id) = 1),
  check ((customer_id is null) = (usage is null))
);
create unique index invoice_of_customer on invoice (customer_id, month);
create unique index invoice_of_provider on invoice (provider_id, month);
create index invoice_month on invoice (month);

-- A line is an entry of the ledger, and an entry is on one line.
create table invoice_line (
  invoice_number integer not null references invoice,
  position smallint not null check (position > 0),
  entry_id bigint not null unique references ledger_entry,
  primary key (invoice_number, position)
);

-- What became of a processing fee, besides being invoiced: the newest row counts.
create table processing_fee_event (
  id integer generated always as identity primary key,
  fee_id integer not null references processing_fee,
  -- `unpaid`: it was called paid by mistake.
  state text not null check (state in ('paid', 'unpaid', 'waived')),
  reason text not null default '',
  at timestamptz not null default clock_timestamp(),
  token_id integer references access_token,
  actor_name text not null,
  check (state = 'paid' or reason <> '')
);
create index processing_fee_event_fee on processing_fee_event (fee_id, id);
create unique index processing_fee_waived_once on processing_fee_event (fee_id) where state = 'waived';

create trigger ledger_entry_kept before update or delete on ledger_entry for each row execute function refuse_change();
create trigger ledger_entry_not_emptied before truncate on ledger_entry execute function refuse_change();
create trigger month_close_kept before update or delete on month_close for each row execute function refuse_change();
create trigger invoice_kept before update or delete on invoice for each row execute function refuse_change();
create trigger invoice_line_kept before update or delete on invoice_line for each row execute function refuse_change();
create trigger processing_fee_event_kept before update or delete on processing_fee_event
  for each row execute function refuse_change();

-- Fees that were noted before there was a ledger.
insert into ledger_entry (provider_id, kind, month, description, quantity, unit_price_cents, amount_cents, cause, source,
  processing_fee_id, booked_at, booked_by)
select f.provider_id, 'processing_fee', date_trunc('month', f.accrued_at at time zone 'Pacific/Auckland')::date,
  case f.kind when 'first' then 'Coverage processing, first set-up: ' else 'Coverage processing, update: ' end || s.file_name,
  1, f.amount_cents, f.amount_cents, 'processing_fee:' || f.id, jsonb_build_object('submission_id', f.submission_id),
  f.id, f.accrued_at, 'covermap'
from processing_fee f join submission s on s.id = f.submission_id
order by f.id;
