import {
  countProblems,
  getParcel,
  importParcels as importCall,
  listNotes,
  listParcelEvents,
  listParcels,
  noteParcel,
  parcelCodes,
  searchParcels,
  stillAfterDays,
} from '@karvon/contract/parcels/parcels.ts'
import { maxNotes } from '@karvon/contract/lib/limits.ts'
import type { FastifyInstance } from 'fastify'
import { CompiledQuery } from 'kysely'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { maxNotesOfPerson } from '../../platform/limits/limits.ts'
import { Rate } from '../../platform/limits/rate.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { answerTransaction } from '../../platform/database/transaction.ts'
import { serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { importParcels } from './parcels.import.ts'
import type { TakeParcels } from './parcels.sink.ts'
import { notesText, parcelEventsText } from './parcels.parts.queries.ts'
import { noteRoomText, noteText, parcelListText, parcelText, problemCountsText } from './parcels.queries.ts'

type Counts = Readonly<Record<string, number | null>>

const statusCounts = (counted: Counts) => ({
  status_counts: { ...Object.fromEntries(parcelCodes.map((code) => [code, 0])), ...counted },
})

/** `take` is the way in for parcels that an admin imports. */
export function parcelsRoutes(app: FastifyInstance, deps: Deps, take: TakeParcels): void {
  const { db, pool } = deps
  const notesRate = new Rate(maxNotesOfPerson)

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

  const refuseUnknown = async (id: number, person: Identity) => {
    const known = 'select from parcels where id = $1 and ($2::bigint is null or owner_id = $2)'
    const { rowCount } = await pool.query(known, [id, ownerOf(person)])
    if (rowCount === 0) throw notFound('parcel')
  }

  serve(app, listParcelEvents, async ({ params, query, person }) => {
    await refuseUnknown(params.id, person)
    return answerList(pool, query, (span) => parcelEventsText(params.id, query, span))
  })

  serve(app, listNotes, async ({ params, query, person }) => {
    await refuseUnknown(params.id, person)
    return answerList(pool, query, (span) => notesText(params.id, query, span))
  })

  serve(app, noteParcel, ({ params, body, person }) => {
    const text = body.text.trim()
    if (text === '') throw invalid([{ field: 'text', message: 'Note is required' }])
    const retryAfter = notesRate.take(String(person.userId))
    if (retryAfter > 0)
      throw new AppError('too_many_requests', `Too many notes. Try again in ${retryAfter} s.`, { retryAfter })
    return answerTransaction(db, async (trx) => {
      const look = CompiledQuery.raw(noteRoomText, [params.id, ownerOf(person)])
      const parcel = (await trx.executeQuery<{ room: boolean }>(look)).rows[0]
      if (parcel === undefined) throw notFound('parcel')
      if (!parcel.room) throw new AppError('conflict', `A parcel has at most ${maxNotes} notes.`)
      const write = CompiledQuery.raw(noteText, [params.id, text, person.userId])
      const { rows } = await trx.executeQuery<{ row: string }>(write)
      return new RawJson(rows[0]?.row ?? '')
    })
  })

  serveImport(app, deps, importCall, {
    kind: 'parcels',
    fields: [],
    judge: () => ({ noted: {}, take: (file) => importParcels(db, file, take) }),
  })
}
