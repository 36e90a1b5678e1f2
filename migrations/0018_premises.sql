-- Premises: the distinct places of addresses. How many of them coverage reaches is counted, tier by tier.

create table premises (
  -- The bit of these premises in every set of premises. Given once: places that come later get higher numbers, and those that go leave theirs unused.
  -- Numbers of one import follow each other along bands of latitude, so neighbours on the ground are mostly neighbours in a set.
  number integer primary key check (number >= 0),
  -- In 1e-7 degrees, as in `address`.
  lng integer not null,
  lat integer not null
);
-- As `address_place`: neighbours lie together.
create unique index premises_place on premises ((lat / 100000), lng, lat);

-- The version of `premises`: that of the list whose import has last added or removed some. 0: there are none.
alter table address_list add column premises_version bigint not null default 0;
-- The number of the premises that come next.
alter table address_list add column next_premises integer not null default 0;

-- Those of a list that was imported before this.
insert into premises (number, lng, lat)
select row_number() over (order by lat / 100000, lng, lat) - 1, lng, lat from (select distinct lng, lat from address) as place;
update address_list set premises_version = version, next_premises = (select count(*) from premises)
where exists (select from premises);

-- The version of `premises` with which the premises of a dataset's tiers were counted; null: not yet, or not wholly.
alter table dataset add column premises_version bigint;
-- How many premises they have in service: those that a tier covers which is available.
alter table dataset add column premises_covered integer check (premises_covered >= 0);
-- The difference in premises from the versions that it was compared with (`compared_with`, `compared_beside`), and the version of `premises` it was made with.
alter table dataset add column premises_change jsonb;
alter table dataset add column premises_compared bigint;

-- The premises that a tier's areas cover, boundaries included: deflated bits (`coverage/premises/premises-set.ts`).
create table tier_premises (
  tier_id integer primary key references tier on delete cascade,
  covered integer not null check (covered >= 0),
  premises bytea not null
);

-- The premises that publishing a dataset would change.
create table premises_change (
  dataset_id integer not null references dataset on delete cascade,
  change text not null check (change in ('gained', 'lost', 'faster', 'slower')),
  premises bytea not null,
  primary key (dataset_id, change)
);

alter table work drop constraint work_kind_check;
alter table work add constraint work_kind_check check (kind in ('inspect', 'read-towers', 'predict', 'load', 'compare', 'publish',
  'archive', 'discard', 'draw', 'rollback', 'bulk-lookup', 'import-addresses', 'count-premises', 'export-coverage'));
