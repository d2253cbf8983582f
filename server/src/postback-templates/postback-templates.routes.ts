import { postbackTemplates } from '@karvon/contract/postback-templates/postback-templates.ts'
import type { FastifyInstance } from 'fastify'
import type { Outgoing } from '../clients/outgoing.ts'
import { crud } from '../kit/crud.ts'
import type { Deps } from '../kit/deps.ts'
import { invalid } from '../kit/errors.ts'

export function postbackTemplatesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, postbackTemplates, {
    columns: async ({ body }) => {
      const problem = typeof body.url === 'string' ? problemOf(body.url, deps.outgoing) : null
      if (problem !== null) throw invalid([{ field: 'url', message: `URL ${problem}` }])
      return {}
    },
  })
}

/** A lead's values come from outside: none of them decides where a postback goes. */
function problemOf(url: string, outgoing: Outgoing): string | null {
  const host = URL.parse(url)?.host ?? ''
  return /[{}]/.test(host) ? 'must not hold a macro in its host' : outgoing.checkUrl(url)
}
