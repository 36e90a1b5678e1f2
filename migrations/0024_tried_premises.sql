-- Towers that are tried on unpublished modelled coverage: the last trial of each submission, which changes nothing of it.

create table tower_trial (
  submission_id uuid primary key references submission on delete cascade,
  -- Increases with each trial, so that what was worked out for an earlier one is not taken for it.
  run integer not null default 1,
  state text not null check (state in ('waiting', 'done', 'failed')),
  -- The tried changes, as `towers` of the parameters of modelling.
  towers jsonb not null,
  -- {done, total}
  sites jsonb,
  -- What premises would have; `against`: the published versions and the premises that it was compared with.
  result jsonb,
  against text,
  -- {code, message}
  reason jsonb,
  requested_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  check ((state = 'done') = (result is not null) and (state = 'done') = (against is not null)),
  check ((state = 'failed') = (reason is not null)),
  check ((state = 'waiting') = (finished_at is null))
);
create index tower_trial_waiting on tower_trial (requested_at) where state = 'waiting';
