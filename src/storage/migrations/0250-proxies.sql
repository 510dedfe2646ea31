-- one step: no released version calls proxies "exits", so that none runs beside this one.
alter table exits rename to proxies;
-- The context of these seals was renamed too. The operator's are sealed anew at each start.
update proxies set credentials_sealed = null;
update jobs set settings = settings - 'exits' || jsonb_build_object('proxies', settings -> 'exits')
  where settings ? 'exits';
update groups set handed = handed - 'exits' || jsonb_build_object('proxies', handed -> 'exits')
  where handed ? 'exits';
update jobs set trouble = replace(trouble::text, '"exit"', '"proxy"')::jsonb where trouble::text like '%"exit"%';
update audit_entries set action = replace(action, 'exit-', 'proxy-') where action like 'exit-%';
