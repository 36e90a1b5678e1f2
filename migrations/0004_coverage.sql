-- Coverage: who offers what where. Speeds are in Mbps, positions in WGS 84 (EPSG:4326) as (longitude, latitude).

-- One version of a scope: a provider's coverage with a technology may come in parts, each under a name of its own. A publication
-- replaces what is published of its scope, and lookups answer from all of them.
create table dataset (
  id integer generated always as identity primary key,
  submission_id uuid not null references submission,
  provider_id integer not null references provider,
  technology_id smallint not null references technology,
  -- A region, "planned", a product; most have none. As it was written.
  scope text not null default ''
    check (char_length(scope) <= 60 and scope = btrim(scope) and scope !~ '[[:cntrl:]]'),
  -- The same for scopes that differ in case only. Written by the program: what lower case is depends on a database's locale.
  scope_key text not null default '',
  -- A version that is being published again is `restoring` while its rows are copied back.
  state text not null default 'loading'
    check (state in ('loading', 'ready', 'published', 'superseded', 'restoring', 'withdrawn')),
  area_km2 double precision check (area_km2 >= 0),
  -- The ground that it covers in square metres, where overlapping areas count once; null until it has been worked out.
  covered_m2 double precision check (covered_m2 >= 0),
  created_at timestamptz not null default clock_timestamp(),
  published_at timestamptz,
  superseded_at timestamptz,
  -- Its rows are gone for good, or about to be.
  rows_removed_at timestamptz,
  -- When all of its overview was there.
  overview_at timestamptz,
  -- The version that it was last compared with (null: nothing was published), and the areas, if they could be told.
  compared_at timestamptz,
  compared_with integer references dataset,
  change jsonb,
  -- Where it loses, largest first: [{km2, west, south, east, north}]
  lost_areas jsonb,
  -- The other scopes' datasets that were published when it was compared: what they cover is not lost with it.
  compared_beside integer[] not null default '{}',
  -- Since when somebody waits for it to be compared with what is published now.
  comparison_wanted_at timestamptz,
  -- Of a version that is `restoring`: what was published when somebody decided on this; null, nothing was. Where that has
  -- changed by the end, the rollback is given up.
  rollback_replaces integer,
  unique (submission_id, technology_id),
  check (state <> 'published' or (published_at is not null and superseded_at is null)),
  check (state <> 'superseded' or superseded_at is not null),
  check (rows_removed_at is null or state in ('superseded', 'withdrawn')),
  check (change is null or (compared_with is not null and compared_at is not null)),
  constraint dataset_scope_key check ((scope_key = '') = (scope = ''))
);
create unique index dataset_published on dataset (provider_id, technology_id, scope_key) where state = 'published';
create index dataset_versions on dataset (provider_id, technology_id, scope_key, id);

-- The tiers of all of them are in the memory of every process. The program knows the same number.
create function limit_scopes() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from dataset d
    where d.provider_id = new.provider_id and d.technology_id = new.technology_id and d.state = 'published'
  ) > 50 then
    raise exception 'a provider has at most 50 scopes of a technology published' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger scope_limit after insert or update of state on dataset
  for each row when (new.state = 'published') execute function limit_scopes();

-- When each dataset was what lookups answer from: a version that is rolled back to is so more than once.
create table publication (
  id bigint generated always as identity primary key,
  dataset_id integer not null references dataset,
  published_at timestamptz not null,
  -- Null while it is published.
  superseded_at timestamptz check (superseded_at >= published_at)
);
create unique index publication_current on publication (dataset_id) where superseded_at is null;
create index publication_by_time on publication (published_at);

-- In the transaction of whoever publishes.
create function note_publication() returns trigger language plpgsql as $$
begin
  if new.state = 'published' and (tg_op = 'INSERT' or old.state <> 'published') then
    insert into publication (dataset_id, published_at) values (new.id, new.published_at);
  elsif tg_op = 'UPDATE' and old.state = 'published' and new.state <> 'published' then
    update publication set superseded_at = greatest(new.superseded_at, published_at)
    where dataset_id = new.id and superseded_at is null;
  end if;
  return null;
end $$;
create trigger publication_noted after insert or update of state on dataset
  for each row execute function note_publication();

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

-- Tiers of published datasets are in the memory of every process.
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
  referencing new table as added for each statement execute function limit_tiers();

