-- What files call a technology, and which speeds it has: a technology is rows of these tables, and no code names one.
alter table technology
  -- In Mbps. More is likely to be in another unit.
  add column plausible_mbps integer not null default 10000 check (plausible_mbps > 0);
update technology set plausible_mbps = 100 where name = 'adsl';
update technology set plausible_mbps = 1000 where name = 'vdsl';
update technology set plausible_mbps = 5000 where name = 'wireless';

-- Answers and lists name all technologies: processes that run learn of a new one.
create function technology_changes_catalog() returns trigger language plpgsql as $$
begin
  update catalog set version = version + 1;
  return null;
end $$;
create trigger technology_changes_catalog after insert or update on technology
  for each statement execute function technology_changes_catalog();

-- Other words for a technology than its name and its label.
create table technology_word (
  -- In lower case, with single blanks for other marks. A version may follow in files: "DOCSIS 3.1" is docsis.
  word text primary key check (word ~ '^[a-z0-9]+( [a-z0-9]+)*$' and char_length(word) <= 60),
  technology_id smallint not null references technology,
  -- A number that means the technology only where an attribute is one of technologies.
  is_code boolean not null default false
);
create index technology_word_technology on technology_word (technology_id);

-- Unspecified copper counts as the slower one.
insert into technology_word (technology_id, word)
select id, regexp_split_to_table(words, ', ')
from technology join (values
  ('fibre', 'fiber, fibre optic, fiber optic, optical fibre, optical fiber, fttp, ftth, fttb, gpon, pon, xgspon, xgs pon, ufb'),
  ('cable', 'hfc, coax, docsis'),
  ('vdsl', 'fttn, fttc'),
  ('adsl', 'dsl, copper'),
  ('wireless', 'fwa, fixed wireless, fixed wireless access, rbi, wisp, wimax, lte, 4g, 5g')
) as known (name, words) using (name);

-- The codes of the American Broadband Data Collection (FCC, "BDC Data Specifications", 2022), without satellites.
insert into technology_word (technology_id, word, is_code)
select id, regexp_split_to_table(codes, ', '), true
from technology join (values ('adsl', '10'), ('cable', '40'), ('fibre', '50'), ('wireless', '70, 71, 72')) as known (name, codes) using (name);
