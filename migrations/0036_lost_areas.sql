-- Where a dataset loses what it was compared with, largest first: [{km2, west, south, east, north}]
alter table dataset add lost_areas jsonb;

-- What waits for a decision is compared again, for the places.
update dataset set compared_at = null where state = 'ready' and (change ->> 'lost_km2')::numeric > 0;
