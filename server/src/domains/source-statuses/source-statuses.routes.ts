import { sourceStatuses } from '@karvon/contract/source-statuses/source-statuses.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { remapLeadsNow } from '../leads/leads.jobs.ts'
import { lockStatusesExclusive } from '../leads/leads.status-lock.queries.ts'
import {
  mappingColumns,
  queueRemaps,
  readMapping,
  removeFromDefaults,
  type StatusMapping,
} from './source-statuses.queries.ts'

/** A mapping of an admin replaces the default mappings of a new source. A changed mapping is applied to its leads after the commit. */
export function sourceStatusesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: sourceStatuses,
    acquireLocks: lockStatusesExclusive,
    computeColumns: async ({ trx, body, oldRow }) => {
      const id = typeof oldRow?.id === 'number' ? oldRow.id : null
      await removeFromDefaults(trx, toMapping({ ...oldRow, ...body }), id)
      return { is_default: false }
    },
    afterWrite: async ({ trx, id, oldRow }) => {
      const row = await readMapping(trx, id)
      if (oldRow === null) await queueRemaps(trx, [row])
      else if (mappingColumns.some((key) => oldRow[key] !== row[key]))
        await queueRemaps(trx, [toMapping(oldRow), row])
      return undefined
    },
    beforeDelete: (trx, row) => queueRemaps(trx, [toMapping(row)]),
    afterCommit: () => remapLeadsNow(deps),
  })
}

/** Casts the JSON of a row. */
const toMapping = (row: Record<string, unknown>) => row as unknown as StatusMapping
