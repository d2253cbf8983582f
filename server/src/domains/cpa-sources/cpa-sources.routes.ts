import { cpaSources, rotatePostbackKey } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../platform/audit/audit.ts'
import { crud, createRowReader } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { refuseAdjustedAccount } from '../ledger/ledger.adjustments.queries.ts'
import { seedDefaultMappings } from '../leads/leads.default-mappings.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { deleteUnchangedMappings, renewPostbackKey } from './cpa-sources.queries.ts'

/** A new source gets the default mappings of source statuses. */
export function cpaSourcesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: cpaSources,
    afterWrite: async ({ trx, id, oldRow }) => {
      if (oldRow === null) await seedDefaultMappings(trx, id)
      return undefined
    },
    // The default mappings are deleted with the source, unless an admin changed them.
    beforeDelete: async (trx, { id }) => {
      await refuseAdjustedAccount(trx, 'network', id)
      await deleteUnchangedMappings(trx, id)
    },
  })

  const readRow = createRowReader(deps, { resource: cpaSources })
  serve(app, rotatePostbackKey, ({ params: { id }, person }) =>
    inTransactionStoringAnswer(deps.db, async (trx) => {
      if (!(await renewPostbackKey(trx, id))) throw notFound(cpaSources.noun.one)
      // Readers of the audit log must see neither key.
      const maskedKey = { postback_key: '…' }
      await audit(trx, {
        person,
        action: 'rotate-postback-key',
        resource: 'cpa-sources',
        rowId: id,
        before: maskedKey,
        after: maskedKey,
      })
      return new RawJson(await readRow(id, trx))
    }),
  )
}
