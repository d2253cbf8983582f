import { Type, type Static, type TSchema } from 'typebox'
import type { Feature } from './features.ts'
import type { Received } from './received.ts'

/** Who may call: anyone, anyone signed in, or admins alone. */
export type Guard = 'public' | 'person' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * What becomes of a repeat by the same Idempotency-Key. `once`: it is answered as the first was, and changes nothing.
 * `again`: the same; but where the first was cut off it is done again, which doubles nothing. `unkeyed`: the
 * key is left aside, since the call changes nothing, a repeat would change nothing further, or its answer is shown
 * once and may be kept nowhere.
 */
export type Repeat = 'once' | 'again' | 'unkeyed'

/**
 * One call on the wire.
 *
 * - `path` has `:name` for parameters and the trailing slash that the web sends; the server answers
 *   both spellings.
 * - `also` names a second method that the server answers with the same handler.
 * - `consumes` is the body's form.
 * - `form` says which fields a multipart form has; the handler reads them by itself, as they come.
 * - `answer` is the body of the `status` (200 unless said otherwise); `answers` its media type where it is no JSON.
 * - `feature` names what a host must announce before the web makes the call; a call of the specification has none.
 * - `beforeSecondFactor`: a person who must set up a second factor may make the call before they have one.
 * - `repeat` is what a second request with the same Idempotency-Key is, see {@link Repeat}.
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
  readonly also?: Method
  readonly path: string
  readonly guard: Guard
  readonly beforeSecondFactor?: true
  readonly status?: 200 | 201 | 202
  readonly repeat?: Repeat
  readonly feature?: Feature | 'registration' | 'password_reset'
  readonly consumes?: 'json' | 'multipart' | 'any'
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly form?: TSchema
  readonly answer?: Answer
  readonly answers?: string
}

/** A file in a multipart form. */
export const FilePart = Type.String({ format: 'binary' })

/** Declares a call; the generics keep the shapes for server and web, and whether it is of the specification. */
export function call<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
  const F extends Call['feature'] = undefined,
>(
  declared: Call<Params, Query, Body, Answer> & { readonly feature?: F },
): Call<Params, Query, Body, Answer> & { readonly feature?: F } {
  return declared
}

/** Whether a request minds its Idempotency-Key: what changes something does, unless anybody may call it. */
export const takesKey = ({ guard, repeat }: Call, method: string): boolean =>
  (method === 'POST' || method === 'PUT') && guard !== 'public' && repeat !== 'unkeyed'

export type AnswerOf<C> = C extends Call<TSchema, TSchema, TSchema, infer A> ? Static<A> : never
/**
 * What the web gets: all of it where a host announces the call's feature; of a call of the specification, which any
 * host answers, only what came.
 */
export type ReceivedOf<C> = C extends { readonly feature?: undefined } ? Received<AnswerOf<C>> : AnswerOf<C>
export type BodyOf<C> = C extends Call<TSchema, TSchema, infer B, TSchema> ? Static<B> : never
export type QueryOf<C> = C extends Call<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never
