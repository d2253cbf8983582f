import {
  changeLeadStates,
  getLead,
  getOwnLead,
  importLeads as importCall,
  listLeadChanges,
  listLeads,
  listOwnLeadChanges,
  listOwnLeads,
  listUnmapped,
} from '@karvon/contract/leads/leads.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve, type Ask } from '../../platform/http/serve.ts'
import type { TableFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { importLeads } from './leads.import.ts'
import { listOfLeads } from './leads.list.ts'
import { leadChangesText, leadExistsText, leadText } from './leads.queries.ts'
import { changeStates } from './leads.state.ts'
import { unmappedText } from './leads.unmapped.queries.ts'

type ChangesAsk = Pick<Ask<typeof listLeadChanges>, 'params' | 'query'>

export function leadsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, bell } = deps

  const one = async (id: number, person: Identity | null) => {
    const { text, values } = leadText(id, person)
    const { rows } = await pool.query<{ row: string }>(text, values)
    if (rows[0] === undefined) throw notFound('lead')
    return new RawJson(rows[0].row)
  }

  serve(app, listLeads, ({ query }) => listOfLeads(pool, query, null))
  serve(app, listOwnLeads, ({ query, person }) => listOfLeads(pool, query, person))
  serve(app, getLead, ({ params }) => one(params.id, null))
  serve(app, getOwnLead, ({ params, person }) => one(params.id, person))
  const listChanges = async ({ params: { id }, query }: ChangesAsk, person: Identity | null) => {
    const { text, values } = leadExistsText(id, person)
    const { rowCount } = await pool.query(text, values)
    if (rowCount === 0) throw notFound('lead')
    return answerList(pool, query, (span) => leadChangesText(id, query, span))
  }
  serve(app, listLeadChanges, (ask) => listChanges(ask, null))
  serve(app, listOwnLeadChanges, (ask) => listChanges(ask, ask.person))

  serve(app, listUnmapped, ({ query }) => answerList(pool, query, (span) => unmappedText(query, span)))

  serve(app, changeLeadStates, async ({ body, person }) => {
    const answer = await answerTransaction(db, async (trx) => {
      const changed = await changeStates(trx, body, person)
      return new RawJson(JSON.stringify({ changed }))
    })
    bell.emit('outgoing-postbacks')
    return answer
  })

  serveImport(app, deps, importCall, {
    kind: 'leads',
    fields: ['source_id'],
    judge: (fields) => {
      const sourceId = sourceIdOf(fields.source_id ?? '')
      const take = async (file: TableFile, reason: string) => {
        const answer = await importLeads(db, file, sourceId, { currency: config.currency, reason })
        bell.emit('outgoing-postbacks')
        return answer
      }
      return { noted: { source_id: sourceId }, take }
    },
  })
}

function sourceIdOf(text: string): number {
  const id = /^\d{1,15}$/.test(text.trim()) ? Number(text) : null
  if (id !== null) return id
  const message = text.trim() === '' ? 'Source is required' : 'Source must be an id'
  throw invalid([{ field: 'source_id', message }])
}
