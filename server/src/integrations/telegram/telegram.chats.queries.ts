import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

// What all processes know of a chat, by the id that the settings or its owner gave: where it is now, when it may be sent
// to again, and the moments of the last messages.

/** Telegram takes about one message a second to a chat, and 20 a minute to a group (Bot API's FAQ). */
export interface ChatRate {
  /** Milliseconds between two messages to one chat. */
  interval: number
  /** Messages to one group. */
  perMinute: number
}

/** The chat's id now, and for how many seconds it asked for no message. */
export async function chatState(pool: pg.Pool, chat: string): Promise<{ current: string; waits: number }> {
  const { rows } = await pool.query<{ current: string | null; waits: number }>(
    `select current, greatest(ceil(extract(epoch from rests_until - now())), 0)::integer as waits
     from telegram_chats where configured = $1`,
    [chat],
  )
  return { current: rows[0]?.current ?? chat, waits: rows[0]?.waits ?? 0 }
}

/** Stores the new id of a group that became a supergroup. */
export async function storeMovedChat(pool: pg.Pool, chat: string, current: string): Promise<void> {
  await pool.query(
    `insert into telegram_chats (configured, current, moved_at) values ($1, $2, now())
     on conflict (configured) do update set current = excluded.current, moved_at = now()`,
    [chat, current],
  )
}

/** Lets every process wait before the next message to a chat. */
export async function pauseChat(pool: pg.Pool, chat: string, seconds: number): Promise<void> {
  await pool.query(
    `insert into telegram_chats (configured, rests_until) values ($1, now() + $2 * interval '1 second')
     on conflict (configured) do update set rests_until = excluded.rests_until`,
    [chat, seconds],
  )
}

/** Seconds that a permit is waited for here; with a longer wait the message goes back to its queue. */
const maxWait = 1.5

/**
 * Takes a permit to send one message to a chat, counted over all processes: 0 once it may be sent, else the seconds until
 * it may. Waits itself where that is soon, until `signal` aborts.
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
  const acquired = await pool.query(
    `update telegram_chats
     set turns = (turns || clock_timestamp())[greatest(cardinality(turns) + 2 - coalesce($3::int, 1), 1):]
     where configured = $1 and coalesce(${nextAllowed}, '-infinity') <= clock_timestamp()`,
    values,
  )
  if (acquired.rowCount === 1) return 0
  const { rows } = await pool.query<{ wait: number }>(
    `select extract(epoch from coalesce(${nextAllowed}, now()) - clock_timestamp())::float8 as wait
     from telegram_chats where configured = $1`,
    values,
  )
  // The moment may have come since: then it is tried again at once.
  return Math.max(rows[0]?.wait ?? 0, 0.001)
}

/** When the chat may be sent to: $2 seconds after the last message, a minute after the $3rd last. */
const nextAllowed = `greatest(turns[cardinality(turns)] + make_interval(secs => $2),
  turns[cardinality(turns) + 1 - $3::int] + interval '1 minute')`
