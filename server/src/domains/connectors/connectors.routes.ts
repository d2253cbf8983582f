import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { tryCpaWebsite } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { maxJsonBytes } from '@karvon/contract/lib/limits.ts'
import { trimText } from '@karvon/contract/lib/trim-text.ts'
import type { FastifyInstance } from 'fastify'
import type { NetworkAccount } from '../../integrations/cpa-network/cpa-network.ts'
import { crud } from '../../resources/crud.ts'
import type { Db } from '../../platform/database/pool.ts'
import type { Deps } from '../../platform/deps.ts'
import { getConnectionEndSignal } from '../../platform/http/connection-end.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import {
  connectorTestTimeout,
  maxConnectorTests,
  maxConnectorTestsPerPerson,
} from '../../platform/limits/limits.ts'
import { serve, type CallContext } from '../../platform/http/serve.ts'
import { createHeavyTaskLimit } from '../../platform/limits/heavy-task-limit.ts'
import { createInUseError } from '../../resources/in-use.ts'
import { refuseForbiddenDescriptionUrls } from '../../resources/url-fields.ts'
import { resolveDescription, readCredential } from './connectors.account.ts'
import { findDescriptionProblem } from './connectors.check.ts'
import { findAllowedHosts, findHostProblem } from './connectors.hosts.ts'
import { createNetworkSend } from './connectors.send.ts'
import { tryNetwork } from './connectors.try.ts'
import { countWebsites, readWebsite } from './connectors.account.queries.ts'

const connectorTestLimit = createHeavyTaskLimit({
  kind: 'connector_tests',
  noun: 'connector tests',
  max: maxConnectorTests,
  maxPerPerson: maxConnectorTestsPerPerson,
})

/** The calls of connectors, and the test of a connector. */
export function connectorsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, encryption } = deps

  crud(app, deps, {
    resource: connectors,
    computeColumns: async ({ trx, body, oldRow }) => {
      if (oldRow?.is_builtin === true) throw createBuiltInError()
      const oldCode = oldRow?.code
      if (typeof oldCode === 'string' && (body.code ?? oldCode).toLowerCase() !== oldCode.toLowerCase())
        await refuseIfUsed(trx, oldCode)
      const { description } = body
      if (description === undefined) return {}
      const target = { field: 'description', label: 'Description' } as const
      if (Buffer.byteLength(JSON.stringify(description)) > maxJsonBytes)
        throw invalid([
          fieldError(target.field, 'description_too_large', {
            label: target.label,
            max: maxJsonBytes / 1024,
          }),
        ])
      const problem = findDescriptionProblem(description)
      if (problem !== null)
        throw invalid([fieldError(target.field, 'description_invalid', { label: target.label, problem })])
      refuseForbiddenDescriptionUrls(deps.outgoing, target, description)
      return {}
    },
    beforeDelete: async (trx, row) => {
      if (row.is_builtin === true) throw createBuiltInError()
      if (typeof row.code === 'string') await refuseIfUsed(trx, row.code)
    },
  })

  const tryWebsite = async ({ params, body, request }: CallContext<typeof tryCpaWebsite>) => {
    const storedWebsite = await readWebsite(db, params.id)
    if (storedWebsite === undefined) throw notFound('CPA credential')
    const { source_credential_id, login, pass, api_key, token, ...draft } = body
    const resolution = await resolveDescription(db, { ...storedWebsite, ...draft })
    if ('problem' in resolution) throw invalid([{ field: 'mapping', ...resolution.problem }])
    const account: NetworkAccount = { login: '', pass: '', api_key: '', token: '' }
    if (source_credential_id !== undefined) {
      const credential = await readCredential(db, encryption, source_credential_id)
      // Stored secrets must go to no other network.
      if (credential?.source_id !== storedWebsite.cpa_source_id)
        throw invalid([fieldError('source_credential_id', 'credential_of_other_source')])
      const problem = findHostProblem(await findAllowedHosts(db, credential), resolution.description)
      // Another host gets the typed secrets only, and no stored secret.
      if (problem === null) Object.assign(account, credential.account)
      else if (pass || api_key || token) account.login = credential.account.login
      else throw invalid([{ field: 'source_credential_id', ...problem }])
    }
    const typedSecrets = { login, pass, api_key, token }
    for (const [key, value] of Object.entries(typedSecrets))
      // As in a form: only a password may have spaces around it.
      if (value) account[key as keyof NetworkAccount] = key === 'pass' ? value : trimText(value)
    const signal = AbortSignal.any([
      AbortSignal.timeout(connectorTestTimeout),
      getConnectionEndSignal(request),
    ])
    return tryNetwork(resolution.description, {
      account,
      send: createNetworkSend(deps.outgoing, resolution.description, signal),
      signal,
    })
  }
  serve(app, tryCpaWebsite, (context) =>
    connectorTestLimit.run(context.person.userId, () => tryWebsite(context)),
  )
}

/** A CPA credential names its connector by the code, without a foreign key. */
async function refuseIfUsed(trx: Db, code: string): Promise<void> {
  const count = await countWebsites(trx, code)
  if (count > 0) throw createInUseError(new Map([['cpa_websites', count]]))
}

const createBuiltInError = () => new AppError('built_in_connector')
