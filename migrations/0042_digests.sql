-- The first half of the SHA-256 of an area's EWKB: versions are compared by it. Areas from before are unlike any other.
alter table coverage add column digest uuid not null default gen_random_uuid();
alter table coverage alter column digest drop default;
alter table coverage_archive add column digest uuid not null default gen_random_uuid();
alter table coverage_archive alter column digest drop default;
