import {
  getParcel,
  importParcels as importCall,
  listParcels,
  parcelCodes,
  searchParcels,
} from '@karvon/contract/parcels/parcels.ts'
import type { FastifyInstance } from 'fastify'
import { audit } from '../kit/audit.ts'
import { extensionOf } from '../kit/content/content.check.ts'
import type { Deps } from '../kit/deps.ts'
import { notFound } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { receiveFile } from '../kit/multipart.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { importParcels } from './parcels.import.ts'
import { parcelListText, parcelText } from './parcels.sql.ts'

/** An import may be far larger than an upload: it is read as a stream and nobody stores it. */
const maxImportBytes = 200 * 1024 * 1024

type Counts = Readonly<Record<string, number | null>>

const statusCounts = (counted: Counts) => ({
  status_counts: { ...Object.fromEntries(parcelCodes.map((code) => [code, 0])), ...counted },
})

export function parcelsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool, config } = deps

  const list = (query: Record<string, unknown>, person: Identity, more?: typeof statusCounts) =>
    answerList(pool, query, (span) => parcelListText(query, span, person), more)

  serve(app, listParcels, ({ query, person }) => list(query, person, statusCounts))
  serve(app, searchParcels, ({ query, person }) => list(query, person))

  serve(app, getParcel, async ({ params, person }) => {
    const owner = person.admin ? null : person.userId
    const { rows } = await pool.query<{ row: string }>({
      name: 'parcel',
      text: parcelText,
      values: [params.id, owner],
    })
    // Another's parcel is as unknown as one that is not there.
    if (rows[0] === undefined) throw notFound('parcel')
    return new RawJson(rows[0].row)
  })

  serve(app, importCall, async ({ request, person }) => {
    await using received = await receiveFile(request, {
      folder: config.dataFolder,
      maxBytes: maxImportBytes,
      fields: [],
    })
    const { file } = received
    const extension = extensionOf(file.name, ['csv', 'xlsx'])
    const answer = await importParcels(db, { path: file.path, extension })
    const { imported, updated, unchanged, skipped } = answer
    await audit(db, person, 'import', 'parcels', null, null, {
      file: file.name,
      imported,
      updated,
      unchanged,
      skipped,
    })
    return answer
  })
}
