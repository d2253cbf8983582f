import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import type { BodyOf } from '@karvon/contract/lib/call.ts'
import { maxSavedViews, maxSharedViews } from '@karvon/contract/lib/limits.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import { getViewScreen, normaliseViewAddress } from '@karvon/contract/saved-views/address.ts'
import type { createSavedView, updateSavedView } from '@karvon/contract/saved-views/saved-views.ts'
import { audit } from '../../platform/audit/audit.ts'
import { findChanges } from '../../platform/audit/changes.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import {
  countOwnViews,
  insertView,
  viewNameExists,
  lockViewOwner,
  readOwnView,
  shareView,
  updateView,
} from './saved-views.queries.ts'
import { changeSchedule, refuseUnsendable, type Channels } from './saved-views.schedule.ts'

export const viewNotFound = (): AppError => notFound('view')

/** Creates a view of a person with its schedule, and returns its id. Errors: 403, 409, 422. */
export async function createView(
  trx: Db,
  channels: Channels,
  { body, person }: { body: BodyOf<typeof createSavedView>; person: Identity },
): Promise<number> {
  const { userId, isAdmin } = person
  const values = { name: trimText(body.name), ...readAddress(body.address) }
  const roleIds = readRoleIds(body.shared_role_ids ?? [], person)
  await lockViewOwner(trx, userId)
  if ((await countOwnViews(trx, userId)) >= maxSavedViews)
    throw new AppError('too_many_saved_views', { max: maxSavedViews })
  await refuseExistingName(trx, userId, { id: 0, ...values })
  const id = await insertView(trx, userId, values)
  await share(trx, id, { screen: values.screen, roleIds })
  const scheduleChange =
    body.schedule && (await changeSchedule(trx, { id, userId, isAdmin, channels, ...values }, body.schedule))
  const { name, address } = values
  const after = {
    name,
    address,
    shared_role_ids: roleIds,
    ...(scheduleChange && { schedule: scheduleChange.after }),
  }
  await audit(trx, { person, action: 'create', resource: 'saved-views', rowId: id, after })
  return id
}

/** Changes a person's own view. Errors: 403, 404, 409, 422. */
export async function changeView(
  trx: Db,
  channels: Channels,
  { id, body, person }: { id: number; body: BodyOf<typeof updateSavedView>; person: Identity },
): Promise<void> {
  const { userId, isAdmin } = person
  await lockViewOwner(trx, userId)
  const storedView = await readOwnView(trx, id, userId)
  if (storedView === undefined) throw viewNotFound()
  const { screen, ...before } = storedView
  const address = body.address === undefined ? storedView : readAddress(body.address)
  if (address.screen !== screen) throw new AppError('view_of_other_screen', {}, { fields: ['address'] })
  const name = body.name === undefined ? before.name : trimText(body.name)
  await refuseExistingName(trx, userId, { id, name, screen })
  const after = { name, address: address.address, shared_role_ids: before.shared_role_ids }
  if (body.shared_role_ids !== undefined) {
    after.shared_role_ids = readRoleIds(body.shared_role_ids, person)
    await share(trx, id, { screen, roleIds: after.shared_role_ids })
  }
  await updateView(trx, id, { name, address: after.address })
  const scheduleChange =
    body.schedule !== undefined &&
    (await changeSchedule(trx, { id, userId, isAdmin, address: after.address, channels }, body.schedule))
  if (after.address !== before.address) await refuseUnsendable(trx, { id, isAdmin, address: after.address })
  await auditUpdate(trx, person, {
    id,
    before: { ...before, ...(scheduleChange && { schedule: scheduleChange.before }) },
    after: { ...after, ...(scheduleChange && { schedule: scheduleChange.after }) },
  })
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

async function refuseExistingName(
  trx: Db,
  userId: number,
  view: { id: number; name: string; screen: string },
): Promise<void> {
  if (await viewNameExists(trx, userId, view))
    throw new AppError('already_exists', { label: 'Name' }, { fields: ['name'] })
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
