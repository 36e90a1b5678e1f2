-- The lines about which staff have decided nothing: pages that show what waits read these alone, however many there were.
create table open_bank_line (
  line_id integer primary key references bank_line on delete cascade
);
insert into open_bank_line (line_id)
  select id from bank_line l where not exists (select from bank_match m where m.line_id = l.id);

create function bank_line_opens() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'bank_line' then
    insert into open_bank_line (line_id) values (new.id);
  elsif tg_op = 'INSERT' then
    delete from open_bank_line where line_id = new.line_id;
  else
    insert into open_bank_line (line_id) values (old.line_id);
  end if;
  return null;
end $$;
create trigger bank_line_open after insert on bank_line for each row execute function bank_line_opens();
create trigger bank_match_open after insert or delete on bank_match for each row execute function bank_line_opens();
