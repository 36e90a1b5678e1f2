-- What is paid, credited and written off, and which invoice it settles. With GST, in cents, as papers have it.

-- Payments, refunds and write-offs are entries of the ledger that settle invoices and are on none themselves; so are their reversals.
alter table ledger_entry
  add column settles boolean not null default false,
  drop constraint ledger_entry_kind_check,
  add constraint ledger_entry_kind_check check (kind in ('plan_fee', 'overage', 'adjustment', 'processing_fee', 'waiver', 'credit',
    'charge', 'reversal', 'payment', 'refund', 'write_off')),
  add constraint ledger_entry_settles_check check (case
    when kind in ('payment', 'refund', 'write_off') then settles
    else kind = 'reversal' or not settles end),
  drop constraint ledger_entry_sign_check,
  add constraint ledger_entry_sign_check check (case kind
    when 'waiver' then amount_cents < 0
    when 'credit' then amount_cents < 0
    when 'payment' then amount_cents < 0
    when 'write_off' then amount_cents < 0
    when 'charge' then amount_cents > 0
    when 'refund' then amount_cents > 0
    when 'adjustment' then true
    when 'reversal' then amount_cents <> 0
    else amount_cents >= 0 end);
-- As `account` of invoices is made.
create index ledger_entry_settles on ledger_entry
  ((case when customer_id is null then 'operator:' || provider_id::text else 'customer:' || customer_id::text end)) where settles;

-- What settles is reversed as a whole, and by what settles.
create function reverse_what_settles() returns trigger language plpgsql as $$
declare
  original ledger_entry;
begin
  select * into original from ledger_entry where id = new.corrects;
  if new.settles <> original.settles or (new.settles and new.amount_cents <> -original.amount_cents) then
    raise exception 'entry % is not reversed as a whole by what settles', new.corrects
      using errcode = 'check_violation', constraint = 'ledger_entry_settles_check';
  end if;
  return new;
end $$;
create trigger ledger_entry_settling before insert on ledger_entry for each row
  when (new.corrects is not null) execute function reverse_what_settles();

drop trigger ledger_entry_open on ledger_entry;
create trigger ledger_entry_open after insert on ledger_entry for each row
  when (not new.settles) execute function open_entry_added();

-- The day and the bank's words of each entry that settles.
create table payment (
  entry_id bigint primary key references ledger_entry,
  -- The day on the bank's statement; of a write-off and of a reversal the day on which it counts.
  on_day date not null,
  -- Null for a write-off.
  method text check (method in ('bank_transfer', 'card', 'cash', 'other')),
  -- As New Zealand's banks have them.
  particulars text not null default '' check (length(particulars) <= 12),
  code text not null default '' check (length(code) <= 12),
  reference text not null default '' check (length(reference) <= 12),
  -- The GST in what is written off.
  gst_cents bigint
);
create index payment_day on payment (on_day);
create trigger payment_kept before update or delete on payment for each row execute function refuse_change();
create trigger payment_not_emptied before truncate on payment execute function refuse_change();

-- Corrects an invoice that was issued: New Zealand's supply correction information.
create table credit_note_counter (
  one boolean primary key default true check (one),
  last integer not null default 0 check (last >= 0)
);
insert into credit_note_counter default values;

create table credit_note (
  number integer primary key check (number > 0),
  customer_id integer references customer,
  provider_id integer references provider,
  account text generated always as
    (case when customer_id is null then 'operator:' || provider_id::text else 'customer:' || customer_id::text end) stored,
  invoice_number integer not null references invoice,
  -- The credit note that this one undoes: its amounts are below zero.
  undoes integer unique references credit_note,
  reason text not null check (reason <> '' and length(reason) <= 500),
  issuer_id integer references invoice_issuer,
  recipient text not null,
  recipient_address text not null default '',
  recipient_contact text not null default '',
  issued_on date not null,
  -- Of the invoice. The GST of all credit notes of an invoice is rounded once.
  gst_percent integer not null,
  subtotal_cents bigint not null,
  gst_cents bigint not null,
  total_cents bigint not null check (total_cents = subtotal_cents + gst_cents),
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null,
  check (num_nonnulls(customer_id, provider_id) = 1),
  constraint credit_note_sign_check check (case when undoes is null then subtotal_cents > 0 and gst_cents >= 0
    else subtotal_cents < 0 and gst_cents <= 0 end)
);
create index credit_note_account on credit_note (account, number);
create index credit_note_invoice on credit_note (invoice_number);
create trigger credit_note_kept before update or delete on credit_note for each row execute function refuse_change();
create trigger credit_note_not_emptied before truncate on credit_note execute function refuse_change();

create table credit_note_line (
  credit_note_number integer not null references credit_note,
  position smallint not null check (position > 0),
  entry_id bigint not null unique references ledger_entry,
  primary key (credit_note_number, position)
);
create trigger credit_note_line_kept before update or delete on credit_note_line for each row execute function refuse_change();
create trigger credit_note_line_not_emptied before truncate on credit_note_line execute function refuse_change();
-- An entry is on an invoice or on a credit note.
create trigger credit_note_line_closes after insert on credit_note_line for each row execute function open_entry_invoiced();

