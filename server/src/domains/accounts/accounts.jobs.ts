import { hasMailServer, hasResetMails } from '../../config.senders.ts'
import { openMailer } from '../../platform/mail/mail.ts'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import { isForeignKeyViolation } from '../../platform/database/pg-errors.ts'
import { retentionJob } from '../../platform/jobs/retention.ts'
import { maxWaitingDays } from './accounts.limits.ts'
import { accountMailsJob, resetMailsJob } from './accounts.mails.ts'
import { deleteRegistration, findExpiredRegistrations } from './accounts.register.queries.ts'
import { deleteExpiredLinks } from './accounts.reset.queries.ts'

const hour = 3_600_000

/** The jobs of accounts. Without a mail server there are no mail jobs, without password resets no job for reset mails. */
export function accountsJobs(deps: Deps): Job[] {
  const { config, db } = deps
  const jobs = [
    expireRegistrationsJob(deps),
    retentionJob(db, {
      table: 'reset_mails',
      timeColumn: 'created_at',
      days: 30,
      keepCondition: `t.status = 'queued'`,
    }),
    // Without a mail server, these mails stay queued until they are removed.
    retentionJob(db, { table: 'account_mails', timeColumn: 'created_at', days: 30 }),
    expireResetLinksJob(deps),
  ]
  if (!hasMailServer(config.mail)) {
    if (config.passwordReset === 'live') throw createMailConfigError()
    return jobs
  }
  const mailer = openMailer(config.mail.smtpUrl, config.mail.from)
  jobs.unshift(accountMailsJob(deps, mailer))
  if (!hasResetMails(config)) return jobs
  if (config.publicUrl === undefined) throw createMailConfigError()
  return [resetMailsJob(deps, mailer, config.publicUrl), ...jobs]
}

const createMailConfigError = () =>
  new Error('A password reset by mail needs a mail server, a sender and an address of its own')

/** Deletes registered accounts that no admin activated within {@link maxWaitingDays}. */
function expireRegistrationsJob({ db }: Deps): Job {
  return {
    name: 'forgotten-accounts',
    interval: hour,
    timeout: 60_000,
    isExclusive: true,
    async run() {
      for (const { id, username } of await findExpiredRegistrations(db, maxWaitingDays)) {
        await db
          .transaction()
          .execute((trx) => deleteWaitingAccount(trx, id, username))
          .catch((error: unknown) => {
            // Other rows refer to the account already, so the account stays.
            if (!isForeignKeyViolation(error)) throw error
          })
      }
    },
  }
}

async function deleteWaitingAccount(trx: Db, id: number, username: string): Promise<void> {
  if (await deleteRegistration(trx, id))
    await audit(trx, { person: null, action: 'delete', resource: 'users', rowId: id, before: { username } })
}

/** Deletes expired links. */
const expireResetLinksJob = ({ pool }: Deps): Job => ({
  name: 'reset-links-retention',
  interval: hour,
  timeout: 60_000,
  isExclusive: true,
  async run() {
    await deleteExpiredLinks(pool)
  },
})
