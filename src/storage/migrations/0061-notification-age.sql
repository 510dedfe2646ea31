-- Old ones are removed by their age; nobody asked for deliveries by when they were sent.
create index notifications_by_age on notifications (created_at);
drop index deliveries_sent;
