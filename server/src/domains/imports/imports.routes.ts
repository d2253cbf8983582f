import {
  getImport,
  leadsTemplate as leadsCall,
  ordersTemplate as ordersCall,
  parcelsTemplate as parcelsCall,
  templateFormat,
} from '@karvon/contract/imports/imports.ts'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { notFound } from '../../platform/http/errors.ts'
import { sendTable } from '../../platform/exports/exports.send.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { progressText } from './imports.queries.ts'
import { leadsTemplate, ordersTemplate, parcelsTemplate, type Template } from './imports.templates.ts'

/** How far imports are, and the files to fill in for them. */
export function importsRoutes(app: FastifyInstance, { pool, config }: Deps): void {
  serve(app, getImport, async ({ params }) => {
    const { rows } = await pool.query<{ row: string }>({
      name: 'import',
      text: progressText,
      values: [params.key],
    })
    if (rows[0] === undefined) throw notFound('import')
    return new RawJson(rows[0].row)
  })

  serve(app, leadsCall, async ({ query, reply }) => send(reply, query, leadsTemplate(config.currency)))
  serve(app, ordersCall, async ({ query, reply }) => send(reply, query, ordersTemplate))
  serve(app, parcelsCall, async ({ query, reply, person }) =>
    send(reply, query, parcelsTemplate(person.username)),
  )
}

function send(
  reply: FastifyReply,
  { format = templateFormat }: { format?: typeof templateFormat },
  { stem, columns }: Template,
): FastifyReply {
  const cells = Object.values(columns)
  const rows = (cells[0] ?? []).map((_, at) => cells.map((column) => column[at] ?? null))
  const pieces = (async function* () {
    yield rows
  })()
  return sendTable(
    reply,
    { stem: `${stem}-template`, sheet: stem, heading: Object.keys(columns), rows: pieces },
    format,
  )
}
