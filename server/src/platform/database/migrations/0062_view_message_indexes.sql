-- concurrent
-- The queue of view messages reads the people with queued messages, and of each person the next message and the last attempt.

create index concurrently if not exists view_messages_queued on view_messages (user_id, next_at, id) where status = 'queued';

create index concurrently if not exists view_messages_attempted_at on view_messages (user_id, attempted_at);

drop index concurrently if exists view_messages_user_id;
