import { type Static, type TSchema } from 'typebox'

/** Who may call: anyone, anyone signed in, or admins alone. */
export type Guard = 'public' | 'person' | 'admin'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One call on the wire.
 *
 * - `path` has `:name` for parameters and the trailing slash that the web sends; the server answers
 *   both spellings.
 * - `also` names a second method that the server answers with the same handler.
 * - `consumes` is the body's form; `limit` its size in bytes where it differs from the usual 1 MiB.
 * - `answer` is the body of the `status` (200 unless said otherwise).
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
  readonly status?: 200 | 201 | 202
  readonly consumes?: 'json' | 'multipart' | 'any'
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly answer?: Answer
}

/** Declares a call; the generics keep the shapes for server and web. */
export function call<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
>(declared: Call<Params, Query, Body, Answer>): Call<Params, Query, Body, Answer> {
  return declared
}

export type AnswerOf<C> = C extends Call<TSchema, TSchema, TSchema, infer A> ? Static<A> : never
export type BodyOf<C> = C extends Call<TSchema, TSchema, infer B, TSchema> ? Static<B> : never
export type QueryOf<C> = C extends Call<TSchema, infer Q, TSchema, TSchema> ? Static<Q> : never
