-- Stops: where an operator takes no new connections, from a day until a day, whatever its coverage says. An undone one is deleted: the audit has it.

create table order_stop (
  id integer generated always as identity primary key,
  provider_id integer not null references provider,
  kind text not null check (kind in ('tower', 'tier', 'area')),
  -- Of an area: null for all technologies.
  technology_id smallint references technology,
  -- The published coverage that a tower or a tier belongs to, and its key as in `dataset`: a stop holds for its later versions, too.
  scope text,
  scope_key text,
  -- The speeds of a tier of available coverage.
  bandwidth_min_mbps numeric(10, 3),
  bandwidth_max_mbps numeric(10, 3),
  bandwidth_up_min_mbps numeric(10, 3),
  bandwidth_up_max_mbps numeric(10, 3),
  -- As drawn: {circle} or {polygon}.
  area jsonb,
  -- The place of a tower, with all its antennas, and its name when it was closed. Degrees.
  tower_name text,
  tower_lng double precision,
  tower_lat double precision,
  -- Days in New Zealand, both within the stop; without a last one it is open-ended.
  from_day date not null check (isfinite(from_day)),
  until_day date check (isfinite(until_day) and until_day >= from_day),
  reason text not null default '' check (char_length(reason) <= 200),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  check (technology_id is not null or kind = 'area'),
  check ((kind = 'area') = (scope is null) and (scope is null) = (scope_key is null)),
  check ((kind = 'tier') = (num_nulls(bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps) = 0)
    and (kind = 'tier') = (num_nonnulls(bandwidth_min_mbps, bandwidth_max_mbps, bandwidth_up_min_mbps, bandwidth_up_max_mbps) = 4)),
  check ((kind = 'area') = (area is not null)),
  check ((kind = 'tower') = (tower_lng is not null) and (tower_lng is null) = (tower_lat is null)),
  check (kind = 'tower' or tower_name is null)
);
create index order_stop_of_provider on order_stop (provider_id, id desc);

-- Those that have not ended are in the memory of every process that answers lookups. The program knows the same number.
create function limit_order_stops() returns trigger language plpgsql as $$
begin
  -- One at a time for each provider: two at once would not see each other.
  perform from provider where id = new.provider_id for no key update;
  if (
    select count(*) from order_stop s
    where s.provider_id = new.provider_id
      and coalesce(s.until_day >= (clock_timestamp() at time zone 'Pacific/Auckland')::date, true)
  ) > 200 then
    raise exception 'a provider has at most 200 stops' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger order_stop_limit after insert on order_stop for each row execute function limit_order_stops();

create function announce_order_stop() returns trigger language plpgsql as $$
begin
  perform pg_notify('order_stop', '');
  return null;
end $$;
create trigger order_stop_announced after insert or update or delete on order_stop
  for each statement execute function announce_order_stop();

-- Where the towers at each place are received well enough for the weakest speed of coverage that the service modelled from them.
create table tower_ground (
  submission_id uuid not null references submission,
  -- Of `modelling`. Rows of another run than its present one count for nothing.
  run integer not null,
  -- The numbers of the towers at the place, in the list.
  towers integer[] not null check (cardinality(towers) > 0),
  name text,
  lng double precision not null,
  lat double precision not null,
  -- Its north-western corner and its pixels in degrees, whose rows have whole words of 32 pixels.
  west double precision not null,
  north double precision not null,
  d_lng double precision not null check (d_lng > 0),
  d_lat double precision not null check (d_lat > 0),
  -- Of the first pixel, within the grid of all towers.
  left_pixel integer not null check (left_pixel >= 0 and left_pixel % 32 = 0),
  top_pixel integer not null check (top_pixel >= 0),
  words integer not null check (words > 0),
  height integer not null check (height > 0),
  -- A bit a pixel, row by row from the north-west, deflated.
  served bytea not null,
  primary key (submission_id, run, towers)
);
