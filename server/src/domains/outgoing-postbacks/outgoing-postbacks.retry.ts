import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import {
  findLeadAndTemplate,
  lockPostbacksFrom,
  queuePostbackAgain,
} from './outgoing-postbacks.retry.queries.ts'

/**
 * Queues a postback for now and resets its attempts.
 *
 * Errors: 404; 409 if it was sent, if its template is deleted, or if a newer change of the lead is queued or sent,
 * because the older change would overwrite the newer one in the tracker.
 */
export async function retryPostback(trx: Db, id: number, person: Identity): Promise<void> {
  const postbackRow = await findLeadAndTemplate(trx, id)
  if (postbackRow === undefined) throw notFound('postback')
  const { lead_id, template_id } = postbackRow
  if (template_id === null) throw new AppError('template_deleted')
  const [row, ...newer] = await lockPostbacksFrom(trx, id, { lead_id, template_id })
  if (row?.id !== id) throw notFound('postback')
  if (row.status === 'sent') throw new AppError('already_sent')
  if (row.status === 'same') throw new AppError('same_url_sent')
  if (row.status === 'refused' && newer.some(({ status }) => status !== 'refused'))
    throw new AppError('newer_change_queued')
  await queuePostbackAgain(trx, id)
  const { status, attempts } = row
  await audit(trx, {
    person,
    action: 'retry',
    resource: 'outgoing-postbacks',
    rowId: id,
    before: { status, attempts },
    after: { status: 'queued', attempts: 0 },
  })
}
