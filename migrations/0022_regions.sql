-- Layers of regions, such as territorial authorities, by which staff count premises. A layer that is imported again gets another id.
create table region_layer (
  id integer primary key generated always as identity,
  name text not null unique check (char_length(name) between 1 and 60 and name = btrim(name) and name !~ '[[:cntrl:]]'),
  file_name text not null,
  -- What was read and left out, as it was reported.
  report jsonb not null check (jsonb_typeof(report) = 'object'),
  imported_at timestamptz not null default clock_timestamp()
);

create table region (
  layer_id integer not null references region_layer on delete cascade,
  -- Its place in the layer, by name, from 1. Premises on a border belong to the first.
  number integer not null check (number > 0),
  name text not null check (char_length(name) between 1 and 200),
  -- A coarse outline for maps: the coordinates of a GeoJSON MultiPolygon.
  outline jsonb not null check (jsonb_typeof(outline) = 'array'),
  primary key (layer_id, number),
  unique (layer_id, name)
);

-- The exact areas of a region: polygons in degrees, as well-known binary one after the other.
create table region_area (
  layer_id integer not null,
  number integer not null,
  areas bytea not null,
  foreign key (layer_id, number) references region on delete cascade
);
create index region_area_of on region_area (layer_id, number);
