import {
  setLeadStatus,
  getLead,
  getOwnLead,
  importLeads as importCall,
  listLeadChanges,
  listLeads,
  listOwnLeadChanges,
  listOwnLeads,
} from '@karvon/contract/leads/leads.ts'
import { listUnmappedStatuses } from '@karvon/contract/leads/unmapped.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve, type CallContext } from '../../platform/http/serve.ts'
import type { SheetFile } from '../../platform/spreadsheets/spreadsheets.read.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { readFormId, serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { runQuestion } from '../explore/explore.limit.ts'
import { importLeads } from './leads.import.ts'
import { fetchLeadList } from './leads.list.ts'
import { buildLeadChangeList, hasLead, readLead } from './leads.queries.ts'
import { setLeadStatusAsAdmin } from './leads.set-status.ts'
import { buildUnmappedList } from './leads.unmapped.queries.ts'

type ChangesContext = Pick<CallContext<typeof listLeadChanges>, 'params' | 'query'>

export function leadsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config, jobTrigger } = deps

  const fetchLead = async (id: number, viewer: Identity | null) => {
    const lead = await readLead(pool, id, viewer)
    if (lead === null) throw notFound('lead')
    return new RawJson(lead)
  }

  const listFor = ({ query, person, reply }: CallContext<typeof listLeads>, viewer: Identity | null) => {
    const runCount = <T>(count: () => Promise<T>) => runQuestion(person.userId, reply.request, count)
    return fetchLeadList({ db, pool, runCount }, query, viewer)
  }
  serve(app, listLeads, (context) => listFor(context, null))
  serve(app, listOwnLeads, (context) => listFor(context, context.person))
  serve(app, getLead, ({ params }) => fetchLead(params.id, null))
  serve(app, getOwnLead, ({ params, person }) => fetchLead(params.id, person))
  const listChanges = async ({ params: { id }, query }: ChangesContext, viewer: Identity | null) => {
    if (!(await hasLead(pool, id, viewer))) throw notFound('lead')
    return answerList(pool, query, buildLeadChangeList(id, query))
  }
  serve(app, listLeadChanges, (context) => listChanges(context, null))
  serve(app, listOwnLeadChanges, (context) => listChanges(context, context.person))

  serve(app, listUnmappedStatuses, ({ query }) => answerList(pool, query, buildUnmappedList(query)))

  serve(app, setLeadStatus, async ({ body, person }) => {
    const answer = await inTransactionStoringAnswer(db, async (trx) => {
      const changedCount = await setLeadStatusAsAdmin(trx, body, person)
      return new RawJson(JSON.stringify({ changed: changedCount }))
    })
    jobTrigger.emit('outgoing-postbacks')
    return answer
  })

  serveImport(app, deps, {
    call: importCall,
    kind: 'leads',
    fields: ['source_id'],
    prepare: (fields) => {
      const sourceId = readFormId(fields, 'source_id', 'Source')
      const importFile = async (file: SheetFile, reason: string) => {
        const answer = await importLeads(db, file, { sourceId, currency: config.currency, reason })
        jobTrigger.emit('outgoing-postbacks')
        return answer
      }
      return { auditDetails: { source_id: sourceId }, importFile }
    },
  })
}
