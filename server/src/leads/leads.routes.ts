import { getLead, importLeads as importCall, listLeads, listOwnLeads } from '@karvon/contract/leads/leads.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../kit/audit.ts'
import { extensionOf } from '../kit/content/content.check.ts'
import type { Deps } from '../kit/deps.ts'
import { invalid, notFound } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { listAnswer, oneRow, type ListRow } from '../kit/lists/lists.answer.ts'
import { receiveFile } from '../kit/multipart.ts'
import { pageAsked } from '../kit/paging.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { importLeads } from './leads.import.ts'
import { leadListText, leadText } from './leads.sql.ts'

/** An import may be far larger than an upload: it is read as a stream and nobody stores it. */
const maxImportBytes = 200 * 1024 * 1024

export function leadsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config } = deps

  const list = async (query: Record<string, unknown>, person: Identity | null) => {
    const asked = pageAsked(query)
    const { text, values } = leadListText(query, asked, person)
    return listAnswer(asked, await oneRow<ListRow>(pool, text, values))
  }

  serve(app, listLeads, ({ query }) => list(query, null))
  serve(app, listOwnLeads, ({ query, person }) => list(query, person))

  serve(app, getLead, async ({ params }) => {
    const { rows } = await pool.query<{ row: string }>({ name: 'lead', text: leadText, values: [params.id] })
    if (rows[0] === undefined) throw notFound('lead')
    return new RawJson(rows[0].row)
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
    return answer
  })
}

function sourceIdOf(text: string): number {
  const id = /^\d{1,15}$/.test(text.trim()) ? Number(text) : null
  if (id !== null) return id
  const message = text.trim() === '' ? 'Source is required' : 'Source must be an id'
  throw invalid([{ field: 'source_id', message }])
}
