import type { Db } from '../../platform/database/pool.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { RowErrors } from '../../platform/jobs/row-errors.ts'
import { deleteOldNotices, findRecipients, insertDigest, readHour } from './notices.digest.queries.ts'
import type { NoticeMessage, NoticeParams } from './notices.texts.ts'

/** The figures of a person's own leads in a range of days. */
export interface DigestFigures {
  leads: number
  sold: number
  profit: number
  /** The currencies of the profit; empty if it is in the main currency. */
  unit: string
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

/** Whether notices that can wait are created in an hour of the day, in the installation's time zone. */
export const isNoticeHour = (hour: number): boolean => hour >= 9 && hour < 22

/** Days until notices are deleted. It is longer than the time in which a notice could be created again. */
const retentionDays = 90
/** Maximum number of days in one digest. */
const maxDigestDays = 45

/**
 * The job that sends people yesterday's figures once a day. After a pause, a digest also has the days before. `batchSize`: people
 * that are read at once.
 */
export function digestJob(db: Db, figuresOf: ReadDigestFigures, { batchSize = 1000 } = {}): Job {
  return {
    name: 'digests',
    interval: 300_000,
    timeout: 240_000,
    isExclusive: true,
    async run(signal) {
      const now = await readHour(db)
      if (now === undefined || !isNoticeHour(now.hour)) return
      const search = { yesterday: now.yesterday, maxDays: maxDigestDays }
      const errors = new RowErrors()
      for (let after: number | undefined = 0; after !== undefined && !signal.aborted;) {
        const recipients = await findRecipients(db, search, { after, limit: batchSize })
        for (const { userId, roleId, from } of recipients) {
          if (signal.aborted) break
          const days = { from, to: now.yesterday }
          await errors.run(async () => {
            const figures = await figuresOf({ userId, roleId }, days)
            await insertDigest(db, {
              user_id: userId,
              once: getDigestKey(userId, now.yesterday),
              ...createDigest(days, figures),
            })
          })
        }
        after = recipients.length < batchSize ? undefined : recipients.at(-1)?.userId
      }
      if (!signal.aborted) await deleteOldNotices(db, retentionDays)
      errors.throwAll('Some people have no digest')
    },
  }
}

const getDigestKey = (userId: number, day: string) => `digest:${userId}:${day}`

function createDigest(
  { from, to }: DigestDays,
  { leads, sold, profit, unit }: DigestFigures,
): { message: NoticeMessage; params: NoticeParams } {
  const params = { day: to, leads, sold, amount: String(profit), unit }
  return from === to
    ? { message: 'digest', params }
    : { message: 'digest_of_days', params: { ...params, from } }
}
