-- What answers say of a provider can be changed by form. Its address is required before anything more is published.

-- What was taken as an address before: in lower case as far as it is one, and nothing where it is none. It stands in
-- manifests, too, whose profile is saved when they are published.
create function web_address(given text) returns text language sql immutable as $$
  select case
    when address ~* '^https?://[^/?#]' and address !~ '[[:space:]]' and address !~ '^[^:]*://[^/?#]*@'
      and char_length(address) <= 500
    then lower(split_part(address, ':', 1)) || substr(address, strpos(address, ':'))
    else '' end
  from btrim(given) as address
$$;
update provider set url = web_address(url), description = left(description, 2000), area_served = area_served[1:100]
where url <> web_address(url) or char_length(description) > 2000 or cardinality(area_served) > 100;
update submission set manifest = jsonb_set(manifest, '{provider,url}', to_jsonb(web_address(manifest #>> '{provider,url}')))
where manifest #>> '{provider,url}' <> web_address(manifest #>> '{provider,url}');
update upload set manifest = jsonb_set(manifest, '{provider,url}', to_jsonb(web_address(manifest #>> '{provider,url}')))
where manifest #>> '{provider,url}' <> web_address(manifest #>> '{provider,url}');
drop function web_address(text);

alter table provider
  -- Counts changes of the profile: whoever changes it says which one they saw.
  add column revision integer not null default 1,
  -- When it was saved by form or API, after which manifests change nothing of it; null where never.
  add column profile_saved_at timestamptz,
  add constraint provider_url check (url = '' or (url ~* '^https?://[^/]' and char_length(url) <= 500)),
  add constraint provider_description check (char_length(description) <= 2000),
  add constraint provider_area_served check (cardinality(area_served) <= 100);

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
