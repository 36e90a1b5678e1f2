-- Coverage: who offers what where. Speeds are in Mbps, positions in WGS 84 (EPSG:4326) as (longitude, latitude).

create extension if not exists postgis;

-- What can be asked for. More may be added: nothing else in the system lists them.
create table technology (
  id smallint primary key,
  name text not null unique check (name ~ '^[a-z][a-z0-9_]*$'),
  -- The name in version 1.0 of the API and in the providers list.
  label text not null unique check (label <> ''),
  -- Fastest first. Orders technologies that no provider's speed orders.
  nominal_rank smallint not null unique,
  -- The map tile layer, version 1.0's set_id.
  set_id integer not null unique
);

insert into technology (id, name, label, nominal_rank, set_id) values
  (1, 'fibre', 'Fibre', 1, 1),
  (2, 'cable', 'Cable', 2, 2),
  (3, 'vdsl', 'VDSL', 3, 3),
  (4, 'wireless', 'Wireless', 4, 4),
  (5, 'adsl', 'ADSL', 5, 5);

create table provider (
  id integer generated always as identity primary key,
  name text not null check (name = btrim(name) and name <> ''),
  url text not null default '',
  wholesale_network text not null default 'No' check (wholesale_network in ('Yes', 'No', 'Both')),
  description text not null default '',
  area_served text[] not null default '{}',
  created_at timestamptz not null default now()
);
create unique index provider_name on provider (lower(name));

-- A file as it was handed in, and what became of it. The row is the truth; the queue only carries it.
create table submission (
  id uuid primary key default gen_random_uuid(),
  provider_id integer not null references provider,
  state text not null default 'received' check (state in (
    'received', 'reading', 'loading', 'checking', 'ready', 'published', 'superseded', 'failed', 'withdrawn')),
  file_name text not null check (file_name <> ''),
  storage_key text not null check (storage_key <> ''),
  size_bytes bigint not null check (size_bytes >= 0),
  sha256 bytea not null check (octet_length(sha256) = 32),
  manifest jsonb not null check (jsonb_typeof(manifest) = 'object'),
  progress jsonb,
  report jsonb,
  error jsonb,
  received_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  finished_at timestamptz,
  check ((state = 'failed') = (error is not null)),
  check (state in ('received', 'reading', 'loading', 'checking') or finished_at is not null)
);
create index submission_unfinished on submission (received_at)
  where state in ('received', 'reading', 'loading', 'checking', 'ready');

-- One version of one provider's coverage with one technology.
create table dataset (
  id integer generated always as identity primary key,
  submission_id uuid not null references submission,
  provider_id integer not null references provider,
  technology_id smallint not null references technology,
  state text not null default 'loading' check (state in ('loading', 'ready', 'published', 'superseded', 'withdrawn')),
  area_km2 double precision check (area_km2 >= 0),
  created_at timestamptz not null default clock_timestamp(),
  published_at timestamptz,
  superseded_at timestamptz,
  unique (submission_id, technology_id),
  check (state <> 'published' or (published_at is not null and superseded_at is null)),
  check (state <> 'superseded' or superseded_at is not null)
);
create unique index dataset_published on dataset (provider_id, technology_id) where state = 'published';
create index dataset_versions on dataset (provider_id, technology_id, id);

-- The distinct combinations of availability and speeds within a dataset.
create table tier (
  id integer generated always as identity primary key,
  dataset_id integer not null references dataset on delete cascade,
  availability text not null check (availability in ('available', 'underway', 'planned')),
  bandwidth_min_mbps numeric(10, 3) not null,
  bandwidth_max_mbps numeric(10, 3) not null,
  bandwidth_up_min_mbps numeric(10, 3) not null,
  bandwidth_up_max_mbps numeric(10, 3) not null,
  planned_date date,
  unique nulls not distinct (dataset_id, availability, bandwidth_min_mbps, bandwidth_max_mbps,
    bandwidth_up_min_mbps, bandwidth_up_max_mbps, planned_date),
  -- The upper bound also keeps out NaN, which PostgreSQL holds to be greater than every number.
  check (bandwidth_min_mbps >= 0 and bandwidth_min_mbps <= bandwidth_max_mbps and bandwidth_max_mbps <= 1000000),
  check (bandwidth_up_min_mbps >= 0 and bandwidth_up_min_mbps <= bandwidth_up_max_mbps
    and bandwidth_up_max_mbps <= 1000000),
  check (planned_date is null or (availability <> 'available' and isfinite(planned_date)))
);

-- What lookups read: published coverage and the versions being loaded, in pieces of few vertices. Nothing else.
create table coverage (
  tier_id integer not null references tier,
  geom geometry(Polygon, 4326) not null check (not st_isempty(geom))
);
create index coverage_geom on coverage using gist (geom);
create index coverage_tier on coverage (tier_id);

-- Versions that were published once, kept to be taken back to. No lookup reads it.
create table coverage_archive (
  tier_id integer not null references tier,
  geom geometry(Polygon, 4326) not null check (not st_isempty(geom))
);
create index coverage_archive_tier on coverage_archive (tier_id);

-- One row. Its version changes in the transaction that changes what is published, so a lookup that reads it together
-- with the coverage knows which catalog its rows belong to.
create table catalog (
  one boolean primary key default true check (one),
  version bigint not null
);
insert into catalog (version) values (1);

create function announce_catalog() returns trigger language plpgsql as $$
begin
  perform pg_notify('catalog', new.version::text);
  return null;
end $$;
create trigger catalog_announced after update on catalog for each row execute function announce_catalog();

-- A provider's name, address or kind shows in answers.
create function provider_changes_catalog() returns trigger language plpgsql as $$
begin
  if old is distinct from new then
    update catalog set version = version + 1;
  end if;
  return null;
end $$;
create trigger provider_changes_catalog after update on provider for each row execute function provider_changes_catalog();

-- The area in m2 of a small polygon given in degrees, on the WGS 84 ellipsoid, its edges straight in degrees as the
-- lookups take them. Degrees become metres at the centroid's latitude; as the error of that is of second order, it is
-- below one in a million for pieces of up to a tenth of a degree. Wide ones go the long way round.
create function coverage_area_m2(geom geometry) returns double precision language sql immutable parallel safe as $$
  select case
    when st_ymax(geom) - st_ymin(geom) > 0.25 then st_area(geom::geography)
    else (
      select st_area(geom) * pi() * pi() / 32400 * 6378137.0 * 6378137.0 * (1 - e2) * cos(latitude)
        / ((1 - e2 * sin(latitude) ^ 2) ^ 2)
      from (select radians(st_y(st_centroid(geom))) as latitude, 0.00669437999014 as e2) as at_centroid
    )
  end
$$;
