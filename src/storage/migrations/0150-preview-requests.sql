-- A preview asks for a page as its job will: method, body, who asks.
alter table previews add column request_sealed text;
