import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { cpaWebsites } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { maxJsonBytes } from '@karvon/contract/lib/limits.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { refuseForbiddenDescriptionUrls, refuseForbiddenUrls } from '../../resources/url-fields.ts'

export function cpaWebsitesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: cpaWebsites,
    computeColumns: async ({ body }) => {
      refuseForbiddenUrls(deps.outgoing, cpaWebsites, body)
      if (Buffer.byteLength(JSON.stringify(body.mapping ?? null)) > maxJsonBytes) {
        throw invalid([
          fieldError('mapping', 'too_many_kilobytes', { label: 'Mapping', max: maxJsonBytes / 1024 }),
        ])
      }
      refuseForbiddenDescriptionUrls(
        deps.outgoing,
        { field: 'mapping', label: 'Mapping' },
        body.mapping ?? {},
      )
      return {}
    },
  })
}
