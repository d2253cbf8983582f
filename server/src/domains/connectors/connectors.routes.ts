import { connectors } from '@karvon/contract/connectors/connectors.ts'
import { tryCpaWebsite } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import { maxJsonBytes } from '@karvon/contract/lib/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { NetworkAccount, Send } from '../../integrations/cpa-network/cpa-network.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import { maxTries, maxTriesOfPerson } from '../../platform/limits/limits.ts'
import { serve, type Ask } from '../../platform/http/serve.ts'
import { Slots } from '../../platform/limits/slots.ts'
import { addressProblem } from '../../resources/url-fields.ts'
import { describe, readCredential } from './connectors.account.ts'
import { allowedHosts, hostProblem } from './connectors.hosts.ts'
import { descriptionProblem } from './connectors.merge.ts'
import { tryNetwork } from './connectors.try.ts'

/** Milliseconds that a try may take in all. */
const patience = 60_000
const tries = new Slots('tries', 'tries', maxTries, maxTriesOfPerson)

/** Descriptions of networks, and the try of one. `send` is how a request leaves the house. */
export function connectorsRoutes(
  app: FastifyInstance,
  deps: Deps,
  send: (signal: AbortSignal) => Send,
): void {
  const { db, seal } = deps

  crud(app, deps, connectors, {
    columns: async ({ body, old }) => {
      if (old?.is_builtin === true) throw builtIn()
      const { description } = body
      if (description === undefined) return {}
      const problem =
        Buffer.byteLength(JSON.stringify(description)) > maxJsonBytes
          ? 'has more than 64 kB'
          : (descriptionProblem(description) ?? addressProblem(deps.outgoing, description))
      if (problem !== null) throw invalid([{ field: 'description', message: `Description: ${problem}` }])
      return {}
    },
    removing: async (_, row) => {
      if (row.is_builtin === true) throw builtIn()
    },
  })

  const tryOne = async ({ params, body, request }: Ask<typeof tryCpaWebsite>) => {
    const stored = await db
      .selectFrom('cpa_websites')
      .selectAll()
      .where('id', '=', params.id)
      .executeTakeFirst()
    if (stored === undefined) throw notFound('CPA credential')
    const { source_credential_id, login, pass, api_key, token, ...draft } = body
    const described = await describe(db, { ...stored, ...draft })
    if ('problem' in described) throw invalid([{ field: 'mapping', message: described.problem }])
    const known: NetworkAccount = { login: '', pass: '', api_key: '', token: '' }
    if (source_credential_id !== undefined) {
      const credential = await readCredential(db, seal, source_credential_id)
      // Secrets go to the network that they are for, and to no other.
      if (credential?.source_id !== stored.cpa_source_id)
        throw invalid([
          { field: 'source_credential_id', message: 'Source credential is not of this source.' },
        ])
      const problem = hostProblem(await allowedHosts(db, credential), described.description)
      // What is typed for another host goes there, and nothing that is stored.
      if (problem === null) Object.assign(known, credential.account)
      else if (pass || api_key || token) known.login = credential.account.login
      else throw invalid([{ field: 'source_credential_id', message: problem }])
    }
    const given = { login, pass, api_key, token }
    for (const [key, value] of Object.entries(given))
      if (value !== undefined && value !== '') known[key as keyof NetworkAccount] = value
    const signal = AbortSignal.any([AbortSignal.timeout(patience), request.signal])
    return tryNetwork(described.description, known, send(signal), signal)
  }
  serve(app, tryCpaWebsite, (asked) => tries.hold(asked.person.userId, () => tryOne(asked)))
}

const builtIn = () =>
  new AppError('in_use', 'A built-in connector cannot be changed. Add one of your own under another code.')
