import type { BodyOf } from '@karvon/contract/lib/call.ts'
import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { maxNotes } from '@karvon/contract/lib/limits.ts'
import type { updateSettlementDifference } from '@karvon/contract/settlements/differences.ts'
import { audit } from '../../platform/audit/audit.ts'
import { findChanges } from '../../platform/audit/changes.ts'
import { createConflictError } from '../../platform/database/conflict.ts'
import type { Db } from '../../platform/database/pool.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import {
  hasRoomForDifferenceNote,
  insertDifferenceNote,
  lockDifference,
  updateDifference,
  type DifferenceState,
} from './settlements.differences.queries.ts'

const noun = 'settlement difference'

/**
 * Assigns, notes, resolves or reopens a difference, and writes an audit entry of what changed. To resolve takes a note,
 * which is the reason. Errors: 404; 409 for a newer version or too many notes; 422 for a missing note or an unknown person.
 */
export async function changeDifference(
  trx: Db,
  { id, body, person }: { id: number; body: BodyOf<typeof updateSettlementDifference>; person: Identity },
): Promise<void> {
  const oldDifference = await lockDifference(trx, id, body.updated_at ?? null)
  if (oldDifference === undefined) throw notFound(noun)
  if (!oldDifference.is_same_version) throw createConflictError(noun)
  const note = body.note?.trim()
  if (note === '' || (body.status === 'resolved' && note === undefined))
    throw invalid([fieldError('note', 'required', { label: 'Note' })])
  if (note !== undefined) {
    if (!(await hasRoomForDifferenceNote(trx, id)))
      throw new AppError('too_many_difference_notes', { max: maxNotes })
    await insertDifferenceNote(trx, id, { text: note, userId: person.userId })
  }
  const state = getNewState(oldDifference, { ...body, note }, person.userId)
  const { keys, before, after } = findChanges(oldDifference, state)
  if (keys.length === 0 && note === undefined) return
  await updateDifference(trx, id, after)
  await audit(trx, {
    person,
    action: 'update',
    resource: 'settlement-differences',
    rowId: id,
    before,
    after: { ...after, ...(note !== undefined && { note }) },
  })
}

function getNewState(
  oldState: DifferenceState,
  body: Pick<BodyOf<typeof updateSettlementDifference>, 'status' | 'assignee_id'> & {
    note?: string | undefined
  },
  userId: number,
): DifferenceState {
  const { status, reason, resolved_by } = oldState
  return {
    ...(body.status === 'resolved'
      ? { status: 'resolved', reason: body.note ?? null, resolved_by: userId }
      : body.status === 'open'
        ? { status: 'open', reason: null, resolved_by: null }
        : { status, reason, resolved_by }),
    assignee_id: body.assignee_id === undefined ? oldState.assignee_id : body.assignee_id,
  }
}
