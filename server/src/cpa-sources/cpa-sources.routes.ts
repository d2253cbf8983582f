import { cpaSources } from '@karvon/contract/cpa-sources/cpa-sources.ts'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'

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
}
