import { me } from '@karvon/contract/auth/auth.ts'
import type { BodyOf, Call, ReceivedOf } from '@karvon/contract/lib/call.ts'
import type { FieldProblem } from '@karvon/contract/lib/problem.ts'
import { translate } from './i18n/language.ts'
import { getIdempotencyKey } from './http.idempotency.ts'
import { clearSession, getSession } from './session.store.ts'
import { httpTexts } from './http.texts.ts'
import { isAnnounced } from './settings.store.ts'

/** Milliseconds that a call may take, including its body (specification, section 9). */
const defaultTimeoutMs = 5000

const configuredHost: unknown = import.meta.env.VITE_API_HOST
const host = typeof configuredHost === 'string' ? configuredHost.replace(/\/+$/, '') : ''

export type QueryValue = string | number | boolean | null | undefined

export interface SendInput<C extends Call> {
  /** The values of `:name` in the call's path. */
  readonly params?: Readonly<Record<string, string | number>>
  /** Empty, null and undefined values are omitted. */
  readonly query?: Readonly<Record<string, QueryValue>>
  /** FormData is sent as multipart, anything else as JSON. */
  readonly body?: BodyOf<C> | FormData
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** Milliseconds that the call may take, where the server waits for other systems. */
  readonly timeoutMs?: number
}

/**
 * A failed call. `status` is 0 without an answer (network, time-out, a refused redirect). `errors` names the
 * fields with errors. `detail` is the server's message, from `detail` or else `message`.
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

/** The message of an error, for a person. */
export const getErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)

/** Builds the call's address below the API host. */
function buildAddress(call: Call, input: Pick<SendInput<Call>, 'params' | 'query'> = {}): string {
  const path = call.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(input.params?.[name] ?? ''),
  )
  const query = new URLSearchParams()
  for (const [idempotencyKey, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(idempotencyKey, String(value))
  }
  const queryText = query.toString()
  return `${host}${path}${queryText && `?${queryText}`}`
}

/**
 * Builds the request of a call. `token` is the token of the current session. Throws {@link HttpError} for a
 * call that the host does not announce, so that it is never sent.
 */
export function buildRequest<C extends Call>(call: C, input: SendInput<C>) {
  if (!isAnnounced(call.feature)) throw new HttpError(httpTexts.notOffered)
  const token = getSession()?.token
  const { body } = input
  const json = body !== undefined && !(body instanceof FormData)
  return {
    token,
    address: buildAddress(call, input),
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
 * Builds the error of a failed answer. A 401 also ends the session of the call, except on a public call (a
 * wrong password on the sign-in form). A 401 of a call beyond the specification ends nothing itself: the
 * profile call of the specification is then sent to check the session.
 */
export function readFailure(
  call: Call,
  token: string | undefined,
  response: Response,
  text: string,
): HttpError {
  // An answer to an older token says nothing about the current session.
  if (response.status === 401 && call.guard !== 'public' && getSession()?.token === token) {
    if (call.feature === undefined) clearSession()
    else void send(me).catch(() => undefined)
  }
  return new HttpError(httpTexts.status(response.status), response, parseJson(text))
}

/** Sends a call and returns the body of its answer. Throws {@link HttpError}. */
export async function send<C extends Call>(call: C, input: SendInput<C> = {}): Promise<ReceivedOf<C>> {
  const { signal } = input
  const { token, address, headers, ...request } = buildRequest(call, input)
  const idempotencyKey = getIdempotencyKey(call, address, request.body)
  const timeoutSignal = AbortSignal.timeout(input.timeoutMs ?? defaultTimeoutMs)
  let response: Response | undefined
  let text: string
  try {
    response = await fetch(address, {
      ...request,
      headers: { ...headers, ...idempotencyKey?.headers },
      method: call.method,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeoutSignal]) : timeoutSignal,
    })
    text = await response.text()
  } catch (cause) {
    if (signal?.aborted) throw cause
    throw new HttpError(
      timeoutSignal.aborted
        ? httpTexts.timeout((input.timeoutMs ?? defaultTimeoutMs) / 1000)
        : httpTexts.unreachable,
      response,
      undefined,
      cause,
    )
  }
  if (response.ok) {
    idempotencyKey?.reportAnswer(response.status, undefined)
    return parseJson(text) as ReceivedOf<C>
  }
  const failure = readFailure(call, token, response, text)
  idempotencyKey?.reportAnswer(failure.status, failure.code)
  throw failure
}

/** JSON, or undefined for anything else. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function readProblem(problem: unknown) {
  const fields = new Map(typeof problem === 'object' && problem !== null ? Object.entries(problem) : [])
  const readText = (idempotencyKey: string): string | undefined => {
    const value: unknown = fields.get(idempotencyKey)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const errors: unknown = fields.get('errors')
  return {
    detail: translate(readText('detail') ?? readText('message')),
    code: readText('code'),
    errors: Array.isArray(errors)
      ? errors.filter(isFieldProblem).map(({ field, message }) => ({ field, message: translate(message) }))
      : [],
  }
}

const isFieldProblem = (value: unknown): value is FieldProblem =>
  typeof value === 'object' && value !== null && 'field' in value && 'message' in value
