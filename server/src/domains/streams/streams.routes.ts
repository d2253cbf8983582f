import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import { streams } from '@karvon/contract/streams/streams.ts'
import type { FastifyInstance } from 'fastify'
import type { Hooks } from '../../resources/crud.hooks.ts'
import { crud } from '../../resources/crud.ts'
import type { Deps } from '../../platform/deps.ts'
import { invalid } from '../../platform/http/errors.ts'
import { refuseTakenExtraId } from '../leads/leads.extra-ids.ts'
import { hasOfferOfOtherSource } from './streams.queries.ts'

interface StreamChange {
  source_id?: number
  offer_id?: number | null
  extra_id?: string | null
}

export function streamsRoutes(app: FastifyInstance, deps: Deps): void {
  const hooks: Hooks<StreamChange> = {
    computeColumns: async (writing) => {
      await refuseTakenExtraId('streams', writing)
      return {}
    },
    afterWrite: async ({ trx, body, oldRow, id }) => {
      const isChanged = (key: 'source_id' | 'offer_id') =>
        body[key] !== undefined && body[key] !== oldRow?.[key]
      if ((isChanged('source_id') || isChanged('offer_id')) && (await hasOfferOfOtherSource(trx, id)))
        throw invalid([fieldError('offer_id', 'offer_of_other_source')])
      return undefined
    },
  }
  crud(app, deps, { resource: streams, ...hooks })
}
