-- A dataset has some hundreds of tiers at most: those of published datasets are in the memory of every process.

create function limit_tiers() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct dataset_id from added) as a
    where (select count(*) from tier t where t.dataset_id = a.dataset_id) > 500
  ) then
    raise exception 'a dataset has at most 500 tiers' using errcode = 'check_violation';
  end if;
  return null;
end
$$;

create trigger tier_limit after insert on tier
referencing new table as added
for each statement execute function limit_tiers();
