import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'

/**
 * Queues a postback for now and resets its attempts.
 *
 * Errors: 404; 409 if it was sent, if its template is deleted, or if a newer change of the lead is queued or sent,
 * because the older change would overwrite the newer one in the tracker.
 */
export async function retryPostback(trx: Db, id: number, person: Identity): Promise<void> {
  const requested = await trx
    .selectFrom('outgoing_postbacks')
    .select(['lead_id', 'template_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (requested === undefined) throw notFound('postback')
  if (requested.template_id === null)
    throw conflict('Its template was deleted, so there is nowhere to send it.')
  // Locks all rows in order, so that two concurrent retries see each other.
  const rows = await trx
    .selectFrom('outgoing_postbacks')
    .select(['id', 'status', 'attempts'])
    .where('lead_id', '=', requested.lead_id)
    .where('template_id', '=', requested.template_id)
    .where('id', '>=', id)
    .orderBy('id')
    .forUpdate()
    .execute()
  const [row, ...newer] = rows
  if (row?.id !== id) throw notFound('postback')
  if (row.status === 'sent') throw conflict('It was sent already.')
  if (row.status === 'same') throw conflict('Its tracker had been sent this very URL.')
  if (row.status === 'refused' && newer.some(({ status }) => status !== 'refused'))
    throw conflict('A newer change of this lead was queued or sent, and this one would put its tracker back.')
  await trx
    .updateTable('outgoing_postbacks')
    .set({ status: 'queued', attempts: 0, next_at: sql`now()` })
    .where('id', '=', id)
    .execute()
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

const conflict = (detail: string) => new AppError('conflict', detail)
