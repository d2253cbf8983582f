-- A count of failed attempts decreases all the time, so it has decimals.
alter table sign_in_failures alter column failures type numeric(12, 6);
