import { Type, type Static, type TSchema } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxLine } from '../lib/limits.ts'
import { pageOf } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { postbackNames, subNames } from './postbacks.names.ts'

const time = Type.String({ format: 'date-time' })
const day = Type.String({ format: 'date' })
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const oneOf = <T extends string>(values: readonly T[]) => Type.Unsafe<T>(Type.String({ enum: [...values] }))

/** What became of a hit. Only `refused` leaves no lead behind. */
export const postbackOutcomes = ['created', 'updated', 'unchanged', 'refused'] as const
export type PostbackOutcome = (typeof postbackOutcomes)[number]

/**
 * Why a hit was refused, or what is worth knowing of one that was taken: the first four stand beside a lead
 * that is stored. `older_state`: the lead is in a newer state already.
 */
export const postbackReasons = [
  'unknown_stream',
  'unmapped_word',
  'older_state',
  'duplicate',
  'missing_value',
  'bad_value',
  'bad_secret',
  'inactive_source',
  'malformed',
] as const
export type PostbackReason = (typeof postbackReasons)[number]

/** A refusal is a {@link Problem} with the same four beside it. */
export const PostbackAnswer = Type.Object({
  outcome: oneOf(postbackOutcomes),
  lead_id: nullable(Type.Integer()),
  reason: nullable(oneOf(postbackReasons)),
  detail: Type.String(),
})
export type PostbackAnswer = Static<typeof PostbackAnswer>

const told = [...Object.values(postbackNames).flat(), ...subNames]

/**
 * What a network says of one lead, in the address, in a form, as JSON or multipart; a body wins over the
 * address. The server reads it by itself, so that a hit that is refused stands in the log as it came.
 */
export const receivePostback = call({
  id: 'postbacks.receive',
  summary: 'Take what a network says of a lead, in the address or in a body',
  method: 'GET',
  also: 'POST',
  path: '/api/postback/:source_key',
  feature: 'leads',
  guard: 'public',
  consumes: 'any',
  params: Type.Object({ source_key: Type.String({ maxLength: maxLine }) }),
  query: Type.Object(Object.fromEntries(told.map((name) => [name, Type.Optional(Type.Unknown())]))),
  answer: PostbackAnswer,
})

/** One hit. `params` is what it carried, secrets masked; `detail` says in plain words how it went. */
export const Postback = Type.Object({
  id: Type.Integer(),
  at: time,
  source_id: nullable(Type.Integer()),
  source: nullable(Named),
  method: Type.String(),
  address: nullable(Type.String()),
  params: Type.Record(Type.String(), Type.String()),
  external_id: nullable(Type.String()),
  word: nullable(Type.String()),
  outcome: oneOf(postbackOutcomes),
  reason: nullable(oneOf(postbackReasons)),
  detail: nullable(Type.String()),
  lead_id: nullable(Type.Integer()),
  replayed_at: nullable(time),
})
export type Postback = Static<typeof Postback>

/** `search` finds the start of the external id. Both days count. */
export const listPostbacks = call({
  id: 'postbacks.list',
  summary: 'List the postbacks that came in, and what became of each',
  method: 'GET',
  path: '/api/admin/postbacks/',
  feature: 'leads',
  guard: 'admin',
  query: listQuery(['id', 'at'], {
    source_id: Id,
    outcome: oneOf(postbackOutcomes),
    reason: oneOf(postbackReasons),
    external_id: Type.String({ maxLength: maxLine }),
    start_date: day,
    end_date: day,
  }),
  answer: pageOf(Postback),
})

export const replayPostback = call({
  id: 'postbacks.replay',
  summary: 'Take a postback once more as of the time it came, after what it met was mended',
  method: 'POST',
  path: '/api/admin/postbacks/:id/replay/',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Postback,
})

export const postbackCalls = [receivePostback, listPostbacks, replayPostback]
