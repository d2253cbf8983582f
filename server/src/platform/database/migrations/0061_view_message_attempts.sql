-- When the last attempt to send a message began, so that the queue serves first the person whose last attempt is oldest.
alter table view_messages add column attempted_at timestamptz;
