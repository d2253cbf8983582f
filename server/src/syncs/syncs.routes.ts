import { listSyncRuns, runCourierAccount, runSourceCredential } from '@karvon/contract/syncs/syncs.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { notFound } from '../kit/errors.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { serve } from '../kit/serve.ts'
import { askNow } from '../kit/syncs/syncs.lease.ts'
import { runListText } from './syncs.sql.ts'

export function syncsRoutes(app: FastifyInstance, { db, pool, bell }: Deps): void {
  serve(app, listSyncRuns, ({ query }) => answerList(pool, query, (span) => runListText(query, span)))

  serve(app, runSourceCredential, async ({ params: { id }, person }) => {
    const known = await db
      .selectFrom('source_credentials')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst()
    if (known === undefined) throw notFound('source credential')
    const running = await askNow(db, 'source_credential_id', id, person.userId)
    bell.emit('syncs')
    return { id, running }
  })

  serve(app, runCourierAccount, async ({ params: { id }, person }) => {
    const known = await db.selectFrom('courier_accounts').select('id').where('id', '=', id).executeTakeFirst()
    if (known === undefined) throw notFound('courier account')
    const running = await askNow(db, 'courier_account_id', id, person.userId)
    bell.emit('syncs')
    return { id, running }
  })
}
