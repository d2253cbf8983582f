import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import type { Job } from '../kit/jobs.ts'

/** A person's own figures of a day. */
export interface DayFigures {
  leads: number
  sold: number
  profit: number
}
export type FiguresOf = (person: { userId: number; roleId: number }, day: string) => Promise<DayFigures>

/** Hours of the day, in the installation's time zone, in which digests are made. */
const hours = { from: 9, to: 22 }
/** Days for which notices are kept; longer than anything could be told once more. */
const kept = 90

/** Yesterday's figures to everyone who wants them, once a day. */
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
      for (const person of await whoWaits(db, now.yesterday)) {
        if (signal.aborted) return
        const { userId } = person
        const figures = await figuresOf(person, now.yesterday)
        await db
          .insertInto('notices')
          .values({
            user_id: userId,
            kind: 'digest',
            once: onceOf(userId, now.yesterday),
            text: digestText(now.yesterday, figures),
          })
          .onConflict((on) => on.column('once').doNothing())
          .execute()
      }
      await sql`delete from notices where created_at < now() - ${kept} * interval '1 day'`.execute(db)
    },
  }
}

const onceOf = (userId: number, day: string) => `digest:${userId}:${day}`

async function whoWaits(db: Db, day: string): Promise<{ userId: number; roleId: number }[]> {
  return db
    .selectFrom('telegram_links as l')
    .innerJoin('users as u', 'u.id', 'l.user_id')
    .select(['u.id as userId', 'u.role_id as roleId'])
    .where('l.digest', '=', true)
    .where('l.chat_id', 'is not', null)
    .where('u.is_active', '=', true)
    .where(
      sql<boolean>`not exists (select from notices n where n.once = format('digest:%s:%s', u.id, ${day}::text))`,
    )
    .execute()
}

function digestText(day: string, { leads, sold, profit }: DayFigures): string {
  const [year, month, date] = day.split('-')
  const money = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 2 }).format(profit)
  return `Итоги за ${date}.${month}.${year}\nЛиды: ${leads}\nПродано: ${sold}\nДоход: ${money}`
}
