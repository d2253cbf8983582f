import { sql } from 'kysely'
import type { Db } from '../database/pool.ts'
import { audit } from '../audit/audit.ts'
import { AppError, notFound } from '../http/errors.ts'
import type { Identity } from '../http/guard.ts'

/** The queues that admins can retry. */
const nouns = { uploads: 'upload', notices: 'notice' } as const

/** Makes a row due now and resets its attempts. Errors: 404; 409 if it was sent or is being sent. */
export async function retryDelivery(
  trx: Db,
  { queue, id, person }: { queue: keyof typeof nouns; id: number; person: Identity },
): Promise<void> {
  const row = await trx
    .selectFrom(queue)
    .select(['status', 'attempts', sql<boolean | null>`leased_until > now()`.as('leased')])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw notFound(nouns[queue])
  const { status, attempts } = row
  if (status === 'sent') throw new AppError('already_sent')
  if (row.leased) throw new AppError('being_sent')
  await trx
    .updateTable(queue)
    .set({ status: 'queued', attempts: 0, next_at: sql`now()` })
    .where('id', '=', id)
    .execute()
  const [before, after] = [
    { status, attempts },
    { status: 'queued', attempts: 0 },
  ]
  await audit(trx, { person, action: 'retry', resource: queue, rowId: id, before, after })
}
