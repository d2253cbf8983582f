import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id, Named } from '../lib/field.ts'
import { maxCode, maxLine } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { allPostbackParamNames } from './postbacks.params.ts'
import { DateTime, Day, NullableDateTime, NullableText, nullable, OneOf } from '../lib/schemas.ts'

/** The outcome of a postback. Only `refused` stores no lead. */
export const postbackOutcomes = ['created', 'updated', 'unchanged', 'refused'] as const
export type PostbackOutcome = (typeof postbackOutcomes)[number]

/**
 * Why a postback was refused, or a remark about an accepted one: with the first four reasons the lead is stored.
 * `older_state`: the stored state of the lead is newer.
 */
export const postbackReasons = [
  'unknown_stream',
  'unmapped_status',
  'older_state',
  'duplicate',
  'missing_value',
  'bad_value',
  'bad_secret',
  'inactive_source',
  'malformed',
] as const
export type PostbackReason = (typeof postbackReasons)[number]

/** A replay cannot succeed for these: the log has no secrets, and not all parts of an unreadable request. */
const finalReasons: readonly (string | null)[] = ['bad_secret', 'bad_value', 'malformed']
export const isReplayable = (reason: string | null): boolean => !finalReasons.includes(reason)

/** The answer to a refused postback is a {@link Problem} with these four fields. */
export const PostbackAnswer = Type.Object({
  outcome: OneOf(postbackOutcomes),
  lead_id: nullable(Type.Integer()),
  reason: nullable(OneOf(postbackReasons)),
  detail: Type.String(),
})
export type PostbackAnswer = Static<typeof PostbackAnswer>

/**
 * A network reports one lead with parameters in the URL, in a form, as JSON or multipart; the body takes precedence.
 * The server parses the parameters itself, so that the log contains a refused postback unchanged.
 */
export const receivePostback = call({
  id: 'postbacks.receive',
  summary: 'Receive a postback of a network, with parameters in the URL or in a body',
  method: 'GET',
  alternateMethod: 'POST',
  path: '/api/postback/:source_key',
  feature: 'leads',
  guard: 'public',
  consumes: 'any',
  params: Type.Object({ source_key: Type.String({ maxLength: maxLine }) }),
  query: Type.Object(
    Object.fromEntries(allPostbackParamNames.map((name) => [name, Type.Optional(Type.Unknown())])),
  ),
  answer: PostbackAnswer,
})

/** One postback. `params` are its parameters with masked secrets; `detail` describes the outcome. */
export const Postback = Type.Object({
  id: Type.Integer(),
  at: DateTime,
  source_id: nullable(Type.Integer()),
  source: nullable(Named),
  method: Type.String(),
  address: NullableText,
  params: Type.Record(Type.String(), Type.String()),
  external_id: NullableText,
  source_status: NullableText,
  outcome: OneOf(postbackOutcomes),
  reason: nullable(OneOf(postbackReasons)),
  detail: NullableText,
  lead_id: nullable(Type.Integer()),
  replayed_at: NullableDateTime,
})
export type Postback = Static<typeof Postback>

/** `search` matches the start of the external id. Both days are inclusive. */
export const listPostbacks = call({
  id: 'postbacks.list',
  summary: 'List the received postbacks and their outcomes',
  method: 'GET',
  path: '/api/admin/postbacks/',
  feature: 'leads',
  guard: 'admin',
  query: listQuery(['id', 'at'], {
    id: Id,
    at: DateTime,
    address: Type.String({ maxLength: maxCode }),
    source_status: Type.String({ maxLength: maxCode }),
    lead_id: Id,
    replayed_at: DateTime,
    source_id: Id,
    outcome: OneOf(postbackOutcomes),
    reason: OneOf(postbackReasons),
    external_id: Type.String({ maxLength: maxLine }),
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(Postback),
})

export const replayPostback = call({
  id: 'postbacks.replay',
  summary: 'Process a logged postback again with the time of its receipt',
  method: 'POST',
  path: '/api/admin/postbacks/:id/replay/',
  feature: 'leads',
  guard: 'admin',
  params: Type.Object({ id: Id }),
  answer: Postback,
})

export const postbackCalls = [receivePostback, listPostbacks, replayPostback]
