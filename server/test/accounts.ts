import { startSmtp, type FakeSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { users } from '@karvon/contract/users/users.ts'
import { accountsJobs } from '../src/domains/accounts/accounts.jobs.ts'
import { callApi, createTestApp, signInAdmin, type Product, type Session } from './app.ts'
import { runJob } from './jobs.ts'
import { createSample } from './sample.ts'

export const publicUrl = 'https://desk.example.uz'

/** Settings that enable registration and password reset. */
export const buildAccountsEnv = (smtpUrl: string) => ({
  KARVON_REGISTRATION: 'live',
  KARVON_PASSWORD_RESET: 'live',
  KARVON_SMTP_URL: smtpUrl,
  KARVON_MAIL_FROM: 'Karvon Express <desk@example.uz>',
  KARVON_PUBLIC_URL: publicUrl,
})

/** The token of the link in a mail. */
export const getMailedToken = (text: string): string => /#token=([\w-]+)/.exec(text)?.[1] ?? ''

/** A product with registration and password reset, and its mail server. */
export interface Accounts {
  product: Product
  admin: Session
  smtp: FakeSmtp
  /** The log lines at level trace. */
  log: string[]
  /** Creates a person who may sign in. */
  createPerson(username: string, email: string, more?: object): Promise<{ id: number }>
  post(
    path: string,
    body: unknown,
    remoteAddress?: string,
    headers?: Record<string, string>,
  ): ReturnType<typeof callApi>
  /** Runs a job once. Makes every queued mail due first unless `asIs`. */
  runJob(job?: string, asIs?: 'asIs'): Promise<void>
  /** Requests a link for this address and returns the mailed tokens. */
  requestResetTokens(email: string): Promise<string[]>
  /** Extends every block by an hour, because a busy machine may need longer than a second. */
  extendBlocks(): Promise<unknown>
  query(text: string, values?: unknown[]): Promise<Record<string, string>[]>
  close(): Promise<void>
}

export async function openAccounts(): Promise<Accounts> {
  const smtp = await startSmtp()
  const log: string[] = []
  const env = { ...buildAccountsEnv(smtp.url), KARVON_LOG: 'trace' }
  const product = await createTestApp(env, {}, { write: (line) => void log.push(line) })
  const { app, deps } = product
  const admin = await signInAdmin(app)
  const jobs = accountsJobs(deps)
  const accounts: Accounts = {
    product,
    admin,
    smtp,
    log,
    createPerson: (username, email, values = {}) =>
      createSample(app, admin, users, {
        username,
        email,
        password: `${username}-password`,
        role_id: 2,
        ...values,
      }),
    post: (path, payload, remoteAddress = '10.2.0.1', headers = {}) =>
      app.inject({
        method: 'POST',
        url: `/parcel/auth/${path}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload: JSON.stringify(payload),
        remoteAddress,
      }),
    async runJob(name = 'reset-mails', asIs) {
      if (asIs === undefined)
        await deps.pool.query('update reset_mails set next_at = now(), leased_until = null')
      await runJob(jobs, name)
    },
    async requestResetTokens(email) {
      const before = smtp.accepted.length
      await deps.pool.query('delete from sign_in_failures')
      const { statusCode, body } = await accounts.post('forgot-password', { email })
      if (statusCode !== 202) throw new Error(body)
      await accounts.runJob()
      return smtp.accepted.slice(before).map(({ text }) => getMailedToken(text))
    },
    extendBlocks: () =>
      deps.pool.query(`update sign_in_failures set blocked_until = blocked_until + interval '1 hour'`),
    query: async (text, values = []) => (await deps.pool.query<Record<string, string>>(text, values)).rows,
    async close() {
      await product.close()
      await smtp.close()
    },
  }
  return accounts
}
