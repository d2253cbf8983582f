-- An upload whose status is 'scanning' waits for the virus scanner: nobody reads it, and it is not sent.
-- infected_with: the signature that the scanner found; the bytes of such an upload are removed.
alter table uploads add column infected_with text;
create index uploads_to_scan on uploads (next_at, id) where status = 'scanning';
