import { cpaSources, rotatePostbackKey } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../platform/database/pool.ts'
import { audit } from '../../platform/audit/audit.ts'
import { crud, rowReader } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'

/** `created` runs in the transaction that makes a source: the place for what every new source gets. */
export function cpaSourcesRoutes(
  app: FastifyInstance,
  deps: Deps,
  created: (trx: Db, sourceId: number) => Promise<void>,
): void {
  crud(app, deps, cpaSources, {
    written: async ({ trx, id, old }) => {
      if (old === null) await created(trx, id)
      return undefined
    },
    // What came with the source goes with it, unless somebody has changed it since.
    removing: async (trx, { id }) => {
      await sql`delete from source_statuses w using cpa_sources s
        where s.id = ${id} and w.source_id = s.id and w.created_at = s.created_at and w.updated_at = w.created_at`.execute(
        trx,
      )
    },
  })

  const read = rowReader(deps, cpaSources, {})
  serve(app, rotatePostbackKey, ({ params: { id }, person }) =>
    answerTransaction(deps.db, async (trx) => {
      const changed = await sql`update cpa_sources
        set postback_key = replace(gen_random_uuid()::text, '-', '') where id = ${id}`.execute(trx)
      if (changed.numAffectedRows !== 1n) throw notFound(cpaSources.noun.one)
      // Neither key may be read by whoever reads the log.
      const masked = { postback_key: '…' }
      await audit(trx, person, 'rotate-postback-key', cpaSources.name, id, masked, masked)
      return new RawJson(await read(id, trx))
    }),
  )
}
