-- The setting "exits" is called "proxies" now. The old key stays for processes of an older version that still run.
update jobs set settings = settings || jsonb_build_object('proxies', settings -> 'exits')
  where settings ? 'exits' and not settings ? 'proxies';
update groups set handed = handed || jsonb_build_object('proxies', handed -> 'exits')
  where handed ? 'exits' and not handed ? 'proxies';