-- Money that came in or was credited, and what took money out, with the day from which each counts. `from_` is as in `allocation`.
create view receivable_source as
  select case when e.customer_id is null then 'operator:' || e.provider_id::text else 'customer:' || e.customer_id::text end as account, e.id as from_entry,
    null::integer as from_credit_note, null::integer as from_invoice, -e.amount_cents as amount_cents, p.on_day
  from ledger_entry e join payment p on p.entry_id = e.id where e.settles and e.amount_cents < 0
  union all
  select account, null, number, null, total_cents, issued_on from credit_note where total_cents > 0
  union all
  select account, null, null, number, -total_cents, issued_on from invoice where total_cents < 0;
create view receivable_target as
  select account, number as to_invoice, null::bigint as to_entry, null::integer as to_credit_note, total_cents as amount_cents,
    issued_on as on_day
  from invoice where total_cents > 0
  union all
  select case when e.customer_id is null then 'operator:' || e.provider_id::text else 'customer:' || e.customer_id::text end, null, e.id, null, e.amount_cents, p.on_day
  from ledger_entry e join payment p on p.entry_id = e.id where e.settles and e.amount_cents > 0
  union all
  select account, null, null, number, -total_cents, issued_on from credit_note where total_cents < 0;

-- Which money settles what. Rows are only ever added: one with a negative amount takes back.
create table allocation (
  id bigint generated always as identity primary key,
  from_entry bigint references ledger_entry,
  from_credit_note integer references credit_note,
  from_invoice integer references invoice,
  -- An invoice; a refund, or the reversal of the entry; the credit note that undoes.
  to_invoice integer references invoice,
  to_entry bigint references ledger_entry,
  to_credit_note integer references credit_note,
  amount_cents bigint not null check (amount_cents <> 0),
  -- The day in New Zealand from which it counts.
  on_day date not null,
  at timestamptz not null default clock_timestamp(),
  by_name text not null,
  check (num_nonnulls(from_entry, from_credit_note, from_invoice) = 1),
  check (num_nonnulls(to_invoice, to_entry, to_credit_note) = 1)
);
create index allocation_from_entry on allocation (from_entry) where from_entry is not null;
create index allocation_from_credit_note on allocation (from_credit_note) where from_credit_note is not null;
create index allocation_from_invoice on allocation (from_invoice) where from_invoice is not null;
create index allocation_to_invoice on allocation (to_invoice) where to_invoice is not null;
create index allocation_to_entry on allocation (to_entry) where to_entry is not null;
create index allocation_to_credit_note on allocation (to_credit_note) where to_credit_note is not null;
create trigger allocation_kept before update or delete on allocation for each row execute function refuse_change();
create trigger allocation_not_emptied before truncate on allocation execute function refuse_change();

-- What is left of each source: all of an account's is its credit. Triggers keep it: reading it does not grow with the years.
create table credit_left (
  account text not null,
  from_entry bigint unique references ledger_entry,
  from_credit_note integer unique references credit_note,
  from_invoice integer unique references invoice,
  on_day date not null,
  left_cents bigint not null check (left_cents > 0),
  check (num_nonnulls(from_entry, from_credit_note, from_invoice) = 1)
);
create index credit_left_account on credit_left (account);

-- The invoices that are not settled, with what is left to pay.
create table open_invoice (
  number integer primary key references invoice,
  left_cents bigint not null check (left_cents > 0)
);

create function source_added() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'payment' then
    insert into credit_left (account, from_entry, on_day, left_cents)
      select account, from_entry, on_day, amount_cents from receivable_source where from_entry = new.entry_id;
  elsif tg_table_name = 'credit_note' then
    insert into credit_left (account, from_credit_note, on_day, left_cents)
      select account, from_credit_note, on_day, amount_cents from receivable_source where from_credit_note = new.number;
  elsif new.total_cents < 0 then
    insert into credit_left (account, from_invoice, on_day, left_cents)
      values (new.account, new.number, new.issued_on, -new.total_cents);
  else
    insert into open_invoice (number, left_cents) values (new.number, new.total_cents);
  end if;
  return null;
end $$;
create trigger payment_source after insert on payment for each row execute function source_added();
create trigger credit_note_source after insert on credit_note for each row execute function source_added();
create trigger invoice_source after insert on invoice for each row execute function source_added();
insert into credit_left (account, from_invoice, on_day, left_cents)
  select account, number, issued_on, -total_cents from invoice where total_cents < 0;
insert into open_invoice (number, left_cents) select number, total_cents from invoice where total_cents > 0;

-- No more is settled than is owed, with no more than there is, within one account. Two allocations come one after the other.
create function allocate_what_is_left() returns trigger language plpgsql as $$
declare
  source receivable_source;
  target receivable_target;
  used bigint;
  met bigint;
  between_them bigint;
