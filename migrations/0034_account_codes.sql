-- A short code of each account, printed on its invoices: payers write it, and so a line of a bank is known. It never changes, whatever the account
-- is called later. Customers have three letters of the name and operators four, each with their ID: no code is two accounts'.
create function account_code(name text, letters integer, id integer) returns text immutable language sql as $$
  select rpad(left(regexp_replace(upper(normalize(name, NFKD)), '[^A-Z]', '', 'g'), letters), letters, 'X')
    || case when id < 10 then '0' else '' end || id
$$;
create function give_account_code() returns trigger language plpgsql as $$
begin
  new.code = coalesce(new.code, account_code(new.name, case tg_table_name when 'customer' then 3 else 4 end, new.id));
  return new;
end $$;

-- What reacts to changes of providers is not told of their codes.
alter table provider disable trigger user;
alter table customer add column code text;
alter table provider add column code text;
update customer set code = account_code(name, 3, id);
update provider set code = account_code(name, 4, id);
alter table provider enable trigger user;
alter table customer alter column code set not null, add constraint customer_code unique (code);
alter table provider alter column code set not null, add constraint provider_code unique (code);
create trigger customer_code_given before insert on customer for each row execute function give_account_code();
create trigger provider_code_given before insert on provider for each row execute function give_account_code();

-- When invoices are due is a setting: that it was another is kept.
insert into billing_setting (name, value, changed_by)
  select 'due_day', to_jsonb(due_day), 'migration'
  from (select due_day from billing_terms order by from_month desc limit 1) as last where due_day <> 20;
alter table billing_terms drop column due_days, drop column due_day;
