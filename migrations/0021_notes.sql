-- An operator's own words about a submission, so that its versions can be told apart.
alter table submission add column note text not null default '' check (char_length(note) <= 500);
