import { me } from '@karvon/contract/auth/auth.ts'
import type { BodyOf, Call, ReceivedOf } from '@karvon/contract/lib/call.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { speak } from './i18n/language.ts'
import { keyFor } from './http.keys.ts'
import { clearSession, getSession } from './session.store.ts'
import { httpTexts } from './http.texts.ts'
import { isAnnounced } from './settings.store.ts'

/** Milliseconds that any call may take, its body included (specification, section 9). */
const timeout = 5000

const given: unknown = import.meta.env.VITE_API_HOST
const host = typeof given === 'string' ? given.replace(/\/+$/, '') : ''

export type QueryValue = string | number | boolean | null | undefined

export interface SendInput<C extends Call> {
  /** What stands for `:name` in the call's path. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Empty, null and undefined values are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>
  /** FormData travels as multipart, anything else as JSON. */
  readonly body?: BodyOf<C> | FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Milliseconds that it may take, for a call that by itself waits for others. */
  readonly patience?: number
}

/**
 * A call that failed. `status` is 0 when no answer came (network, time-out, a refused redirect);
 * `errors` names the fields at fault; `detail` is the server's own sentence, under `detail` or else `message`.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly detail: string | undefined
  readonly code: string | undefined
  readonly errors: readonly FieldProblem[]
  readonly response: Response | undefined

  constructor(message: string, response?: Response, problem?: unknown, cause?: unknown) {
    const { detail, code, errors } = readProblem(problem)
    super(detail ?? message, { cause })
    this.status = response?.status ?? 0
    this.detail = detail
    this.code = code
    this.errors = errors
    this.response = response
  }
}

/** What a person is told about a failure. */
export const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Builds the call's address below the API host. */
function addressOf(call: Call, input: Pick<SendInput<Call>, 'params' | 'query'> = {}): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value))
  }
  const asked = query.toString()
  return `${host}${path}${asked && `?${asked}`}`
}

/**
 * Where a call goes and what it carries; `token` is that of the session it is made in.
 * Throws {@link HttpError} for a call that the host does not announce, so that none is ever sent.
 */
export function requestOf<C extends Call>(call: C, input: SendInput<C>) {
  if (!isAnnounced(call.feature)) throw new HttpError(httpTexts.notOffered)
  const token = getSession()?.token
  const { body } = input
  const json = body !== undefined && !(body instanceof FormData)
  return {
    token,
    address: addressOf(call, input),
    headers: {
      Accept: 'application/json',
      ...(json && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...input.headers,
    },
    ...(body !== undefined && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  }
}

/**
 * What an answer that is no success becomes; a 401 also ends the session that the call was made in, except
 * on a public call (a wrong password on the sign-in form is nobody's session). Of a call beyond the specification it
 * ends nothing by itself: whether the session is over, the specification's own profile call says.
 */
export function refusalOf(
  call: Call,
  token: string | undefined,
  response: Response,
  text: string,
): HttpError {
  // An answer to an older token says nothing about the session of now.
  if (response.status === 401 && call.guard !== 'public' && getSession()?.token === token) {
    if (call.feature === undefined) clearSession()
    else void send(me).catch(() => undefined)
  }
  return new HttpError(httpTexts.status(response.status), response, parse(text))
}

/** Sends a call and answers its body. Throws {@link HttpError}. */
export async function send<C extends Call>(call: C, input: SendInput<C> = {}): Promise<ReceivedOf<C>> {
  const { signal } = input
  const { token, address, headers, ...request } = requestOf(call, input)
  const key = keyFor(call, address, request.body)
  const patience = AbortSignal.timeout(input.patience ?? timeout)
  let response: Response | undefined
  let text: string
  try {
    response = await fetch(address, {
      ...request,
      headers: { ...headers, ...key?.headers },
      method: call.method,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new HttpError(
      patience.aborted ? httpTexts.timeout((input.patience ?? timeout) / 1000) : httpTexts.unreachable,
      response,
      undefined,
      cause,
    )
  }
  if (response.ok) {
    key?.answered(response.status, undefined)
    return parse(text) as ReceivedOf<C>
  }
  const refusal = refusalOf(call, token, response, text)
  key?.answered(refusal.status, refusal.code)
  throw refusal
}

/** JSON, or undefined for anything else. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readProblem(problem: unknown) {
  const given = new Map(typeof problem === 'object' && problem !== null ? Object.entries(problem) : [])
  const word = (key: string): string | undefined => {
    const value: unknown = given.get(key)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const errors: unknown = given.get('errors')
  return {
    detail: speak(word('detail') ?? word('message')),
    code: word('code'),
    errors: Array.isArray(errors)
      ? errors.filter(isFieldProblem).map(({ field, message }) => ({ field, message: speak(message) }))
      : [],
  }
}

const isFieldProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' && value !== null && 'field' in value && 'message' in value
