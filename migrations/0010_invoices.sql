-- Months that are closed, and invoices. Papers stay as they were issued.

-- Every month before the newest of them is closed, too.
create table month_close (
  month date primary key check (extract(day from month) = 1),
  closed_at timestamptz not null default clock_timestamp(),
  closed_by text not null
);
create function close_in_order() returns trigger language plpgsql as $$
begin
  if exists (select from month_close)
      and (select max(month) from month_close) <> (new.month - interval '1 month')::date then
    raise exception '% does not follow the month that was closed last', new.month using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger month_close_in_order before insert on month_close for each row execute function close_in_order();
create trigger month_close_kept before update or delete on month_close for each row execute function refuse_change();
create trigger month_close_not_emptied before truncate on month_close execute function refuse_change();

-- The recipients of invoices, besides their names.
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

-- The issuer of invoices, as an API process that started was configured: the newest row holds for those issued from then on.
create table invoice_issuer (
  id integer generated always as identity primary key,
  name text not null,
  address text not null,
  gst_number text not null,
  payment text not null,
  since timestamptz not null default clock_timestamp()
);
create trigger invoice_issuer_kept before update or delete on invoice_issuer for each row execute function refuse_change();
create trigger invoice_issuer_not_emptied before truncate on invoice_issuer execute function refuse_change();

-- The next invoice takes its number from here, in its own transaction: one that is rolled back takes none.
create table invoice_counter (
  one boolean primary key default true check (one),
  last integer not null default 0 check (last >= 0)
);
insert into invoice_counter default values;

create table invoice (
  number integer primary key check (number > 0),
  customer_id integer references customer,
  provider_id integer references provider,
  -- As customer:17.
  account text generated always as
    (case when customer_id is null then 'operator:' || provider_id::text else 'customer:' || customer_id::text end) stored,
  month date not null,
  -- `month`: it was made by closing its month. `plan_start`: a plan has started, and its first month is paid in advance.
  occasion text not null default 'month' check (occasion in ('month', 'plan_start')),
  closed_month date generated always as (case occasion when 'month' then month end) stored references month_close,
  -- Null: it was issued before any issuer was known here, and is of the first that is.
  issuer_id integer references invoice_issuer,
  -- The recipient's name, address and contact as they were then; the law asks for them above a certain amount.
  recipient text not null,
  recipient_address text not null default '',
  recipient_contact text not null default '',
  issued_on date not null,
  due_on date check (due_on >= issued_on),
  -- Of a customer: the month's queries, and how they were told apart.
  usage jsonb check (jsonb_typeof(usage) = 'object'),
  subtotal_cents bigint not null,
  gst_percent integer not null,
  gst_cents bigint not null,
  total_cents bigint not null check (total_cents = subtotal_cents + gst_cents),
  -- The account's invoice before it, and what that left to the account's credit. With GST, as all of these.
  previous integer,
  brought_forward_cents bigint not null check (brought_forward_cents >= 0),
  -- The amount to be paid, or that the next invoice begins with.
  due_cents bigint not null check (due_cents >= 0),
  carried_forward_cents bigint not null check (carried_forward_cents >= 0),
  created_at timestamptz not null default clock_timestamp(),
  check (num_nonnulls(customer_id, provider_id) = 1),
  constraint invoice_usage_of_month_check
    check ((usage is not null) = (customer_id is not null and occasion = 'month')),
  constraint invoice_not_zero check (subtotal_cents <> 0),
  constraint invoice_due_check check ((due_on is not null) = (due_cents > 0)),
  constraint invoice_balance_check
    check (due_cents - carried_forward_cents = total_cents - brought_forward_cents),
  constraint invoice_credit_used check (due_cents = 0 or carried_forward_cents = 0),
  constraint invoice_first_check check (previous is not null or brought_forward_cents = 0),
  constraint invoice_order_check check (previous < number),
  -- A credit is carried from an account's invoice to its next one and to no other, whoever makes invoices at once.
  constraint invoice_carried unique (number, account, carried_forward_cents),
  constraint invoice_followed_once unique (previous),
  constraint invoice_brought_forward foreign key (previous, account, brought_forward_cents)
    references invoice (number, account, carried_forward_cents)
);
create unique index invoice_of_customer on invoice (customer_id, month) where occasion = 'month';
create unique index invoice_of_provider on invoice (provider_id, month) where occasion = 'month';
create unique index invoice_first_of_account on invoice (account) where previous is null;
create index invoice_by_account on invoice (account, number);
create index invoice_month on invoice (month);
create trigger invoice_kept before update or delete on invoice for each row execute function refuse_change();
create trigger invoice_not_emptied before truncate on invoice execute function refuse_change();

-- A line is an entry of the ledger, and an entry is on one line.
create table invoice_line (
  invoice_number integer not null references invoice,
  position smallint not null check (position > 0),
  entry_id bigint not null unique references ledger_entry,
  primary key (invoice_number, position)
);
create trigger invoice_line_kept before update or delete on invoice_line for each row execute function refuse_change();
create trigger invoice_line_not_emptied before truncate on invoice_line execute function refuse_change();

create function open_entry_invoiced() returns trigger language plpgsql as $$
begin
  delete from open_entry where entry_id = new.entry_id;
  if not found then
    raise exception 'entry % is not open', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger invoice_line_closes after insert on invoice_line for each row execute function open_entry_invoiced();
