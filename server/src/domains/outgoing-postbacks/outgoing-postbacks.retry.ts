import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { AppError, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'

/**
 * Makes a postback due now, with its attempts ahead of it again.
 *
 * Errors: 404; 409 where it was sent, where its template is gone, or where a newer change of that lead has
 * been queued or sent, since the older one would put the tracker back.
 */
export async function retryPostback(trx: Db, id: number, person: Identity): Promise<void> {
  const asked = await trx
    .selectFrom('outgoing_postbacks')
    .select(['lead_id', 'template_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (asked === undefined) throw notFound('postback')
  if (asked.template_id === null) throw conflict('Its template was deleted, so there is nowhere to send it.')
  // All of them, in order: two that are asked for at once would otherwise not see each other.
  const rows = await trx
    .selectFrom('outgoing_postbacks')
    .select(['id', 'status', 'attempts'])
    .where('lead_id', '=', asked.lead_id)
    .where('template_id', '=', asked.template_id)
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
  await audit(
    trx,
    person,
    'retry',
    'outgoing-postbacks',
    id,
    { status, attempts },
    { status: 'queued', attempts: 0 },
  )
}

const conflict = (detail: string) => new AppError('conflict', detail)
