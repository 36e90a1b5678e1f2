-- What loading coverage needs beside the tables.

-- Whether a polygon in degrees is narrower than positions are precise: the seventh decimal, a centimetre. Its mean width
-- is twice its area over its circumference.
create function is_sliver(geom geometry) returns boolean language sql immutable parallel safe as $$
  select 2 * st_area(geom) < 1e-7 * st_perimeter(geom)
$$;

-- A polygon, or several, without the parts that are slivers; null where nothing is left.
create function without_slivers(geom geometry) returns geometry language sql immutable parallel safe as $$
  select case
    when st_numgeometries(geom) = 1 then case when not is_sliver(geom) then geom end
    else (select st_collect(part.geom) from st_dump(geom) as part where not is_sliver(part.geom))
  end
$$;
