-- When the last attempt to send a notice began, so that the queue serves first the person whose last attempt is oldest.
alter table notices add column attempted_at timestamptz;
