-- "below" and "above" compare with a number, so a percentage never had an effect there. It is refused now; stored
-- conditions lose it, so that their jobs can still be changed.
-- one step: jobs are read once, and only the few with such a percentage are written.
update jobs
set alert_if = jsonb_set(alert_if, '{conditions}', (
  select jsonb_agg(
    case
      when condition ->> 'what' = 'number' and condition ->> 'is' in ('below', 'above')
        then condition || '{"percent": false}'
      else condition
    end
    order by position
  )
  from jsonb_array_elements(alert_if -> 'conditions') with ordinality as each (condition, position)
))
where jsonb_path_exists(
  alert_if,
  '$.conditions[*] ? (@.what == "number" && (@.is == "below" || @.is == "above") && @.percent == true)'
);
