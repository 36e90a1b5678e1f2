-- The submission whose file this is, where it is described anew: what is made of the file stays of its provider and kind.
alter table upload add column reuses uuid references submission;

-- Of a version that is `restoring`: what was published when somebody decided on this; null, nothing was. Where that has
-- changed by the end, the rollback is given up.
alter table dataset add column rollback_replaces integer;
update dataset d set rollback_replaces = published.id from dataset published
where d.state = 'restoring' and published.provider_id = d.provider_id and published.technology_id = d.technology_id
  and published.scope_key = d.scope_key and published.state = 'published';
