import {
  setLeadStatus,
  getLead,
  getOwnLead,
  importLeads as importCall,
  listLeadChanges,
  listLeads,
  listOwnLeadChanges,
  listOwnLeads,
  listUnmappedStatuses,
} from '@karvon/contract/leads/leads.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve, type CallContext } from '../../platform/http/serve.ts'
import type { SheetFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import { inTransactionStoringAnswer } from '../../platform/database/transaction.ts'
import { serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { importLeads } from './leads.import.ts'
import { fetchLeadList } from './leads.list.ts'
import { leadChangesText, leadExistsText, leadText } from './leads.queries.ts'
import { setLeadStatusAsAdmin } from './leads.set-status.ts'
import { unmappedStatusesText } from './leads.unmapped.queries.ts'

type ChangesContext = Pick<CallContext<typeof listLeadChanges>, 'params' | 'query'>

export function leadsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, jobTrigger } = deps

  const fetchLead = async (id: number, viewer: Identity | null) => {
    const { text, values } = leadText(id, viewer)
    const { rows } = await pool.query<{ row: string }>(text, values)
    if (rows[0] === undefined) throw notFound('lead')
    return new RawJson(rows[0].row)
  }

  serve(app, listLeads, ({ query }) => fetchLeadList(pool, query, null))
  serve(app, listOwnLeads, ({ query, person }) => fetchLeadList(pool, query, person))
  serve(app, getLead, ({ params }) => fetchLead(params.id, null))
  serve(app, getOwnLead, ({ params, person }) => fetchLead(params.id, person))
  const listChanges = async ({ params: { id }, query }: ChangesContext, viewer: Identity | null) => {
    const { text, values } = leadExistsText(id, viewer)
    const { rowCount } = await pool.query(text, values)
    if (rowCount === 0) throw notFound('lead')
    return answerList(pool, query, (span) => leadChangesText(id, query, span))
  }
  serve(app, listLeadChanges, (context) => listChanges(context, null))
  serve(app, listOwnLeadChanges, (context) => listChanges(context, context.person))

  serve(app, listUnmappedStatuses, ({ query }) =>
    answerList(pool, query, (span) => unmappedStatusesText(query, span)),
  )

  serve(app, setLeadStatus, async ({ body, person }) => {
    const answer = await inTransactionStoringAnswer(db, async (trx) => {
      const changed = await setLeadStatusAsAdmin(trx, body, person)
      return new RawJson(JSON.stringify({ changed }))
    })
    jobTrigger.emit('outgoing-postbacks')
    return answer
  })

  serveImport(app, deps, importCall, {
    kind: 'leads',
    fields: ['source_id'],
    prepare: (fields) => {
      const sourceId = parseSourceId(fields.source_id ?? '')
      const take = async (file: SheetFile, reason: string) => {
        const answer = await importLeads(db, file, sourceId, { currency: config.currency, reason })
        jobTrigger.emit('outgoing-postbacks')
        return answer
      }
      return { auditDetails: { source_id: sourceId }, importFile: take }
    },
  })
}

function parseSourceId(text: string): number {
  const id = /^\d{1,15}$/.test(text.trim()) ? Number(text) : null
  if (id !== null) return id
  const message = text.trim() === '' ? 'Source is required' : 'Source must be an id'
  throw invalid([{ field: 'source_id', message }])
}
