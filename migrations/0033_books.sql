-- Files for Xero, as staff made them: each invoice, credit note, payment and write-off is in one of them.
create table books_export (
  id integer generated always as identity primary key,
  from_day date not null,
  to_day date not null,
  made_at timestamptz not null,
  made_by text not null,
  -- Its files were not imported: its rows are in the next ones.
  taken_back_at timestamptz,
  taken_back_by text,
  reason text check (reason <> '' and length(reason) <= 300),
  check (to_day >= from_day),
  check (num_nonnulls(taken_back_at, taken_back_by, reason) in (0, 3))
);
create trigger books_export_taken_back_once before update on books_export for each row
  when (old.taken_back_at is not null) execute function refuse_change();
create trigger books_export_kept before delete on books_export for each row execute function refuse_change();

-- What is in the files of exports that were not taken back: nobody, and no two at once, export a row twice.
create table books_export_item (
  export_id integer not null references books_export,
  invoice integer unique references invoice,
  credit_note integer unique references credit_note,
  entry bigint unique references payment,
  check (num_nonnulls(invoice, credit_note, entry) = 1)
);
create index books_export_item_export on books_export_item (export_id);

-- The files, byte for byte.
create table books_file (
  export_id integer not null references books_export,
  position smallint not null check (position > 0),
  kind text not null check (kind in ('invoices', 'credit_notes', 'payments')),
  -- Its papers or payments, its lines without the headings, and what they come to with GST.
  documents integer not null check (documents > 0),
  lines integer not null check (lines >= documents),
  total_cents bigint not null,
  bytes bytea not null,
  primary key (export_id, position)
);
create trigger books_file_kept before update or delete on books_file for each row execute function refuse_change();
create trigger books_file_not_emptied before truncate on books_file execute function refuse_change();
