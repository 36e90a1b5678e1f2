-- Entries of credit notes are on no invoice: they are never open, and are not netted with those that the next invoice has.
alter table ledger_entry add column on_credit_note boolean not null default false,
  add constraint ledger_entry_credit_note_check check (not on_credit_note or kind = 'reversal' and not settles);

drop trigger ledger_entry_open on ledger_entry;
create trigger ledger_entry_open after insert on ledger_entry for each row
  when (not new.settles and not new.on_credit_note) execute function open_entry_added();

drop trigger credit_note_line_closes on credit_note_line;
create function credit_note_entry_made() returns trigger language plpgsql as $$
begin
  if not (select on_credit_note from ledger_entry where id = new.entry_id) then
    raise exception 'entry % is of no credit note', new.entry_id using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger credit_note_line_made after insert on credit_note_line for each row execute function credit_note_entry_made();
