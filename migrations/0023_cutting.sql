-- Coverage is stored in pieces of few vertices, so that a lookup compares a position with few of them.

-- The pieces of a valid area, each of at most so many vertices: cut across the longer side of its box, again and again.
-- ST_Subdivide intersects at every cut, which takes time that grows with the square of the number of holes; clipping by a box
-- takes time that grows with the vertices. Cuts are not in the middle: where coordinates are round, they would run along
-- outlines and through corners. Clipping leaves a piece that falls apart at a corner in one: that is made valid. Should the area
-- have changed, ST_Subdivide does it all.
create function cut_into_pieces(area geometry, most_vertices integer) returns setof geometry
  language plpgsql immutable parallel safe strict as $$
declare
  pieces geometry[];
begin
  if st_npoints(area) <= most_vertices then
    return query select part.geom from st_dump(area) as part;
    return;
  end if;
  with recursive cut (geom, depth) as (
    select part.geom, 0 from st_dump(area) as part
    union all
    select part.geom, cut.depth + 1
    from cut
    cross join lateral (
      select st_xmin(cut.geom) as west, st_ymin(cut.geom) as south, st_xmax(cut.geom) as east, st_ymax(cut.geom) as north
    ) as bounds
    cross join lateral (
      select west + 0.4951 * (east - west) as x, south + 0.4951 * (north - south) as y,
        east - west > north - south as upright
    ) as line
    cross join lateral (values
      (st_makebox2d(st_point(west, south), case when upright then st_point(x, north) else st_point(east, y) end)),
      (st_makebox2d(case when upright then st_point(x, south) else st_point(west, y) end, st_point(east, north)))
    ) as side (box)
    cross join lateral st_dump(st_clipbybox2d(cut.geom, side.box)) as part
    where st_npoints(cut.geom) > most_vertices and cut.depth < 50
  ),
  checked as (
    select case when st_isvalid(geom) then geom
      else st_collectionextract(st_makevalid(geom, 'method=structure keepcollapsed=false'), 3) end as geom
    from cut
    where (st_npoints(geom) <= most_vertices or depth = 50) and st_dimension(geom) = 2
  )
  select array_agg(part.geom) into pieces from checked cross join lateral st_dump(geom) as part;
  if abs((select sum(st_area(piece)) from unnest(pieces) as piece) - st_area(area)) <= 1e-9 * st_area(area) then
    return query select unnest(pieces);
  else
    return query select part.geom from st_subdivide(area, most_vertices) as piece cross join lateral st_dump(piece) as part;
  end if;
end $$;