begin
  perform from ledger_entry where id in (new.from_entry, new.to_entry) order by id for no key update;
  perform from credit_note where number in (new.from_credit_note, new.to_credit_note) order by number for no key update;
  perform from invoice where number in (new.from_invoice, new.to_invoice) order by number for no key update;
  -- Each by its own index.
  if new.from_entry is not null then
    select * into source from receivable_source where from_entry = new.from_entry;
    select coalesce(sum(amount_cents), 0) into used from allocation where from_entry = new.from_entry;
  elsif new.from_credit_note is not null then
    select * into source from receivable_source where from_credit_note = new.from_credit_note;
    select coalesce(sum(amount_cents), 0) into used from allocation where from_credit_note = new.from_credit_note;
  else
    select * into source from receivable_source where from_invoice = new.from_invoice;
    select coalesce(sum(amount_cents), 0) into used from allocation where from_invoice = new.from_invoice;
  end if;
  if new.to_invoice is not null then
    select * into target from receivable_target where to_invoice = new.to_invoice;
    select coalesce(sum(a.amount_cents), 0), coalesce(sum(a.amount_cents) filter (where
        (a.from_entry, a.from_credit_note, a.from_invoice) is not distinct from (new.from_entry, new.from_credit_note, new.from_invoice)), 0)
      into met, between_them from allocation a where a.to_invoice = new.to_invoice;
  elsif new.to_entry is not null then
    select * into target from receivable_target where to_entry = new.to_entry;
    select coalesce(sum(a.amount_cents), 0), coalesce(sum(a.amount_cents) filter (where
        (a.from_entry, a.from_credit_note, a.from_invoice) is not distinct from (new.from_entry, new.from_credit_note, new.from_invoice)), 0)
      into met, between_them from allocation a where a.to_entry = new.to_entry;
  else
    select * into target from receivable_target where to_credit_note = new.to_credit_note;
    select coalesce(sum(a.amount_cents), 0), coalesce(sum(a.amount_cents) filter (where
        (a.from_entry, a.from_credit_note, a.from_invoice) is not distinct from (new.from_entry, new.from_credit_note, new.from_invoice)), 0)
      into met, between_them from allocation a where a.to_credit_note = new.to_credit_note;
  end if;
  if source.account is distinct from target.account or source.account is null or new.on_day < greatest(source.on_day, target.on_day) then
    raise exception 'what settles is of another account, or of a later day'
      using errcode = 'check_violation', constraint = 'allocation_account';
  end if;
  used = used + new.amount_cents;
  met = met + new.amount_cents;
  if used > source.amount_cents or met > target.amount_cents or between_them + new.amount_cents < 0 then
    raise exception 'more is settled than is left' using errcode = 'check_violation', constraint = 'allocation_left';
  end if;
  delete from credit_left where from_entry = new.from_entry;
  delete from credit_left where from_credit_note = new.from_credit_note;
  delete from credit_left where from_invoice = new.from_invoice;
  if used < source.amount_cents then
    insert into credit_left values (source.account, source.from_entry, source.from_credit_note, source.from_invoice, source.on_day,
      source.amount_cents - used);
  end if;
  if new.to_invoice is not null then
    delete from open_invoice where number = new.to_invoice;
    if met < target.amount_cents then
      insert into open_invoice values (new.to_invoice, target.amount_cents - met);
    end if;
  end if;
  return new;
end $$;
create trigger allocation_within before insert on allocation for each row execute function allocate_what_is_left();

-- An account's credit now changes between its invoices, too: what an invoice brings forward is the credit at its issue.
alter table invoice drop constraint invoice_brought_forward, drop constraint invoice_first_check;

-- Credit of invoices before: each was used up by those after it, the oldest first.
do $$
declare
  paid record;
  credit record;
  missing bigint;
  part bigint;
begin
  for paid in select number, account, issued_on, total_cents - due_cents as used from invoice
      where total_cents > 0 and total_cents > due_cents order by number loop
    missing = paid.used;
    for credit in select from_invoice, left_cents from credit_left
        where account = paid.account and from_invoice < paid.number and left_cents > 0 order by from_invoice loop
      part = least(missing, credit.left_cents);
      insert into allocation (from_invoice, to_invoice, amount_cents, on_day, by_name)
      values (credit.from_invoice, paid.number, part, paid.issued_on, 'covermap');
      missing = missing - part;
      exit when missing = 0;
    end loop;
  end loop;
end $$;

-- What an invoice says was paid from credit is allocated to it when its transaction ends.
create function invoice_uses_credit() returns trigger language plpgsql as $$
begin
  if new.total_cents > 0 and new.total_cents - new.due_cents >
      coalesce((select sum(amount_cents) from allocation where to_invoice = new.number), 0) then
    raise exception 'the credit that invoice % uses is not allocated to it', new.number
      using errcode = 'check_violation', constraint = 'invoice_uses_credit';
  end if;
  return null;
end $$;
create constraint trigger invoice_credit_allocated after insert on invoice deferrable initially deferred
  for each row execute function invoice_uses_credit();
