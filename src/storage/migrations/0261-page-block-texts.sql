-- The index on texts of all accounts together; 0411 makes one by account.
select 1;
