import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

/** Telegram takes about one message a second to a chat, and 20 a minute to a group (Bot API's FAQ). */
export interface ChatPace {
  /** Milliseconds between two to one chat. */
  apart: number
  /** To one group. */
  aMinute: number
}

/** Seconds that a turn is waited for; a later one is left to the queue. */
const patience = 1.5

/**
 * Takes a turn to send to a chat, for every process: 0 once it may be sent, else in how many seconds there is one.
 * Waits itself where that is soon, until `signal` aborts.
 */
export async function takeTurn(
  pool: pg.Pool,
  configured: string,
  pace: ChatPace,
  signal: AbortSignal,
): Promise<number> {
  for (;;) {
    const wait = await turnIn(pool, configured, pace)
    if (wait <= 0 || wait > patience) return wait
    await sleep(Math.ceil(wait * 1000), undefined, { signal }).catch(() => {})
    if (signal.aborted) return wait
  }
}

async function turnIn(pool: pg.Pool, configured: string, { apart, aMinute }: ChatPace): Promise<number> {
  const most = /^[-@]/.test(configured) ? aMinute : null
  const values = [configured, apart / 1000, most]
  await pool.query('insert into telegram_chats (configured) values ($1) on conflict do nothing', [configured])
  const taken = await pool.query(
    `update telegram_chats
     set turns = (turns || clock_timestamp())[greatest(cardinality(turns) + 2 - coalesce($3::int, 1), 1):]
     where configured = $1 and coalesce(${free}, '-infinity') <= clock_timestamp()`,
    values,
  )
  if (taken.rowCount === 1) return 0
  const { rows } = await pool.query<{ wait: number }>(
    `select extract(epoch from coalesce(${free}, now()) - clock_timestamp())::float8 as wait
     from telegram_chats where configured = $1`,
    values,
  )
  // A moment later it may be there already: then it is asked for again at once.
  return Math.max(rows[0]?.wait ?? 0, 0.001)
}

/** When the chat may be sent to: $2 seconds after the last turn, a minute after the $3rd last. */
const free = `greatest(turns[cardinality(turns)] + make_interval(secs => $2),
  turns[cardinality(turns) + 1 - $3::int] + interval '1 minute')`
