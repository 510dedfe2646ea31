-- Two checks at a time for a host, whatever ports it is asked at.
update jobs set host = regexp_replace(host, ':\d+$', '') where host ~ ':\d+$' and host !~ '^\[[^\]]*\]$';
