import {
  changeLeadStates,
  getLead,
  getOwnLead,
  importLeads as importCall,
  listLeads,
  listOwnLeads,
  listUnmapped,
} from '@karvon/contract/leads/leads.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../kit/audit.ts'
import { extensionOf } from '../kit/content/content.check.ts'
import type { Deps } from '../kit/deps.ts'
import { invalid, notFound } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { receiveFile } from '../kit/multipart.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { importLeads } from './leads.import.ts'
import { listOfLeads } from './leads.list.ts'
import { leadText } from './leads.sql.ts'
import { changeStates } from './leads.state.ts'
import { unmappedText } from './leads.unmapped.sql.ts'

/** An import may be far larger than an upload: it is read as a stream and nobody stores it. */
const maxImportBytes = 200 * 1024 * 1024

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
  serve(app, listUnmapped, ({ query }) => answerList(pool, query, (span) => unmappedText(query, span)))

  serve(app, changeLeadStates, async ({ body, person }) => {
    const changed = await changeStates(db, body, person)
    if (changed > 0) bell.emit('outgoing-postbacks')
    return { changed }
  })

  serve(app, importCall, async ({ request, person }) => {
    await using received = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: maxImportBytes,
      fields: ['source_id'],
    })
    const { file, fields } = received
    const sourceId = sourceIdOf(fields.source_id ?? '')
    const extension = extensionOf(file.name, ['csv', 'xlsx'])
    const answer = await importLeads(db, { path: file.path, extension }, sourceId, {
      currency: config.currency,
      reason: file.name,
    })
    const { imported, updated, unchanged, skipped } = answer
    await audit(db, person, 'import', 'leads', null, null, {
      file: file.name,
      source_id: sourceId,
      imported,
      updated,
      unchanged,
      skipped,
    })
    bell.emit('outgoing-postbacks')
    return answer
  })
}

function sourceIdOf(text: string): number {
  const id = /^\d{1,15}$/.test(text.trim()) ? Number(text) : null
  if (id !== null) return id
  const message = text.trim() === '' ? 'Source is required' : 'Source must be an id'
  throw invalid([{ field: 'source_id', message }])
}
