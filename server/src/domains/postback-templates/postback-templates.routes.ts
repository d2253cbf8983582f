import { labelledError, valueFault } from '@karvon/contract/lib/field-messages.ts'
import {
  macroPattern,
  postbackMacros,
  postbackTemplates,
} from '@karvon/contract/postback-templates/postback-templates.ts'
import { subParamNames } from '@karvon/contract/postbacks/postbacks.params.ts'
import type { FastifyInstance } from 'fastify'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { refuseForbiddenUrls } from '../../resources/url-fields.ts'

const allMacros: ReadonlySet<string> = new Set([...postbackMacros, ...subParamNames, 'click'])
const knownMacros = [...postbackMacros, 'sub1…sub15', 'click'].map((name) => `{${name}}`).join(' ')

export function postbackTemplatesRoutes(app: FastifyInstance, deps: Deps): void {
  crud(app, deps, {
    resource: postbackTemplates,
    computeColumns: async ({ body, oldRow }) => {
      refuseForbiddenUrls(deps.outgoing, postbackTemplates, body)
      // An old template may have an unknown macro, and its other fields can be changed.
      if (body.url !== undefined && body.url !== oldRow?.['url']) refuseUnknownMacros(body.url)
      return {}
    },
  })
}

/** Letters of either case are the same. Errors: 422. */
function refuseUnknownMacros(url: string): void {
  const [macro] =
    [...url.matchAll(macroPattern)].find(([, name = '']) => !allMacros.has(name.toLowerCase())) ?? []
  if (macro === undefined) return
  throw invalid([labelledError('url', 'URL', valueFault('unknown_macro', { macro, macros: knownMacros }))])
}
