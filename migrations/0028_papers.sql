-- PDF files as they were first printed: every later print is the same, byte for byte, also where the layout has changed.
create table paper (
  kind text not null check (kind in ('invoice', 'credit_note', 'receipt')),
  -- Of the invoice, of the credit note; of a receipt the payment's entry.
  number bigint not null check (number > 0),
  bytes bytea not null check (length(bytes) between 1 and 20000000),
  sha256 bytea not null generated always as (sha256(bytes)) stored,
  made_at timestamptz not null default clock_timestamp(),
  primary key (kind, number)
);
create trigger paper_kept before update or delete on paper for each row execute function refuse_change();
create trigger paper_not_emptied before truncate on paper execute function refuse_change();
