import { statusTypes } from '@karvon/contract/status-types/status-types.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError } from '../../platform/http/errors.ts'

export function statusTypesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: statusTypes,
    beforeDelete: async (_trx, row) => {
      // Each built-in type is a column of the reports.
      if (row.code !== null) throw new AppError('built_in_status_type')
    },
  })
}
