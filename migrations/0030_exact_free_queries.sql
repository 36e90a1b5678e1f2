-- Free queries are exact: whoever answers one has held it before.

alter table free_hold
  -- How many of them may have been answered by now: these stay used where the process that holds them is killed.
  add column begun integer not null default 0,
  add check (begun between 0 and queries);

-- How many free queries a customer has left that nobody is about to use. Below zero where more were answered.
create or replace function free_left(of_customer integer) returns bigint language sql stable as $$
  select c.free_queries - coalesce(t.queries - t.uncharged, 0)
    - coalesce((
      select sum(case when h.until > clock_timestamp() then h.queries else h.begun end)
      from free_hold h where h.customer_id = c.id), 0)::bigint
    -- What a file is answered with is counted when all of it is there.
    - coalesce((
      select sum(j.entries) from bulk_job j join api_key k on k.id = j.api_key_id
      where k.customer_id = c.id and j.state in ('queued', 'running')), 0)::bigint
  from customer c left join usage_total t on t.customer_id = c.id
  where c.id = of_customer
$$;
