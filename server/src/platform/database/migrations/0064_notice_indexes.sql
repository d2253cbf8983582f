-- concurrent
-- The queue of notices reads the people with queued notices, and of each person the next notice and the last attempt.

create index concurrently if not exists notices_queued on notices (user_id, next_at, id) where status = 'queued';

create index concurrently if not exists notices_attempted_at on notices (user_id, attempted_at);
