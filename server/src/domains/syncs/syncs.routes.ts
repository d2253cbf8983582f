import {
  closeGap,
  listSyncRuns,
  runCourierAccount,
  runSourceCredential,
} from '@karvon/contract/syncs/syncs.ts'
import { sourceCredentials } from '@karvon/contract/source-credentials/source-credentials.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import type { AccountColumn } from './syncs.kind.ts'
import { askNow } from './syncs.lease.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { closeGapOf, runListText } from './syncs.queries.ts'

export function syncsRoutes(app: FastifyInstance, { db, pool, bell }: Deps): void {
  serve(app, listSyncRuns, ({ query }) => answerList(pool, query, (span) => runListText(query, span)))

  const runs = (
    call: typeof runSourceCredential,
    table: 'source_credentials' | 'courier_accounts',
    column: AccountColumn,
    noun: string,
  ) =>
    serve(app, call, async ({ params, query, person }) => {
      const { id } = params
      const answer = await answerTransaction(db, async (trx) => {
        const known = await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst()
        if (known === undefined) throw notFound(noun)
        const running = await askNow(trx, column, id, person.userId, query.full)
        return new RawJson(JSON.stringify({ id, running }))
      })
      bell.emit('syncs')
      return answer
    })
  runs(runSourceCredential, 'source_credentials', 'source_credential_id', 'source credential')
  runs(runCourierAccount, 'courier_accounts', 'courier_account_id', 'courier account')

  serve(app, closeGap, ({ params: { id }, person }) =>
    answerTransaction(db, async (trx) => {
      const { rows } = await closeGapOf(trx, id)
      const [gap] = rows
      if (gap === undefined) throw notFound('source credential')
      if (gap.gap_from !== null)
        await audit(
          trx,
          person,
          'close-gap',
          sourceCredentials.name,
          id,
          { ...gap },
          {
            gap_from: null,
            gap_to: null,
          },
        )
      return new RawJson(JSON.stringify({ id }))
    }),
  )
}
