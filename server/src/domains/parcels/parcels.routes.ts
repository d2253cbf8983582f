import { fieldError } from '@karvon/contract/lib/field-messages.ts'
import {
  getParcel,
  importParcels as importCall,
  listNotes,
  listParcelEvents,
  listParcels,
  noteParcel,
  searchParcels,
} from '@karvon/contract/parcels/parcels.ts'
import { countProblems } from '@karvon/contract/parcels/problems.ts'
import { maxNotes } from '@karvon/contract/lib/limits.ts'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { AppError, invalid, notFound } from '../../platform/http/errors.ts'
import type { Identity } from '../../platform/http/guard.ts'
import { answerList } from '../../resources/lists.answer.ts'
import { maxNotesPerPerson } from '../../platform/limits/limits.ts'
import { RateLimiter } from '../../platform/limits/rate-limiter.ts'
import { RawJson } from '../../platform/http/raw-json.ts'
import { serve } from '../../platform/http/serve.ts'
import { inTransactionStoringAnswer } from '../../platform/http/idempotency.answers.ts'
import { serveImport } from '../../platform/spreadsheets/spreadsheets.serve.ts'
import { importParcelFile } from './parcels.import.ts'
import { buildEventList, buildNoteList, hasRoomForNote, insertNote } from './parcels.parts.queries.ts'
import {
  buildParcelList,
  hasParcel,
  lockParcel,
  readParcel,
  readProblemCounts,
  statusCountsSql,
} from './parcels.queries.ts'

export function parcelsRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, pool } = deps
  const { currency } = deps.config
  const noteLimiter = new RateLimiter(maxNotesPerPerson)

  serve(app, listParcels, ({ query, person }) =>
    answerList(pool, query, { ...buildParcelList(query, person, currency), extraMeta: statusCountsSql }),
  )
  serve(app, searchParcels, ({ query, person }) =>
    answerList(pool, query, buildParcelList(query, person, currency)),
  )

  // A parcel of another owner gives the same 404 as an unknown one.
  const getOwnerFilter = (person: Identity) => (person.isAdmin ? null : person.userId)

  serve(app, getParcel, async ({ params, person }) => {
    const parcel = await readParcel(pool, params.id, { ownerId: getOwnerFilter(person), currency })
    if (parcel === null) throw notFound('parcel')
    return new RawJson(parcel)
  })

  serve(
    app,
    countProblems,
    async ({ query, person }) =>
      new RawJson(await readProblemCounts(pool, getOwnerFilter(person), query.no_progress_days)),
  )

  const refuseUnknownParcel = async (id: number, person: Identity) => {
    if (!(await hasParcel(pool, id, getOwnerFilter(person)))) throw notFound('parcel')
  }

  serve(app, listParcelEvents, async ({ params, query, person }) => {
    await refuseUnknownParcel(params.id, person)
    return answerList(pool, query, buildEventList(params.id, query))
  })

  serve(app, listNotes, async ({ params, query, person }) => {
    await refuseUnknownParcel(params.id, person)
    return answerList(pool, query, buildNoteList(params.id, query))
  })

  serve(app, noteParcel, ({ params, body, person }) => {
    const text = body.text.trim()
    if (text === '') throw invalid([fieldError('text', 'required', { label: 'Note' })])
    const retryAfter = noteLimiter.consume(String(person.userId))
    if (retryAfter > 0) throw new AppError('too_many_notes', { seconds: retryAfter }, { retryAfter })
    return inTransactionStoringAnswer(db, async (trx) => {
      if (!(await lockParcel(trx, params.id, getOwnerFilter(person)))) throw notFound('parcel')
      if (!(await hasRoomForNote(trx, params.id)))
        throw new AppError('too_many_parcel_notes', { max: maxNotes })
      return new RawJson(await insertNote(trx, params.id, { text, userId: person.userId }))
    })
  })

  serveImport(app, deps, {
    call: importCall,
    kind: 'parcels',
    fields: [],
    prepare: () => ({ auditDetails: {}, importFile: (file) => importParcelFile(db, file) }),
  })
}
