import { sql } from 'kysely'
import { openMailer } from '../../platform/mail/mail.ts'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { isReferred } from '../../platform/database/pg-errors.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'
import { waitsFor } from './accounts.limits.ts'
import { accountMailsJob, resetMailsJob } from './accounts.mails.ts'

const hour = 3_600_000

/** What accounts need in the background. Mails only where a mail server is set, links in them where resets are switched on. */
export function accountsJobs(deps: Deps): Job[] {
  const { config, db } = deps
  const { smtpUrl, from } = config.mail
  const jobs = [
    forgottenJob(deps),
    retentionJob(db, { table: 'reset_mails', at: 'created_at', days: 30, unless: `t.status = 'queued'` }),
    // Without a mail server nobody sends them.
    retentionJob(db, { table: 'account_mails', at: 'created_at', days: 30 }),
    linksJob(deps),
  ]
  if (smtpUrl === undefined || from === undefined) {
    if (config.passwordReset === 'live') throw missingMail()
    return jobs
  }
  const mailer = openMailer(smtpUrl, from)
  jobs.unshift(accountMailsJob(deps, mailer))
  if (config.passwordReset !== 'live') return jobs
  if (config.publicUrl === undefined) throw missingMail()
  return [resetMailsJob(deps, mailer, config.publicUrl), ...jobs]
}

const missingMail = () =>
  new Error('A password reset by mail needs a mail server, a sender and an address of its own')

/** Takes registered accounts away that no admin wanted in all the time that they waited. */
function forgottenJob({ db }: Deps): Job {
  return {
    name: 'forgotten-accounts',
    every: hour,
    timeout: 60_000,
    alone: true,
    async run() {
      const old = await db
        .selectFrom('users')
        .select(['id', 'username'])
        .where('waiting', '=', true)
        .where('created_at', '<', sql<string>`now() - make_interval(days => ${waitsFor})`)
        .execute()
      for (const { id, username } of old) {
        await db
          .transaction()
          .execute((trx) => forget(trx, id, username))
          .catch((error: unknown) => {
            // An admin has given them something already.
            if (!isReferred(error)) throw error
          })
      }
    },
  }
}

async function forget(trx: Db, id: number, username: string): Promise<void> {
  const gone = await trx
    .deleteFrom('users')
    .where('id', '=', id)
    .where('waiting', '=', true)
    .executeTakeFirst()
  if (gone.numDeletedRows === 1n) await audit(trx, null, 'delete', 'users', id, { username }, null)
}

/** Takes links away that are over. */
const linksJob = ({ pool }: Deps): Job => ({
  name: 'reset-links-retention',
  every: hour,
  timeout: 60_000,
  alone: true,
  async run() {
    await pool.query('delete from reset_links where expires_at < now()')
  },
})
