import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Job } from '../../platform/jobs/jobs.ts'

/** A person's own figures of some days. */
export interface DigestFigures {
  leads: number
  sold: number
  profit: number
}

/** Both inclusive, yyyy-mm-dd. */
export interface DigestDays {
  from: string
  to: string
}
export type FiguresOf = (
  person: { userId: number; roleId: number },
  days: DigestDays,
) => Promise<DigestFigures>

/** Hours of the day, in the installation's time zone, in which digests are made. */
const hours = { from: 9, to: 22 }
/** Days for which notices are kept; longer than anything could be told once more. */
const kept = 90
/** Days that one digest covers at the most. */
const longest = 45

/** Yesterday's figures to everyone who wants them, once a day; after a pause those of the days before as well. */
export function digestJob(db: Db, figuresOf: FiguresOf): Job {
  return {
    name: 'digests',
    every: 300_000,
    timeout: 240_000,
    alone: true,
    async run(signal) {
      const { rows } = await sql<{ hour: number; yesterday: string }>`
        select extract(hour from now())::integer as hour, current_date - 1 as yesterday`.execute(db)
      const [now] = rows
      if (now === undefined || now.hour < hours.from || now.hour >= hours.to) return
      for (const { userId, roleId, from } of await findRecipients(db, now.yesterday)) {
        if (signal.aborted) return
        const days = { from, to: now.yesterday }
        const figures = await figuresOf({ userId, roleId }, days)
        await db
          .insertInto('notices')
          .values({
            user_id: userId,
            kind: 'digest',
            once: onceOf(userId, now.yesterday),
            text: digestText(days, figures),
          })
          .onConflict((on) => on.column('once').doNothing())
          .execute()
      }
      await sql`delete from notices where created_at < now() - ${kept} * interval '1 day'`.execute(db)
    },
  }
}

const onceOf = (userId: number, day: string) => `digest:${userId}:${day}`

interface Recipient {
  userId: number
  roleId: number
  /** The day after the last digest, but none before the person wanted it. */
  from: string
}

async function findRecipients(db: Db, yesterday: string): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id as "userId", u.role_id as "roleId",
      least(${yesterday}::date, greatest(last.day + 1, coalesce(l.digest_since, l.linked_at)::date,
        l.linked_at::date, ${yesterday}::date - ${longest - 1}::integer)) as from
    from telegram_links l join users u on u.id = l.user_id
    cross join lateral (
      select max(split_part(n.once, ':', 3)::date) as day from notices n
      where n.user_id = u.id and n.kind = 'digest'
    ) last
    where l.digest and l.chat_id is not null and u.is_active
      and not exists (select from notices n where n.once = format('digest:%s:%s', u.id, ${yesterday}::text))
    order by u.id`.execute(db)
  return rows
}

function digestText({ from, to }: DigestDays, { leads, sold, profit }: DigestFigures): string {
  const days = from === to ? dayText(to) : `${dayText(from)} – ${dayText(to)}`
  const money = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 2 }).format(profit)
  return `Итоги за ${days}\nЛиды: ${leads}\nПродано: ${sold}\nДоход: ${money}`
}

const dayText = (day: string) => day.split('-').toReversed().join('.')
