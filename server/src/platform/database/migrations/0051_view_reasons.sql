-- Why the last attempt to send a message failed: the code of an error with its parameters and its English sentence, which the web
-- shows in the language of the person.
alter table view_messages add column reason jsonb;
