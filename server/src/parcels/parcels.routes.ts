import {
  countProblems,
  getParcel,
  importParcels as importCall,
  listParcels,
  noteParcel,
  parcelCodes,
  searchParcels,
  stillAfterDays,
} from '@karvon/contract/parcels/parcels.ts'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { Deps } from '../kit/deps.ts'
import { invalid, notFound } from '../kit/errors.ts'
import type { Identity } from '../kit/guard.ts'
import { answerList } from '../kit/lists/lists.answer.ts'
import { RawJson } from '../kit/raw-json.ts'
import { serve } from '../kit/serve.ts'
import { answerTransaction } from '../kit/transaction.ts'
import { serveImport } from '../kit/tables/tables.serve.ts'
import { importParcels } from './parcels.import.ts'
import type { TakeParcels } from './parcels.sink.ts'
import { noteText, parcelListText, parcelText, problemCountsText } from './parcels.sql.ts'

type Counts = Readonly<Record<string, number | null>>

const statusCounts = (counted: Counts) => ({
  status_counts: { ...Object.fromEntries(parcelCodes.map((code) => [code, 0])), ...counted },
})

/** `take` is the way in for parcels that an admin imports. */
export function parcelsRoutes(app: FastifyInstance, deps: Deps, take: TakeParcels): void {
  const { db, pool } = deps

  const list = (query: Record<string, unknown>, person: Identity, more?: typeof statusCounts) =>
    answerList(pool, query, (span) => parcelListText(query, span, person), more)

  serve(app, listParcels, ({ query, person }) => list(query, person, statusCounts))
  serve(app, searchParcels, ({ query, person }) => list(query, person))

  /** One row of JSON text; another's parcel is as unknown as one that is not there. */
  const one = async (name: string, text: string, values: unknown[]) => {
    const { rows } = await pool.query<{ row: string }>({ name, text, values })
    if (rows[0] === undefined) throw notFound('parcel')
    return new RawJson(rows[0].row)
  }
  const ownerOf = (person: Identity) => (person.admin ? null : person.userId)

  serve(app, getParcel, ({ params, person }) => one('parcel', parcelText, [params.id, ownerOf(person)]))

  serve(app, countProblems, ({ query, person }) =>
    one('parcel-problems', problemCountsText, [ownerOf(person), query.still_days ?? stillAfterDays]),
  )

  serve(app, noteParcel, ({ params, body, person }) => {
    const text = body.text.trim()
    if (text === '') throw invalid([{ field: 'text', message: 'Note is required' }])
    const values = [params.id, text, person.userId, ownerOf(person)]
    return answerTransaction(db, async (trx) => {
      const { rows } = await trx.executeQuery<{ row: string }>(CompiledQuery.raw(noteText, values))
      if (rows[0] === undefined) throw notFound('parcel')
      return new RawJson(rows[0].row)
    })
  })

  serveImport(app, deps, importCall, {
    kind: 'parcels',
    fields: [],
    judge: () => ({ noted: {}, take: (file) => importParcels(db, file, take) }),
  })
}
