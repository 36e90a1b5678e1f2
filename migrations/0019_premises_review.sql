-- The premises that publishing a dataset would change, for its review.

-- The Mbps down of the best available tier before and after at each of the premises, in the order of their numbers: deflated pairs of kbit/s, 0 for none.
alter table premises_change add column speeds bytea not null;
-- How many of the premises lie in which suburb, the most first: [{suburb, town, premises, west, south, east, north}]
alter table premises_change add column suburbs jsonb not null;

-- `premises_compared` of a dataset is negative while it is being compared with that version of the premises. Whatever is counted anew makes the
-- comparisons with it void, also one that is under way.
create function void_premises_change() returns trigger language plpgsql as $$
begin
  update dataset set premises_compared = null
  where state in ('loading', 'ready') and (id = new.id or compared_with = new.id or new.id = any (compared_beside));
  return null;
end $$;
create trigger premises_counted after update of premises_version on dataset
  for each row execute function void_premises_change();
