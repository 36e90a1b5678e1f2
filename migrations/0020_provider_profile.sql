-- What answers say of a provider can be changed by form. Its address is required before anything more is published.

alter table provider
  -- Counts changes of the profile: whoever changes it says which one they saw.
  add column revision integer not null default 1,
  -- When it was saved by form or API, after which manifests change nothing of it; null where never.
  add column profile_saved_at timestamptz,
  add constraint provider_url check (url = '' or (url ~ '^https?://[^/]' and char_length(url) <= 500)) not valid,
  add constraint provider_description check (char_length(description) <= 2000) not valid,
  add constraint provider_area_served check (cardinality(area_served) <= 100) not valid;

create function count_provider_revision() returns trigger language plpgsql as $$
begin
  if (new.name, new.url, new.wholesale_network, new.description, new.area_served)
    is distinct from (old.name, old.url, old.wholesale_network, old.description, old.area_served) then
    new.revision := old.revision + 1;
  end if;
  return new;
end $$;
create trigger provider_revision_counted before update on provider
  for each row execute function count_provider_revision();
