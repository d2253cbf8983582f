import { setTimeout as sleep } from 'node:timers/promises'
import type { Alert } from '@karvon/contract/alerts/inbox.ts'
import type { AlertRule } from '@karvon/contract/alerts/rules.ts'
import type { Page } from '@karvon/contract/lib/page.ts'
import { evaluateAlerts } from '../src/domains/alerts/alerts.evaluate.ts'
import { readMoment } from '../src/domains/alerts/alerts.message.queries.ts'
import { callApi, type Session } from './app.ts'
import { createBotFixture } from './bot.ts'
import { hour, minute, now } from './moment.ts'

/** A product with a bot, an admin and two buyers. All of them have linked their chat: 501 aziz, 502 vali, 503 the admin. */
export async function createAlertFixture() {
  const fixture = await createBotFixture()
  const { product, query, link, reset, people } = fixture
  const { app, deps } = product
  const readId = async (text: string) => Number((await query(text))[0]?.id)
  const source = await readId(`select id from cpa_sources where name = 'One'`)

  /** Creates a rule by the API. Throws unless it is created. */
  const createRule = async (session: Session, body: object): Promise<AlertRule> => {
    const rule = { kind: 'silence', name: 'Quiet', threshold: 60, ...body }
    const answer = await callApi(app, session, 'POST', '/api/alert-rules/', rule)
    if (answer.statusCode !== 201)
      throw new Error(`Creating a rule gave ${answer.statusCode}: ${answer.body}`)
    const createdRule = answer.json<AlertRule>()
    // Tests evaluate at past moments too.
    await query(`update alert_rules set next_at = '-infinity' where id = $1`, [createdRule.id])
    return createdRule
  }
  const evaluateAt = async (at?: string) =>
    evaluateAlerts(deps.db, { at: at ?? (await readMoment(deps.db)), currency: deps.config.currency })
  return {
    ...fixture,
    source,
    createRule,
    /** Evaluates the due rules at a moment, by default now, as if there were no pause before it. */
    evaluate: async (at?: string) => {
      await query('update alert_evaluations set evaluated_at = null')
      return evaluateAt(at)
    },
    /** The same after the evaluation before it. */
    evaluateAt,
    /** Stores an arrival of leads, by default without offer and stream. */
    arrive: (at: string, { leads = 1, stream = 0, offer = 0, from = source } = {}) =>
      query(
        `insert into lead_arrivals (at, source_id, offer_id, stream_id, leads) values ($1, $2, $3, $4, $5)`,
        [at, from, offer, stream, leads],
      ),
    /** The time `minutes` before now. */
    ago: (minutes: number) => new Date(now() - minutes * minute).toISOString(),
    /** The time `minutes` after the start of this hour. */
    inHour: (minutes: number) => new Date(Math.floor(now() / hour) * hour + minutes * minute).toISOString(),
    readInbox: async (session: Session) =>
      (await callApi(app, session, 'GET', '/api/inbox/?per_page=200')).json<
        Page<Alert> & { meta: { unread: number } }
      >(),
    /** Deletes rules of people, incidents and arrivals, switches the built-in rules off, and links all chats. */
    resetAlerts: async () => {
      // The values of a test belong to one hour and one day.
      const timeLeft = hour - (now() % hour)
      if (timeLeft < 10_000) await sleep(timeLeft)
      await reset()
      await query('delete from alert_incidents')
      await query('delete from alert_rules where owner_id is not null')
      await query(
        'update alert_rules set is_active = false, receiver_role_ids = default, hold_minutes = 0, next_at = now()',
      )
      for (const table of ['lead_arrivals', 'source_hours', 'stream_arrivals', 'alert_mutes'])
        await query(`delete from ${table}`)
      await query('update users set role_id = (select id from roles where code = $1) where id = any($2)', [
        'buyer',
        [people.aziz.id, people.vali.id],
      ])
      await link(502, 'vali')
      await link(503, 'admin')
    },
    /** Switches a built-in rule on. */
    switchOn: (kind: string) =>
      query(`update alert_rules set is_active = true, next_at = '-infinity' where kind = $1`, [kind]),
  }
}
