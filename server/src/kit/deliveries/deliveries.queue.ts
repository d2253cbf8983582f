import type pg from 'pg'
import type { Ended } from './deliveries.verdict.ts'

/** A table of what is to be delivered: status, attempts, next_at, leased_until, unsure, last_error, sent_at. */
export type Queue = 'uploads' | 'notices' | 'reset_mails' | 'account_mails'

/** A row that this process alone may send until its lease is over. */
export interface Claimed {
  id: number
  /** This one included. */
  attempts: number
  leased_until: string
}

/** Seconds for which nobody else takes a row; longer than one attempt and its note can last. */
const lease = 180

/**
 * Takes the row that has been due longest, or the one asked for, whenever it is due; null where there is none, or
 * another holds it. The attempt is noted before it starts: a row whose lease ran out was being sent by a process
 * that did not live to say how that ended, and is marked.
 */
export async function claim(pool: pg.Pool, queue: Queue, id: number | null = null): Promise<Claimed | null> {
  const asked = id === null ? 'next_at <= now()' : 'id = $1'
  const text = `with due as (
      select id from ${queue}
      where status = 'queued' and ${asked} and (leased_until is null or leased_until < now())
      order by next_at, id limit 1 for update skip locked
    )
    update ${queue} q set leased_until = now() + interval '${lease} seconds', attempts = q.attempts + 1,
      unsure = q.unsure or q.leased_until is not null, last_error = 'How the last attempt ended is not known'
    from due where q.id = due.id returning q.id, q.attempts, q.leased_until`
  const { rows } = await pool.query<Claimed>(text, id === null ? [] : [id])
  return rows[0] ?? null
}

/** Notes the end of an attempt. Who was away for longer than the lease may still say that it was sent, and no more. */
export async function note(pool: pg.Pool, queue: Queue, claimed: Claimed, ended: Ended): Promise<void> {
  const { status, attempts, last_error, wait, unsure } = ended
  await pool.query(
    `update ${queue} set status = $3, attempts = $4, last_error = $5, unsure = unsure or $7,
       next_at = now() + $6 * interval '1 second', leased_until = null,
       sent_at = case when $3 = 'sent' then now() end
     where id = $1 and status = 'queued' and ($3 = 'sent' or leased_until = $2::timestamptz)`,
    [claimed.id, claimed.leased_until, status, attempts, last_error, wait, unsure],
  )
}

/** What is known of a chat: where it is now, and for how many seconds it asked to be left alone. */
export async function chatState(
  pool: pg.Pool,
  configured: string,
): Promise<{ current: string; rests: number }> {
  const { rows } = await pool.query<{ current: string | null; rests: number }>(
    `select current, greatest(ceil(extract(epoch from rests_until - now())), 0)::integer as rests
     from telegram_chats where configured = $1`,
    [configured],
  )
  return { current: rows[0]?.current ?? configured, rests: rows[0]?.rests ?? 0 }
}

/** Keeps the new id of a group that became a supergroup. */
export async function noteMoved(pool: pg.Pool, configured: string, current: string): Promise<void> {
  await pool.query(
    `insert into telegram_chats (configured, current, moved_at) values ($1, $2, now())
     on conflict (configured) do update set current = excluded.current, moved_at = now()`,
    [configured, current],
  )
}

/** Lets a chat rest, for every process. */
export async function noteRest(pool: pg.Pool, configured: string, seconds: number): Promise<void> {
  await pool.query(
    `insert into telegram_chats (configured, rests_until) values ($1, now() + $2 * interval '1 second')
     on conflict (configured) do update set rests_until = excluded.rests_until`,
    [configured, seconds],
  )
}
