-- True while an account is paused because the other side requires it. A person can end a pause after failures, but not this one.
alter table sync_states add column is_rate_limited boolean not null default false;
