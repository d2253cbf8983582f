import { AppError } from '../../platform/http/errors.ts'
import type { WriteContext } from '../../resources/crud.hooks.ts'
import { isExtraIdTaken } from './leads.references.queries.ts'

interface ReferenceChange {
  source_id?: number
  extra_id?: string | null
}

/** Errors: 409 if another offer or stream of the source has the extra id that the row gets. */
export async function refuseTakenExtraId(
  table: 'offers' | 'streams',
  { trx, body, oldRow }: WriteContext<ReferenceChange>,
): Promise<void> {
  const { source_id: sourceId, extra_id: extraId } = { ...(oldRow as ReferenceChange | null), ...body }
  if (sourceId === undefined || extraId === undefined || extraId === null) return
  if (oldRow?.source_id === sourceId && oldRow.extra_id === extraId) return
  const id = oldRow === null ? null : Number(oldRow.id)
  if (await isExtraIdTaken(trx, table, { id, sourceId, extraId }))
    throw new AppError('taken', { label: 'Extra id' }, { fields: ['extra_id'] })
}
