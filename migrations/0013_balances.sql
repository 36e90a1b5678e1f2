-- Entries that correct others, credits that are carried from invoice to invoice, months that close in order, plans that are
-- invoiced when they start, and what an invoice says of whom it is for.

-- Who bills at this moment comes before or after all of this.
lock table ledger_entry, invoice, invoice_line, month_close in share row exclusive mode;

-- All terms are in one place, by the month from which they hold.
alter table billing_terms
  -- Coverage that the service processes for an operator: its first, and each later one.
  add column first_processing_cents integer not null default 100000 check (first_processing_cents >= 0),
  add column later_processing_cents integer not null default 25000 check (later_processing_cents >= 0),
  -- From an invoice to when it is to be paid.
  add column due_days integer not null default 20 check (due_days between 0 and 365);
alter table billing_terms
  alter column first_processing_cents drop default,
  alter column later_processing_cents drop default,
  alter column due_days drop default;

-- What corrects an entry names it: at most what is left of it, and in the other direction.
alter table ledger_entry
  add column corrects bigint references ledger_entry,
  drop constraint ledger_entry_kind_check,
  drop constraint ledger_entry_check3,
  drop constraint ledger_entry_check4,
  drop constraint ledger_entry_check5;
alter table ledger_entry disable trigger ledger_entry_kept;
update ledger_entry w set corrects = f.id from ledger_entry f
where w.kind = 'waiver' and f.kind = 'processing_fee' and f.processing_fee_id = w.processing_fee_id;
alter table ledger_entry enable trigger ledger_entry_kept;
alter table ledger_entry
  add constraint ledger_entry_kind_check check (kind in
    ('plan_fee', 'overage', 'adjustment', 'processing_fee', 'waiver', 'credit', 'charge', 'reversal')),
  add constraint ledger_entry_corrects_check check ((kind in ('waiver', 'reversal')) = (corrects is not null)),
  -- A waiver that is undone is of its fee, too.
  add constraint ledger_entry_fee_check check (case kind
    when 'processing_fee' then processing_fee_id is not null
    when 'waiver' then processing_fee_id is not null
    when 'reversal' then true
    else processing_fee_id is null end),
  add constraint ledger_entry_sign_check check (case kind
    when 'waiver' then amount_cents < 0
    when 'credit' then amount_cents < 0
    when 'charge' then amount_cents > 0
    when 'adjustment' then true
    when 'reversal' then amount_cents <> 0
    else amount_cents >= 0 end);
create index ledger_entry_corrects on ledger_entry (corrects) where corrects is not null;

-- What of an entry has not been taken back: nothing where it undoes a correction itself, which can only be booked anew.
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

-- What is on no invoice yet and comes to nothing together with its corrections is on none: nobody has to read of it.
create or replace function open_entry_added() returns trigger language plpgsql as $$
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
create or replace function open_entry_invoiced() returns trigger language plpgsql as $$
begin
  delete from open_entry where entry_id = new.entry_id;
  if not found then
    raise exception 'entry % is not open', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;

-- A waiver can be undone, and the fee waived again.
alter table processing_fee_event
  drop constraint processing_fee_event_state_check,
  add constraint processing_fee_event_state_check check (state in ('paid', 'unpaid', 'waived', 'unwaived'));
drop index processing_fee_waived_once;

-- No month is left out.
create function close_in_order() returns trigger language plpgsql as $$
begin
  if exists (select from month_close)
      and (select max(month) from month_close) <> (new.month - interval '1 month')::date then
    raise exception '% does not follow the month that was closed last', new.month using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger month_close_in_order before insert on month_close for each row execute function close_in_order();

alter table invoice
  -- `month`: it was made by closing its month. `plan_start`: a plan has started, and its first month is paid in advance.
  add column occasion text not null default 'month' check (occasion in ('month', 'plan_start')),
  drop constraint invoice_month_fkey,
  add column closed_month date generated always as (case occasion when 'month' then month end) stored references month_close,
  -- Whose it is, as customer:17.
  add column account text generated always as
    (case when customer_id is null then 'operator:' || provider_id::text else 'customer:' || customer_id::text end) stored,
  -- How the recipient could be reached then; what the law asks for above a certain amount.
  add column recipient_address text not null default '',
  add column recipient_contact text not null default '',
  drop constraint invoice_check3,
  add constraint invoice_usage_of_month_check
    check ((usage is not null) = (customer_id is not null and occasion = 'month')),
  -- The account's invoice before it, and what that left to the account's credit. With GST, as all of these.
  add column previous integer,
  add column brought_forward_cents bigint check (brought_forward_cents >= 0),
  -- What is to be paid, or what the next invoice begins with.
  add column due_cents bigint check (due_cents >= 0),
  add column carried_forward_cents bigint check (carried_forward_cents >= 0),
  alter column due_on drop not null;
drop index invoice_of_customer;
drop index invoice_of_provider;
create unique index invoice_of_customer on invoice (customer_id, month) where occasion = 'month';
create unique index invoice_of_provider on invoice (provider_id, month) where occasion = 'month';

-- Invoices that there are were to be paid in full; what was below zero is a credit that nobody has used so far.
alter table invoice disable trigger invoice_kept;
update invoice i set previous = b.previous, brought_forward_cents = b.brought, due_cents = greatest(i.total_cents, 0),
  carried_forward_cents = b.brought + greatest(-i.total_cents, 0)
from (
  select number, lag(number) over by_account as previous,
    coalesce(sum(greatest(-total_cents, 0)) over (by_account rows between unbounded preceding and 1 preceding), 0)::bigint as brought
  from invoice window by_account as (partition by account order by number)
) as b
where b.number = i.number;
alter table invoice enable trigger invoice_kept;

-- A credit is carried from an account's invoice to its next one and to no other, whoever makes invoices at once.
alter table invoice
  alter column brought_forward_cents set not null,
  alter column due_cents set not null,
  alter column carried_forward_cents set not null,
  add constraint invoice_balance_check
    check (due_cents - carried_forward_cents = total_cents - brought_forward_cents),
  add constraint invoice_first_check check (previous is not null or brought_forward_cents = 0),
  add constraint invoice_order_check check (previous < number),
  add constraint invoice_carried unique (number, account, carried_forward_cents),
  add constraint invoice_followed_once unique (previous),
  add constraint invoice_brought_forward foreign key (previous, account, brought_forward_cents)
    references invoice (number, account, carried_forward_cents),
  -- Of those that are there already some are to be paid in spite of a credit, or come to nothing.
  add constraint invoice_credit_used check (due_cents = 0 or carried_forward_cents = 0) not valid,
  add constraint invoice_due_check check ((due_on is not null) = (due_cents > 0)) not valid,
  add constraint invoice_not_zero check (subtotal_cents <> 0) not valid;
create unique index invoice_first_of_account on invoice (account) where previous is null;
create index invoice_by_account on invoice (account, number);

-- Whom invoices are for, besides the name.
create table billing_contact (
  id integer generated always as identity primary key,
  customer_id integer unique references customer,
  provider_id integer unique references provider,
  -- As it is printed, lines and all.
  address text not null default '' check (length(address) <= 500),
  -- A mail address, a telephone number, an NZBN or a website.
  contact text not null default '' check (length(contact) <= 200),
  check (num_nonnulls(customer_id, provider_id) = 1)
);

-- Plans as they were before a notice was given: they come back where it is withdrawn.
create table plan_before_notice (
  customer_id integer not null references customer,
  plan text not null references plan,
  begins date not null,
  ends date check (ends > begins),
  primary key (customer_id, begins)
);
