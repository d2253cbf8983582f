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
import { sendSheet } from '../../platform/exports/exports.send.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { readImportProgress } from './imports.queries.ts'
import {
  buildLeadsTemplate,
  orderFileTemplate,
  buildParcelsTemplate,
  type Template,
} from './imports.templates.ts'

/** The calls of the progress of an import, and of the template files. */
export function importsRoutes(app: FastifyInstance, { pool, config }: Deps): void {
  serve(app, getImport, async ({ params }) => {
    const progress = await readImportProgress(pool, params.key)
    if (progress === null) throw notFound('import')
    return new RawJson(progress)
  })

  serve(app, leadsCall, async ({ query, reply }) =>
    sendTemplate(reply, query, buildLeadsTemplate(config.currency)),
  )
  serve(app, ordersCall, async ({ query, reply }) => sendTemplate(reply, query, orderFileTemplate))
  serve(app, parcelsCall, async ({ query, reply, person }) =>
    sendTemplate(reply, query, buildParcelsTemplate(person.username)),
  )
}

function sendTemplate(
  reply: FastifyReply,
  { format = templateFormat }: { format?: typeof templateFormat },
  { stem, columns }: Template,
): FastifyReply {
  const cells = Object.values(columns)
  const rows = (cells[0] ?? []).map((_, at) => cells.map((column) => column[at] ?? null))
  const pieces = (async function* () {
    yield rows
  })()
  return sendSheet(
    reply,
    { fileStem: `${stem}-template`, sheet: stem, headers: Object.keys(columns), rows: pieces },
    { format },
  )
}
