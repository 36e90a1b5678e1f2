-- The ledger: charges to customers and operators, and credits.

-- The charge for coverage that the service worked out: once a submission, when it is first published.
create table processing_fee (
  id integer generated always as identity primary key,
  provider_id integer not null references provider,
  submission_id uuid not null unique references submission,
  kind text not null check (kind in ('first', 'later')),
  amount_cents integer not null check (amount_cents > 0),
  accrued_at timestamptz not null default clock_timestamp()
);
create unique index processing_fee_first on processing_fee (provider_id) where kind = 'first';
create index processing_fee_provider on processing_fee (provider_id, accrued_at);

-- The states of a processing fee, besides being invoiced: the newest row counts.
create table processing_fee_event (
  id integer generated always as identity primary key,
  fee_id integer not null references processing_fee,
  -- `unpaid`: it was called paid by mistake.
  state text not null check (state in ('paid', 'unpaid', 'waived', 'unwaived')),
  reason text not null default '',
  at timestamptz not null default clock_timestamp(),
  token_id integer references access_token,
  actor_name text not null,
  check (state = 'paid' or reason <> '')
);
create index processing_fee_event_fee on processing_fee_event (fee_id, id);
create trigger processing_fee_event_kept before update or delete on processing_fee_event
  for each row execute function refuse_change();

-- Rows are only ever added, and one cause is posted once.
create table ledger_entry (
  id bigint generated always as identity primary key,
  customer_id integer references customer,
  provider_id integer references provider,
  kind text not null check (kind in
    ('plan_fee', 'overage', 'adjustment', 'processing_fee', 'waiver', 'credit', 'charge', 'reversal')),
  -- The month that it is about.
  month date not null check (extract(day from month) = 1),
  description text not null check (description <> ''),
  quantity bigint not null check (quantity <> 0),
  unit_price_cents integer not null,
  amount_cents bigint not null check (amount_cents = quantity * unit_price_cents),
  -- As in overage:17:2026-11. `source` has what made it, with the figures that it was worked out from.
  cause text not null unique check (cause <> ''),
  source jsonb not null default '{}' check (jsonb_typeof(source) = 'object'),
  customer_plan_id integer references customer_plan,
  processing_fee_id integer references processing_fee,
  -- The entry that this one corrects: at most what is left of it, and in the other direction.
  corrects bigint references ledger_entry,
  booked_at timestamptz not null default clock_timestamp(),
  booked_by text not null,
  check (num_nonnulls(customer_id, provider_id) = 1),
  check ((kind = 'plan_fee') = (customer_plan_id is not null)),
  constraint ledger_entry_corrects_check check ((kind in ('waiver', 'reversal')) = (corrects is not null)),
  -- A waiver that is undone is of its fee, too.
  constraint ledger_entry_fee_check check (case kind
    when 'processing_fee' then processing_fee_id is not null
    when 'waiver' then processing_fee_id is not null
    when 'reversal' then true
    else processing_fee_id is null end),
  constraint ledger_entry_sign_check check (case kind
    when 'waiver' then amount_cents < 0
    when 'credit' then amount_cents < 0
    when 'charge' then amount_cents > 0
    when 'adjustment' then true
    when 'reversal' then amount_cents <> 0
    else amount_cents >= 0 end)
);
create index ledger_entry_customer on ledger_entry (customer_id, id);
create index ledger_entry_provider on ledger_entry (provider_id, id);
create index ledger_entry_fee on ledger_entry (processing_fee_id);
create index ledger_entry_plan on ledger_entry (customer_plan_id);
create index ledger_entry_corrects on ledger_entry (corrects) where corrects is not null;
-- The entries for a customer's queries of a month, and for the months of a plan.
create index ledger_entry_queries on ledger_entry (customer_id, month) where kind in ('overage', 'adjustment');
create index ledger_entry_plan_fee on ledger_entry (month, customer_plan_id) where kind = 'plan_fee';
create trigger ledger_entry_kept before update or delete on ledger_entry for each row execute function refuse_change();
create trigger ledger_entry_not_emptied before truncate on ledger_entry execute function refuse_change();

-- The rest of an entry after its corrections: nothing where it undoes a correction itself, which can only be posted anew.
create function entry_left(entry ledger_entry) returns bigint language sql stable as $$
  select case
    when exists (select from ledger_entry o where o.id = entry.corrects and o.corrects is not null) then 0
    else entry.amount_cents + coalesce((
      select sum(c.amount_cents + coalesce((select sum(u.amount_cents) from ledger_entry u where u.corrects = c.id), 0))
      from ledger_entry c where c.corrects = entry.id), 0)
  end::bigint
$$;

-- Two corrections of one entry come one after the other: the second sees the first.
create function correct_what_is_left() returns trigger language plpgsql as $$
declare
  original ledger_entry;
  remaining bigint;
begin
  select * into original from ledger_entry where id = new.corrects for no key update;
  remaining = entry_left(original);
  if (original.customer_id, original.provider_id) is distinct from (new.customer_id, new.provider_id) then
    raise exception 'entry % is of another account', new.corrects using errcode = 'check_violation';
  end if;
  if remaining = 0 or sign(new.amount_cents) = sign(original.amount_cents) or abs(new.amount_cents) > abs(remaining) then
    raise exception 'of entry % there are % cents left', new.corrects, remaining
      using errcode = 'check_violation', constraint = 'ledger_entry_left';
  end if;
  return new;
end $$;
create trigger ledger_entry_corrected before insert on ledger_entry for each row
  when (new.corrects is not null) execute function correct_what_is_left();

-- Entries that are on no invoice yet.
create table open_entry (
  entry_id bigint primary key references ledger_entry
);

-- An entry that is on no invoice yet and comes to nothing together with its corrections is on none: nobody has to read of it.
create function open_entry_added() returns trigger language plpgsql as $$
declare
  root bigint;
  family bigint[];
begin
  insert into open_entry (entry_id) values (new.id);
  if new.corrects is not null then
    select coalesce(o.corrects, o.id) into root from ledger_entry o where o.id = new.corrects;
    family = array(
      select e.id from open_entry p join ledger_entry e on e.id = p.entry_id
      where e.id = root or e.corrects = root or e.corrects in (select id from ledger_entry where corrects = root));
    if (select sum(amount_cents) from ledger_entry where id = any(family)) = 0 then
      delete from open_entry where entry_id = any(family);
    end if;
  end if;
  return null;
end $$;
create trigger ledger_entry_open after insert on ledger_entry for each row execute function open_entry_added();
