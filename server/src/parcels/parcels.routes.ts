import {
  getParcel,
  importParcels as importCall,
  listParcels,
  parcelCodes,
  searchParcels,
} from '@karvon/contract/parcels/parcels.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../kit/deps.ts'
import { notFound } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { serveImport } from '../kit/tables/tables.serve.ts'
import { importParcels } from './parcels.import.ts'
import { parcelListText, parcelText } from './parcels.sql.ts'

type Counts = Readonly<Record<string, number | null>>

const statusCounts = (counted: Counts) => ({
  status_counts: { ...Object.fromEntries(parcelCodes.map((code) => [code, 0])), ...counted },
})

export function parcelsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool } = deps

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

  serveImport(app, deps, importCall, {
    kind: 'parcels',
    fields: [],
    judge: () => ({ noted: {}, take: (file) => importParcels(db, file) }),
  })
}
