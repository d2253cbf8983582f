import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import type { Job } from '../../platform/jobs/jobs.ts'

/** The figures of a person's own leads in a range of days. */
export interface DigestFigures {
  leads: number
  sold: number
  profit: number
}

/** A range of days, both inclusive, as yyyy-mm-dd. */
export interface DigestDays {
  from: string
  to: string
}
export type ReadDigestFigures = (
  person: { userId: number; roleId: number },
  days: DigestDays,
) => Promise<DigestFigures>

/** Hours of the day in which digests are created, in the installation's time zone. */
const digestHours = { from: 9, to: 22 }
/** Days until notices are deleted. It is longer than the time in which a notice could be created again. */
const retentionDays = 90
/** Maximum number of days in one digest. */
const maxDigestDays = 45

/** The job that sends people yesterday's figures once a day. After a pause, a digest also has the days before. */
export function digestJob(db: Db, figuresOf: ReadDigestFigures): Job {
  return {
    name: 'digests',
    interval: 300_000,
    timeout: 240_000,
    isExclusive: true,
    async run(signal) {
      const { rows } = await sql<{ hour: number; yesterday: string }>`
        select extract(hour from now())::integer as hour, current_date - 1 as yesterday`.execute(db)
      const [now] = rows
      if (now === undefined || now.hour < digestHours.from || now.hour >= digestHours.to) return
      for (const { userId, roleId, from } of await findRecipients(db, now.yesterday)) {
        if (signal.aborted) return
        const days = { from, to: now.yesterday }
        const figures = await figuresOf({ userId, roleId }, days)
        await db
          .insertInto('notices')
          .values({
            user_id: userId,
            kind: 'digest',
            once: getDigestKey(userId, now.yesterday),
            text: formatDigest(days, figures),
          })
          .onConflict((on) => on.column('once').doNothing())
          .execute()
      }
      await sql`delete from notices where created_at < now() - ${retentionDays} * interval '1 day'`.execute(
        db,
      )
    },
  }
}

const getDigestKey = (userId: number, day: string) => `digest:${userId}:${day}`

interface Recipient {
  userId: number
  roleId: number
  /** The day after the last digest, but no day before the person turned the digest on. */
  from: string
}

async function findRecipients(db: Db, yesterday: string): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select u.id as "userId", u.role_id as "roleId",
      least(${yesterday}::date, greatest(last.day + 1, coalesce(l.digest_since, l.linked_at)::date,
        l.linked_at::date, ${yesterday}::date - ${maxDigestDays - 1}::integer)) as from
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

function formatDigest({ from, to }: DigestDays, { leads, sold, profit }: DigestFigures): string {
  const days = from === to ? formatDay(to) : `${formatDay(from)} – ${formatDay(to)}`
  const money = new Intl.NumberFormat('ru-RU', { maximumFractionDigits: 2 }).format(profit)
  return `Итоги за ${days}\nЛиды: ${leads}\nПродано: ${sold}\nДоход: ${money}`
}

const formatDay = (day: string) => day.split('-').toReversed().join('.')
