-- What came in at the bank, by its files, and which line is which payment.

-- Files of other banks: which of their columns is which, named once and recognised by their headings from then on.
create table bank_layout (
  id integer generated always as identity primary key,
  name text not null check (name <> '' and length(name) <= 100),
  headings text[] not null unique,
  columns jsonb not null check (jsonb_typeof(columns) = 'object'),
  -- The order of day, month and year, where the file alone does not say it.
  dates text check (dates in ('dmy', 'mdy', 'ymd')),
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null
);
create unique index bank_layout_name on bank_layout (lower(name));

create table bank_file (
  id integer generated always as identity primary key,
  name text not null,
  -- The bank, or the name of the layout.
  bank text not null,
  -- As the file has it; empty where it does not say.
  account text not null,
  -- Lines that were not kept: of files before, and what went out or was nothing.
  known integer not null,
  debits integer not null,
  zeros integer not null,
  created_at timestamptz not null default clock_timestamp(),
  created_by text not null
);

create table bank_line (
  id integer generated always as identity primary key,
  file_id integer not null references bank_file on delete cascade,
  -- The line of the file, from 1.
  line integer not null,
  -- The bank's own id of it in its account; else account, day, amount, all texts, and which one of equal ones of its day.
  identity text not null unique,
  on_day date not null,
  amount_cents bigint not null check (amount_cents > 0),
  payer text not null,
  particulars text not null,
  code text not null,
  reference text not null,
  -- Its other texts.
  details text not null
);
create index bank_line_file on bank_line (file_id);
create index bank_line_day on bank_line (on_day);
create trigger bank_line_kept before update on bank_line for each row execute function refuse_change();

-- What staff decided about a line: one at a time, so that no two make a payment of it. The audit log keeps those before.
create table bank_match (
  line_id integer primary key references bank_line,
  -- Its payment; null: it is no customer's payment.
  entry_id bigint unique references payment,
  at timestamptz not null default clock_timestamp(),
  by_name text not null
);
create trigger bank_match_kept before update on bank_match for each row execute function refuse_change();

-- A line whose payment is reversed is open again.
create function payment_of_line_reversed() returns trigger language plpgsql as $$
begin
  delete from bank_match where entry_id = new.corrects;
  return null;
end $$;
create trigger ledger_entry_opens_bank_line after insert on ledger_entry for each row
  when (new.settles and new.corrects is not null) execute function payment_of_line_reversed();
