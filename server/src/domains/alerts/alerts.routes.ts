import { listInbox, readInbox, snoozeAlert } from '@karvon/contract/alerts/inbox.ts'
import {
  createAlertRule,
  deleteAlertRule,
  listAlertRules,
  muteAlertRule,
  updateAlertRule,
} from '@karvon/contract/alerts/rules.ts'
import { countUnreadAlerts } from '@karvon/contract/alerts/unread.ts'
import type { FastifyInstance } from 'fastify'
import { inTransaction } from '../../platform/database/transaction.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { buildInbox, countUnread, markRead, snooze } from './alerts.inbox.queries.ts'
import { changeRule, createRule, removeRule } from './alerts.rules.ts'
import { buildRuleList, isReceiver, readRule, saveMute } from './alerts.rules.queries.ts'

/** The calls of alert rules and of the inbox. */
export function alertsRoutes(app: FastifyInstance, { db, pool, jobTrigger, config }: Deps): void {
  serve(app, listAlertRules, ({ query, person }) => answerList(pool, query, buildRuleList(query, person)))

  serve(app, createAlertRule, async ({ body, person }) => {
    const answer = await inTransactionStoringAnswer(db, async (trx) =>
      readRule(trx, await createRule(trx, body, person), person.userId),
    )
    jobTrigger.emit('alerts')
    return answer
  })

  serve(app, updateAlertRule, ({ params: { id }, body, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      await changeRule(trx, { id, body, person })
      return readRule(trx, id, person.userId)
    }),
  )

  serve(app, deleteAlertRule, async ({ params: { id }, person }) => {
    await inTransaction(db, (trx) => removeRule(trx, id, person))
    return { id }
  })

  serve(app, muteAlertRule, ({ params: { id }, body: { muted }, person: { userId } }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      if (!(await isReceiver(trx, id, userId))) throw notFound('alert rule')
      await saveMute(trx, { ruleId: id, userId, muted })
      return new RawJson(JSON.stringify({ id, muted }))
    }),
  )

  serve(app, listInbox, ({ query, person: { userId } }) =>
    answerList(pool, query, buildInbox(query, { userId, currency: config.currency })),
  )

  serve(app, countUnreadAlerts, async ({ person }) => ({ unread: await countUnread(db, person.userId) }))

  serve(app, readInbox, ({ body, person: { userId } }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      await markRead(trx, userId, body.ids)
      return new RawJson(JSON.stringify({ unread: await countUnread(trx, userId) }))
    }),
  )

  serve(app, snoozeAlert, ({ params: { id }, body: { until }, person: { userId } }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      const snoozed_until = await snooze(trx, { incidentId: id, userId, until })
      if (snoozed_until === undefined) throw notFound('alert')
      return new RawJson(JSON.stringify({ id, snoozed_until }))
    }),
  )
}
