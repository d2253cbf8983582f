import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

// The state of chats, which all processes share: the current id, the end of a pause, and the times of the last messages. The
// key of a chat is the id from the settings or from its owner.

/** Telegram allows about one message a second to a chat, and 20 a minute to a group (Bot API's FAQ). */
export interface ChatRate {
  /** Milliseconds between two messages to one chat. */
  interval: number
  /** Messages to one group. */
  perMinute: number
}

/** Reads the current id of a chat, and the seconds until its pause ends. */
export async function readChat(pool: pg.Pool, chat: string): Promise<{ current: string; pause: number }> {
  const { rows } = await pool.query<{ current: string | null; pause: number }>(
    `select current, greatest(ceil(extract(epoch from paused_until - now())), 0)::integer as pause
     from telegram_chats where configured = $1`,
    [chat],
  )
  return { current: rows[0]?.current ?? chat, pause: rows[0]?.pause ?? 0 }
}

/** Stores the new id of a group that became a supergroup. */
export async function storeMovedChat(pool: pg.Pool, chat: string, current: string): Promise<void> {
  await pool.query(
    `insert into telegram_chats (configured, current, moved_at) values ($1, $2, now())
     on conflict (configured) do update set current = excluded.current, moved_at = now()`,
    [chat, current],
  )
}

/** Pauses a chat for all processes. */
export async function pauseChat(pool: pg.Pool, chat: string, seconds: number): Promise<void> {
  await pool.query(
    `insert into telegram_chats (configured, paused_until) values ($1, now() + $2 * interval '1 second')
     on conflict (configured) do update set paused_until = excluded.paused_until`,
    [chat, seconds],
  )
}

/** True for a chat of which nothing needs to be known: no move, no pause, and no message within the time of a rate limit. */
const isUnused = `current is null and coalesce(paused_until, '-infinity') < now()
  and coalesce(sent_times[cardinality(sent_times)], '-infinity') < now() - interval '1 hour'`

/** Deletes a batch of chats that are not used. Returns their number. Anybody can write to the bot, so their rows would grow. */
export async function deleteUnusedChats(pool: pg.Pool, limit: number): Promise<number> {
  const { rowCount } = await pool.query(
    `delete from telegram_chats where ${isUnused}
       and configured in (select configured from telegram_chats where ${isUnused} limit $1)`,
    [limit],
  )
  return rowCount ?? 0
}

/** The longest wait for a permit, in seconds. With a longer wait, the message returns to its queue. */
const maxWait = 1.5

/**
 * Acquires a permit to send one message to a chat. The limit is for all processes together. Waits a short time for the
 * permit, until `signal` aborts. Returns 0 with a permit, or the seconds until a permit is free.
 */
export async function acquireChat(
  pool: pg.Pool,
  { chat, rate, signal }: { chat: string; rate: ChatRate; signal: AbortSignal },
): Promise<number> {
  for (;;) {
    const wait = await tryAcquire(pool, chat, rate)
    if (wait <= 0 || wait > maxWait) return wait
    await sleep(Math.ceil(wait * 1000), undefined, { signal }).catch(() => {})
    if (signal.aborted) return wait
  }
}

async function tryAcquire(pool: pg.Pool, chat: string, { interval, perMinute }: ChatRate): Promise<number> {
  const limit = /^[-@]/.test(chat) ? perMinute : null
  const values = [chat, interval / 1000, limit]
  await pool.query('insert into telegram_chats (configured) values ($1) on conflict do nothing', [chat])
  const result = await pool.query(
    `update telegram_chats
     set sent_times = (sent_times || clock_timestamp())[greatest(cardinality(sent_times) + 2 - coalesce($3::int, 1), 1):]
     where configured = $1 and coalesce(${nextAllowedTime}, '-infinity') <= clock_timestamp()`,
    values,
  )
  if (result.rowCount === 1) return 0
  const { rows } = await pool.query<{ wait: number }>(
    `select extract(epoch from coalesce(${nextAllowedTime}, now()) - clock_timestamp())::float8 as wait
     from telegram_chats where configured = $1`,
    values,
  )
  // If the permit has become free since the update, the next attempt follows at once.
  return Math.max(rows[0]?.wait ?? 0, 0.001)
}

/** SQL: the time of the next permit: $2 seconds after the last message, and a minute after the $3rd last one. */
const nextAllowedTime = `greatest(sent_times[cardinality(sent_times)] + make_interval(secs => $2),
  sent_times[cardinality(sent_times) + 1 - $3::int] + interval '1 minute')`
