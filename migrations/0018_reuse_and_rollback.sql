-- The submission whose file this is, where it is described anew: what is made of the file stays of its provider and kind.
alter table upload add column reuses uuid references submission;

-- Of a version that is `restoring`: what was published when somebody decided on this; null, nothing was. Where that has
-- changed by the end, the rollback is given up.
alter table dataset add column rollback_replaces integer;
