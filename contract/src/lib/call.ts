import { Type, type Static, type TSchema } from 'typebox'
import type { Feature } from './features.ts'
import type { Received } from './received.ts'

/** Who may call: anybody, any signed-in person, or only admins. */
export type Guard = 'public' | 'person' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * What the server does with a second request with the same Idempotency-Key.
 * - `once`: answers the first answer again and changes nothing.
 * - `again`: the same. If the first request was cut off, the server processes it again, which duplicates
 *   nothing.
 * - `unkeyed`: ignores the key, because the call changes nothing, a second request changes nothing more, or
 *   the answer is shown once and must not be stored.
 */
export type RepeatPolicy = 'once' | 'again' | 'unkeyed'

/**
 * One call on the wire.
 *
 * - `path` has `:name` for parameters and the trailing slash that the web sends. The server accepts both
 *   spellings.
 * - `alternateMethod` is a second method with the same handler.
 * - `consumes` is the format of the body.
 * - `form` names the fields of a multipart form. The handler reads them as they arrive.
 * - `answer` is the body of `status` (200 by default). `mediaType` is its media type where it is not JSON.
 * - `feature` is the feature that a host must announce before the web makes the call. A call of the
 *   specification has none.
 * - `beforeSecondFactor`: a person who must set up a second factor may make the call before that.
 * - `writes`: a GET that also writes, such as a row of the audit log. A standby cannot answer it.
 * - `repeat` is the rule for a second request with the same Idempotency-Key, see {@link RepeatPolicy}.
 */
export interface Call<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  readonly id: string
  readonly summary: string
  readonly method: Method
  readonly alternateMethod?: Method
  readonly path: string
  readonly guard: Guard
  readonly beforeSecondFactor?: true
  readonly status?: 200 | 201 | 202
  readonly writes?: true
  readonly repeat?: RepeatPolicy
  readonly feature?: Feature | 'registration' | 'password_reset'
  readonly consumes?: 'json' | 'multipart' | 'any'
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly form?: TSchema
  readonly answer?: Answer
  readonly mediaType?: string
}

/** A file in a multipart form. */
export const FilePart = Type.String({ format: 'binary' })

/**
 * Declares a call. The generics keep the types of its parts for server and web, and whether the specification
 * has it.
 */
export function call<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
  const F extends Call['feature'] = undefined,
>(
  declaration: Call<Params, Query, Body, Answer> & { readonly feature?: F },
): Call<Params, Query, Body, Answer> & { readonly feature?: F } {
  return declaration
}

/** Whether the server respects an Idempotency-Key: for changes, unless anybody may make the call. */
export const acceptsIdempotencyKey = ({ guard, repeat }: Call, method: string): boolean =>
  (method === 'POST' || method === 'PUT') && guard !== 'public' && repeat !== 'unkeyed'

export type AnswerOf<C> = C extends Call<TSchema, TSchema, TSchema, infer A> ? Static<A> : never
/**
 * The answer that the web receives. It is complete if the host announces the call's feature. Any host
 * answers the calls of the specification, so parts of those answers can be missing.
 */
export type ReceivedOf<C> = C extends { readonly feature?: undefined } ? Received<AnswerOf<C>> : AnswerOf<C>
export type BodyOf<C> = C extends Call<TSchema, TSchema, infer B, TSchema> ? Static<B> : never
export type QueryOf<C> = C extends Call<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never
