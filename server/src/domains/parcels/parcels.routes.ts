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
import { maxNotesPerPerson } from '../../platform/limits/limits.ts'
import { RateLimiter } from '../../platform/limits/rate-limiter.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransactionStoringAnswer } from '../../platform/database/transaction.ts'
import { serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { importParcelFile } from './parcels.import.ts'
import { notesText, parcelEventsText } from './parcels.parts.queries.ts'
import {
  lockParcelText,
  noteRoomText,
  insertNoteText,
  parcelListText,
  parcelText,
  problemCountsText,
} from './parcels.queries.ts'

type Counts = Readonly<Record<string, number | null>>

const statusCounts = (counts: Counts) => ({
  status_counts: { ...Object.fromEntries(parcelCodes.map((code) => [code, 0])), ...counts },
})

export function parcelsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool } = deps
  const notesRate = new RateLimiter(maxNotesPerPerson)

  const list = (query: Record<string, unknown>, person: Identity, more?: typeof statusCounts) =>
    answerList(pool, query, (span) => parcelListText(query, span, person), more)

  serve(app, listParcels, ({ query, person }) => list(query, person, statusCounts))
  serve(app, searchParcels, ({ query, person }) => list(query, person))

  /** Runs a query that gives one row of JSON text. A parcel of another owner gives the same 404 as an unknown one. */
  const answerOne = async (name: string, text: string, values: unknown[]) => {
    const { rows } = await pool.query<{ row: string }>({ name, text, values })
    if (rows[0] === undefined) throw notFound('parcel')
    return new RawJson(rows[0].row)
  }
  const getOwnerFilter = (person: Identity) => (person.isAdmin ? null : person.userId)

  serve(app, getParcel, ({ params, person }) =>
    answerOne('parcel', parcelText, [params.id, getOwnerFilter(person)]),
  )

  serve(app, countProblems, ({ query, person }) =>
    answerOne('parcel-problems', problemCountsText, [
      getOwnerFilter(person),
      query.still_days ?? stillAfterDays,
    ]),
  )

  const refuseUnknownParcel = async (id: number, person: Identity) => {
    const known = 'select from parcels where id = $1 and ($2::bigint is null or owner_id = $2)'
    const { rowCount } = await pool.query(known, [id, getOwnerFilter(person)])
    if (rowCount === 0) throw notFound('parcel')
  }

  serve(app, listParcelEvents, async ({ params, query, person }) => {
    await refuseUnknownParcel(params.id, person)
    return answerList(pool, query, (span) => parcelEventsText(params.id, query, span))
  })

  serve(app, listNotes, async ({ params, query, person }) => {
    await refuseUnknownParcel(params.id, person)
    return answerList(pool, query, (span) => notesText(params.id, query, span))
  })

  serve(app, noteParcel, ({ params, body, person }) => {
    const text = body.text.trim()
    if (text === '') throw invalid([{ field: 'text', message: 'Note is required' }])
    const retryAfter = notesRate.consume(String(person.userId))
    if (retryAfter > 0)
      throw new AppError('too_many_requests', `Too many notes. Try again in ${retryAfter} s.`, { retryAfter })
    return inTransactionStoringAnswer(db, async (trx) => {
      const lockQuery = CompiledQuery.raw(lockParcelText, [params.id, getOwnerFilter(person)])
      if ((await trx.executeQuery(lockQuery)).rows.length === 0) throw notFound('parcel')
      const roomQuery = CompiledQuery.raw(noteRoomText, [params.id])
      const [notes] = (await trx.executeQuery<{ room: boolean }>(roomQuery)).rows
      if (notes?.room !== true) throw new AppError('conflict', `A parcel has at most ${maxNotes} notes.`)
      const insertQuery = CompiledQuery.raw(insertNoteText, [params.id, text, person.userId])
      const { rows } = await trx.executeQuery<{ row: string }>(insertQuery)
      return new RawJson(rows[0]?.row ?? '')
    })
  })

  serveImport(app, deps, importCall, {
    kind: 'parcels',
    fields: [],
    prepare: () => ({ auditDetails: {}, importFile: (file) => importParcelFile(db, file) }),
  })
}