-- Lookups read it: published coverage and the versions being loaded, in pieces of few vertices. Nothing else.
create table coverage (
  tier_id integer not null references tier,
  geom geometry(Polygon, 4326) not null check (not st_isempty(geom)),
  -- The first half of the SHA-256 of the area's EWKB: versions are compared by it.
  digest uuid not null
);
-- Areas are found by their bounding boxes as PostgreSQL's own type. Its GiST index splits pages so that they overlap far less than
-- those of PostGIS's index on geometries: a lookup reads half as many of them. Inserting a row takes some microseconds longer.
create index coverage_box on coverage using gist (box(geom));
create index coverage_tier on coverage (tier_id);

-- Versions that were published once, kept to be rolled back to, and for answers of earlier days.
create table coverage_archive (
  tier_id integer not null references tier,
  geom geometry(Polygon, 4326) not null check (not st_isempty(geom)),
  digest uuid not null
);
create index coverage_archive_box on coverage_archive using gist (box(geom));
create index coverage_archive_tier on coverage_archive (tier_id);

-- Where a dataset gains and loses beside the one that it was compared with.
create table coverage_change (
  dataset_id integer not null references dataset on delete cascade,
  change text not null check (change in ('gained', 'lost', 'unchanged')),
  geom geometry(Polygon, 4326) not null
);
create index coverage_change_box on coverage_change using gist (box(geom));
create index coverage_change_dataset on coverage_change (dataset_id);

-- A dataset on the grid of a screen, for tiles of so large a part of the country that its shapes are too many: what is
-- seen at each pixel, a byte each, compressed. core/coverage/tiles/overview.ts says what the bytes mean.
create table coverage_overview (
  dataset_id integer not null references dataset on delete cascade,
  z smallint not null,
  x integer not null,
  y integer not null,
  cells bytea not null,
  primary key (dataset_id, z, x, y)
);

-- The area between the equator and a latitude, in m2 for each radian of longitude, on the WGS 84 ellipsoid (Snyder, Map
-- Projections: A Working Manual, 3-12).
create function area_to_equator(latitude double precision) returns double precision
language sql immutable parallel safe as $$
  select 20204149992330.75 * (
    sin(radians(latitude)) / (1 - 0.00669437999014 * sin(radians(latitude)) ^ 2)
    + ln((1 + 0.0818191908426134 * sin(radians(latitude))) / (1 - 0.0818191908426134 * sin(radians(latitude))))
      / (2 * 0.0818191908426134)
  )
$$;

-- The area in m2 of a polygon given in degrees, on the WGS 84 ellipsoid, its edges straight in degrees as lookups take them,
-- and not the shortest way as for geography, which from east to west bulges towards the pole. What is low is measured in degrees,
-- which become metres at the centroid's latitude: the error is of second order, and below one in a million up to a
-- quarter of a degree. What is higher is added up edge by edge, shells less their holes.
create function coverage_area_m2(geom geometry) returns double precision language sql immutable parallel safe as $$
  select case
    when st_ymax(geom) - st_ymin(geom) > 0.25 then (
      select sum(case when ring.path[1] = 0 then ring.m2 else -ring.m2 end)
      from st_dump(geom) as part
      cross join lateral (
        select rings.path, abs(sum(
          -- The mean along the edge, by three points of Gauss and Legendre: over 30 degrees of latitude exact to 1e-8.
          radians(next_x - x) * (
            5 * area_to_equator((y + next_y) / 2 - sqrt(0.15) * (next_y - y))
            + 8 * area_to_equator((y + next_y) / 2)
            + 5 * area_to_equator((y + next_y) / 2 + sqrt(0.15) * (next_y - y))
          ) / 18)) as m2
        from st_dumprings(part.geom) as rings
        cross join lateral (
          select st_x(vertex.geom) as x, st_y(vertex.geom) as y,
            st_x(lead(vertex.geom) over along) as next_x, st_y(lead(vertex.geom) over along) as next_y
          from st_dumppoints(st_exteriorring(rings.geom)) as vertex
          window along as (order by vertex.path[1])
        ) as edge
        where next_x is not null
        group by rings.path
      ) as ring
      where st_dimension(part.geom) = 2
    )
    else (
      select st_area(geom) * pi() * pi() / 32400 * 6378137.0 * 6378137.0 * (1 - e2) * cos(latitude)
        / ((1 - e2 * sin(latitude) ^ 2) ^ 2)
      from (select radians(st_y(st_centroid(geom))) as latitude, 0.00669437999014 as e2) as at_centroid
    )
  end
$$;
