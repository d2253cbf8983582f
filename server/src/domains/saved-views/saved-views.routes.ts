import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxSavedViews, maxSharedViews } from '@karvon/contract/lib/limits.ts'
import { getViewScreen, normaliseViewAddress } from '@karvon/contract/saved-views/address.ts'
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
import { findChanges } from '../../platform/audit/changes.ts'
import type { Db } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import type { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerList } from '../../resources/lists.answer.ts'
import {
  buildSavedViewList,
  countOwnViews,
  deleteView,
  insertView,
  isViewNameTaken,
  lockViewOwner,
  readOwnView,
  readSavedView,
  removeDefaultView,
  setDefaultView,
  shareView,
  updateView,
} from './saved-views.queries.ts'
import { changeSchedule, countScheduledMessage, getChannels } from './saved-views.schedule.ts'
import { queueOwnMessage, readSchedule } from './saved-views.schedule.queries.ts'

const viewNotFound = () => notFound('view')

/** The calls of saved views. Each person changes only their own views, also an admin. */
export function savedViewsRoutes(app: FastifyInstance, { db, pool, config }: Deps): void {
  const channels = getChannels(config)
  serve(app, listSavedViews, ({ query, person }) =>
    answerList(pool, query, buildSavedViewList(query, person)),
  )

  serve(app, createSavedView, async ({ body, person }) => {
    if (body.schedule) await countScheduledMessage(pool, person.userId)
    return inTransactionStoringAnswer(db, async (trx) => {
      const { userId, isAdmin } = person
      const values = { name: body.name.trim(), ...readAddress(body.address) }
      const roleIds = readRoleIds(body.shared_role_ids ?? [], person)
      await lockViewOwner(trx, userId)
      if ((await countOwnViews(trx, userId)) >= maxSavedViews)
        throw new AppError('too_many_saved_views', { max: maxSavedViews })
      await refuseTakenName(trx, userId, { id: 0, ...values })
      const id = await insertView(trx, userId, values)
      await share(trx, id, { screen: values.screen, roleIds })
      const scheduleChange =
        body.schedule &&
        (await changeSchedule(trx, { id, userId, isAdmin, channels, ...values }, body.schedule))
      const { name, address } = values
      const after = {
        name,
        address,
        shared_role_ids: roleIds,
        ...(scheduleChange && { schedule: scheduleChange.after }),
      }
      await audit(trx, { person, action: 'create', resource: 'saved-views', rowId: id, after })
      return readVisible(trx, id, person)
    })
  })

  serve(app, updateSavedView, async ({ params: { id }, body, person }) => {
    if (body.schedule) await countScheduledMessage(pool, person.userId)
    return inTransactionStoringAnswer(db, async (trx) => {
      const { userId, isAdmin } = person
      await lockViewOwner(trx, userId)
      const storedView = await readOwnView(trx, id, userId)
      if (storedView === undefined) throw viewNotFound()
      const { screen, ...before } = storedView
      const address = body.address === undefined ? storedView : readAddress(body.address)
      if (address.screen !== screen) throw new AppError('view_of_other_screen', {}, { fields: ['address'] })
      const name = body.name?.trim() ?? before.name
      await refuseTakenName(trx, userId, { id, name, screen })
      const after = { name, address: address.address, shared_role_ids: before.shared_role_ids }
      if (body.shared_role_ids !== undefined) {
        after.shared_role_ids = readRoleIds(body.shared_role_ids, person)
        await share(trx, id, { screen, roleIds: after.shared_role_ids })
      }
      await updateView(trx, id, { name, address: after.address })
      const scheduleChange =
        body.schedule !== undefined &&
        (await changeSchedule(trx, { id, userId, isAdmin, address: after.address, channels }, body.schedule))
      await auditUpdate(trx, person, {
        id,
        before: { ...before, ...(scheduleChange && { schedule: scheduleChange.before }) },
        after: { ...after, ...(scheduleChange && { schedule: scheduleChange.after }) },
      })
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

function readAddress(addressText: string): { address: string; screen: string } {
  const address = normaliseViewAddress(addressText)
  if (address === null) throw invalid([fieldError('address', 'not_valid', { label: 'address' })])
  return { address, screen: getViewScreen(address) }
}

/** Only admins share: other people read the name and the filters, so the operator is responsible for them. */
function readRoleIds(roleIds: readonly number[], { isAdmin }: Identity): number[] {
  if (roleIds.length > 0 && !isAdmin) throw new AppError('forbidden')
  return [...new Set(roleIds)].toSorted((a, b) => a - b)
}

async function refuseTakenName(
  trx: Db,
  userId: number,
  view: { id: number; name: string; screen: string },
): Promise<void> {
  if (await isViewNameTaken(trx, userId, view))
    throw new AppError('taken', { label: 'Name' }, { fields: ['name'] })
}

async function share(
  trx: Db,
  id: number,
  sharing: { screen: string; roleIds: readonly number[] },
): Promise<void> {
  const count = await shareView(trx, id, sharing)
  if (count === undefined)
    throw invalid([fieldError('shared_role_ids', 'reference_missing', { label: 'Roles' })])
  if (count > maxSharedViews)
    throw new AppError('too_many_shared_views', { max: maxSharedViews }, { fields: ['shared_role_ids'] })
}

interface ViewChange {
  id: number
  before: Record<string, unknown>
  after: Record<string, unknown>
}

/** Audits the changed values. An update that changes nothing has no entry. */
async function auditUpdate(trx: Db, person: Identity, { id, before, after }: ViewChange): Promise<void> {
  const { keys, ...changes } = findChanges(before, after)
  if (keys.length === 0) return
  await audit(trx, { person, action: 'update', resource: 'saved-views', rowId: id, ...changes })
}
