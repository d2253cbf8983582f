import type { SavedView } from '@karvon/contract/saved-views/saved-views.list.ts'
import { startSmtp } from '@karvon/testkit/fakes/smtp.ts'
import { startTelegram } from '@karvon/testkit/fakes/telegram.ts'
import { expect } from 'vitest'
import { createReceiverCalls } from '../src/app/receiver-calls.ts'
import { viewMessagesJobs } from '../src/domains/view-messages/view-messages.jobs.ts'
import { callApi, createTestApp, signInAdmin, type Session } from './app.ts'
import { runJob } from './jobs.ts'
import { createRow, createUser } from './people.ts'

export type ScheduledViews = Awaited<ReturnType<typeof openScheduledViews>>

export const dailySchedule = { channel: 'telegram', time: '09:30', weekdays: [1, 2, 3, 4, 5, 6, 7] }

/** What a message became. */
export interface StoredMessage {
  username: string
  status: string
  last_error: string | null
  reason: { code: string } | null
  sent_parts: number
}

/**
 * The product with fakes of Telegram and of a mail server, a source, a role that may see it, and `lola` of this role. Views have
 * the address `address` unless a test gives another.
 */
export async function openScheduledViews(address: string, settings: Record<string, string> = {}) {
  const [telegram, smtp] = await Promise.all([startTelegram('1:token'), startSmtp()])
  const env = {
    KARVON_SMTP_URL: smtp.url,
    KARVON_MAIL_FROM: 'Karvon <desk@example.uz>',
    KARVON_PUBLIC_URL: 'https://desk.example.uz',
    ...settings,
  }
  const { root } = telegram
  const product = await createTestApp(env, {
    telegram: { token: '1:token', chat: undefined, root, rate: null, answerWithin: 5000 },
  })
  const { app, deps } = product
  const jobs = viewMessagesJobs(deps, createReceiverCalls(deps), 0)
  const admin = await signInAdmin(app)
  const source = await createRow(app, admin, '/api/admin/cpa-sources/', {
    name: 'Network',
    url: 'https://network.example',
  })
  const role = await createRow(app, admin, '/api/admin/roles/', {
    code: 'buyers',
    name: 'Buyers',
    source_ids: [source],
  })
  const lola = await createUser(app, admin, 'lola', role)

  const query = async <Row>(text: string, values: unknown[] = []) =>
    (await deps.pool.query<Row & Record<string, unknown>>(text, values)).rows
  const call = (as: Session, method: 'GET' | 'POST' | 'PUT', url: string, body?: object) =>
    callApi(app, as, method, url, body)
  const save = (as: Session, schedule: object | null = dailySchedule, view: object = {}) =>
    call(as, 'POST', '/api/views/', { name: 'Week', address, schedule, ...view })
  const run = async (name: string) => {
    await query(`update view_messages set next_at = now() where status = 'queued'`)
    await runJob(jobs, name)
  }
  return {
    telegram,
    smtp,
    product,
    admin,
    lola,
    role,
    source,
    query,
    call,
    save,
    run,
    /** Removes the views, and restores the people and their chats. */
    reset: async () => {
      await query('delete from saved_views')
      await query('delete from telegram_links')
      await query('update users set language = null, is_active = true')
      await query(`insert into telegram_links (user_id, chat_id) select id, '50' || id from users`)
      telegram.files.splice(0)
      telegram.messages.splice(0)
      smtp.accepted.splice(0)
    },
    create: async (as: Session, schedule: object | null = dailySchedule, view: object = {}) => {
      const answer = await save(as, schedule, view)
      expect(answer.statusCode, answer.body).toBe(201)
      return answer.json<SavedView>()
    },
    send: async (as: Session, id: number) => {
      const answer = await call(as, 'POST', `/api/views/${id}/send/`, {})
      expect(answer.statusCode, answer.body).toBe(200)
    },
    runBoth: async () => {
      await run('view-schedules')
      await run('view-messages')
    },
    makeDue: (past = '1 minute') =>
      query(
        `update view_schedules set next_at = now() - $1::interval, time = (now() - $1::interval)::time, month_days = null,
           weekdays = '{1,2,3,4,5,6,7}'`,
        [past],
      ),
    messages: () =>
      query<StoredMessage>(
        `select u.username, m.status, m.last_error, m.reason, m.sent_parts from view_messages m
         join users u on u.id = m.user_id order by u.username`,
      ),
    chatOf: async (username: string) => {
      const [row] = await query<{ id: number }>('select id from users where username = $1', [username])
      return `50${row?.id}`
    },
    close: async () => {
      await product.close()
      await Promise.all([telegram.close(), smtp.close()])
    },
  }
}
