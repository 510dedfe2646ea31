-- A plan that the operator gave; what is paid for counts besides.
alter table accounts add column granted_plan_id text check (granted_plan_id in ('professional', 'ultimate'));
