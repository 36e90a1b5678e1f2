-- A rehearsal of months in the demo, on a clock that staff move: one at a time. Nothing on servers writes this.
create table rehearsal (
  one boolean primary key default true check (one),
  -- In real time.
  began_at timestamptz not null default clock_timestamp(),
  -- How far the rehearsed clock is ahead of the real one.
  ahead_ms bigint not null default 0 check (ahead_ms >= 0)
);

-- The time of billing's rules.
create function billing_now() returns timestamptz language sql volatile as $$
  select clock_timestamp() + coalesce((select make_interval(secs => ahead_ms / 1000.0) from rehearsal), interval '0')
$$;
alter table customer alter column created_at set default billing_now();
alter table processing_fee alter column accrued_at set default billing_now();
-- The hour for which the answers of a file are counted.
alter table bulk_job_part alter column answered_at set default billing_now();
