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
create or replace function coverage_area_m2(geom geometry) returns double precision language sql immutable parallel safe as $$
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
