import {
  chooseDefaultView,
  createSavedView,
  deleteSavedView,
  sendSavedView,
  updateSavedView,
} from '@karvon/contract/saved-views/saved-views.ts'
import { listSavedViews } from '@karvon/contract/saved-views/saved-views.list.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import {
  buildSavedViewList,
  deleteView,
  lockViewOwner,
  readOwnView,
  readSavedView,
  removeDefaultView,
  setDefaultView,
} from './saved-views.queries.ts'
import { changeView, createView, viewNotFound } from './saved-views.change.ts'
import { countScheduledMessage, getChannels } from './saved-views.schedule.ts'
import { queueOwnMessage, readSchedule } from './saved-views.schedule.queries.ts'

/** The calls of saved views. Each person changes only their own views, also an admin. */
export function savedViewsRoutes(app: FastifyInstance, { db, pool, config }: Deps): void {
  const channels = getChannels(config)
  serve(app, listSavedViews, ({ query, person }) =>
    answerList(pool, query, buildSavedViewList(query, person)),
  )

  serve(app, createSavedView, async ({ body, person }) => {
    if (body.schedule) await countScheduledMessage(pool, person.userId)
    return inTransactionStoringAnswer(db, async (trx) =>
      readVisible(trx, await createView(trx, channels, { body, person }), person),
    )
  })

  serve(app, updateSavedView, async ({ params: { id }, body, person }) => {
    if (body.schedule) await countScheduledMessage(pool, person.userId)
    return inTransactionStoringAnswer(db, async (trx) => {
      await changeView(trx, channels, { id, body, person })
      return readVisible(trx, id, person)
    })
  })

  serve(app, chooseDefaultView, ({ params: { id }, body, person }) =>
    inTransactionStoringAnswer(db, async (trx) => {
      await readVisible(trx, id, person)
      if (body.is_default) await setDefaultView(trx, person.userId, id)
      else await removeDefaultView(trx, person.userId, id)
      return readVisible(trx, id, person)
    }),
  )

  serve(app, sendSavedView, async ({ params: { id }, person }) => {
    await countScheduledMessage(pool, person.userId)
    return inTransactionStoringAnswer(db, async (trx) => {
      await lockViewOwner(trx, person.userId)
      if ((await readOwnView(trx, id, person.userId)) === undefined) throw viewNotFound()
      const schedule = await readSchedule(trx, id)
      if (schedule === undefined) throw new AppError('view_has_no_schedule')
      if (!channels.has(schedule.channel)) throw new AppError('channel_not_set_up')
      await queueOwnMessage(trx, id)
      return readVisible(trx, id, person)
    })
  })

  serve(app, deleteSavedView, async ({ params: { id }, person }) => {
    await inTransaction(db, async (trx) => {
      await lockViewOwner(trx, person.userId)
      const before = await readOwnView(trx, id, person.userId)
      if (before === undefined) throw viewNotFound()
      await deleteView(trx, id)
      await audit(trx, { person, action: 'delete', resource: 'saved-views', rowId: id, before })
    })
    return { id }
  })
}

async function readVisible(trx: Db, id: number, person: Identity): Promise<RawJson> {
  const view = await readSavedView(trx, id, person)
  if (view === null) throw viewNotFound()
  return view
}
