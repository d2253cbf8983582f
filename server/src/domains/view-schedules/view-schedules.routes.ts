import {
  createViewSchedule,
  deleteViewSchedule,
  listViewSchedules,
  sendViewSchedule,
  updateViewSchedule,
} from '@karvon/contract/view-schedules/view-schedules.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction, inTransactionStoringAnswer } from '../../platform/database/transaction.ts'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList, readItem } from '../../resources/lists.answer.ts'
import {
  buildScheduleList,
  deleteSchedule,
  lockSchedule,
  queueOwnMessage,
  scheduleItem,
} from './view-schedules.queries.ts'
import { changeSchedule, createSchedule, getChannels, noun } from './view-schedules.rules.ts'

/** The calls of schedules. Each person reads and changes the own ones alone, admins too. */
export function viewSchedulesRoutes(app: FastifyInstance, { db, pool, config }: Deps): void {
  const channels = getChannels(config)
  const readSchedule = (trx: Db, id: number) =>
    readItem(trx, `select (${scheduleItem})::text as item from view_schedules s where s.id = $1`, id)

  serve(app, listViewSchedules, ({ query, person }) =>
    answerList(pool, query, buildScheduleList(query, person.userId)),
  )

  serve(app, createViewSchedule, ({ body, person }) =>
    inTransactionStoringAnswer(db, async (trx) =>
      readSchedule(trx, await createSchedule(trx, { body, person, channels })),
    ),
  )

  serve(app, updateViewSchedule, ({ params: { id }, body, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      await changeSchedule(trx, { id, body, person, channels })
      return readSchedule(trx, id)
    }),
  )

  serve(app, deleteViewSchedule, async ({ params: { id }, person }) => {
    await inTransaction(db, async (trx) => {
      const before = await lockSchedule(trx, id, person.userId)
      if (before === undefined) throw notFound(noun)
      await deleteSchedule(trx, id)
      await audit(trx, { person, action: 'delete', resource: 'view-schedules', rowId: id, before })
    })
    return { id }
  })

  serve(app, sendViewSchedule, ({ params: { id }, person: { userId } }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      if ((await lockSchedule(trx, id, userId)) === undefined) throw notFound(noun)
      await queueOwnMessage(trx, id, userId)
      return readSchedule(trx, id)
    }),
  )
}
