import { me } from '@karvon/contract/auth/auth.ts'
import type { BodyOf, Call, ReceivedOf } from '@karvon/contract/lib/call.ts'
import type { MessageParams } from '@karvon/contract/lib/message.ts'
import { getIdempotencyKey } from './http.idempotency.ts'
import { waitWhileLeaving } from './page-leave.ts'
import { clearSession, getSession } from './session.store.ts'
import { describeHttpFailure, type IdentifiedMessage } from './http.texts.ts'
import { getServerMessageId, translateServerMessage, type ServerMessage } from './server-messages.ts'
import { isAnnounced } from './settings.store.ts'
import { isRecord } from './is-record.ts'

/** Milliseconds that a call may take, including its body (specification, section 9). */
export const defaultTimeoutMs = 5000

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

/** `answer` is the parsed body of the response. */
interface FailureDetails {
  readonly response?: Response | undefined
  readonly answer?: unknown
  readonly cause?: unknown
}

/**
 * A failed call. `status` is 0 without an answer (network, time-out, a refused redirect). `errors` names the
 * fields with errors. `detail` is the server's message, from `detail` or else `message`. `identified` is the
 * shown message with its id, where it has one.
 */
export class HttpError extends Error {
  override readonly name = 'HttpError'
  readonly status: number
  readonly detail: string | undefined
  readonly code: string | undefined
  readonly errors: readonly FieldError[]
  readonly identified: IdentifiedMessage | undefined
  readonly response: Response | undefined

  constructor(failure: IdentifiedMessage, { response, answer, cause }: FailureDetails = {}) {
    const problem = readProblem(answer)
    super(problem.detail ?? failure.text, { cause })
    this.status = response?.status ?? 0
    this.detail = problem.detail
    this.code = problem.code
    this.errors = problem.errors
    this.identified = problem.detail === undefined ? failure : problem.identified
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
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const queryText = query.toString()
  return `${host}${path}${queryText && `?${queryText}`}`
}

/**
 * Builds the request of a call. `token` is the token of the current session. Throws {@link HttpError} for a
 * call that the host does not announce, so that it is never sent.
 */
export function buildRequest<C extends Call>(call: C, input: SendInput<C>) {
  if (!isAnnounced(call.feature)) throw new HttpError(describeHttpFailure('notOffered'))
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
  response: Response,
  { token, text }: { token: string | undefined; text: string },
): HttpError {
  // An answer to an older token says nothing about the current session.
  if (response.status === 401 && call.guard !== 'public' && getSession()?.token === token) {
    if (call.feature === undefined) clearSession()
    else void send(me).catch(() => undefined)
  }
  return new HttpError(describeHttpFailure('status', { status: response.status }), {
    response,
    answer: parseJson(text),
  })
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
    const reason = timeoutSignal.aborted
      ? describeHttpFailure('timeout', { seconds: (input.timeoutMs ?? defaultTimeoutMs) / 1000 })
      : describeHttpFailure('unreachable')
    await waitWhileLeaving()
    throw new HttpError(reason, { response, cause })
  }
  if (response.ok) {
    idempotencyKey?.reportAnswer(response.status, undefined)
    return parseJson(text) as ReceivedOf<C>
  }
  const failure = readFailure(call, response, { token, text })
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

/** A field with an error. The message is in the picked language. */
export interface FieldError {
  readonly field: string
  readonly message: string
}

type Problem = {
  detail: string | undefined
  code: string | undefined
  errors: readonly FieldError[]
  identified: IdentifiedMessage | undefined
}

function readProblem(answer: unknown): Problem {
  const { detail, message: fallback, code, params, errors } = isRecord(answer) ? answer : {}
  const message = readText(detail) ?? readText(fallback)
  const problems = Array.isArray(errors) ? errors.filter(isFieldProblem) : []
  const fields = problems.map((problem) => ({
    field: problem.field,
    message: translateServerMessage(problem),
  }))
  const sharedFields = { code: readText(code), errors: fields }
  if (message === undefined) return { ...sharedFields, detail: undefined, identified: undefined }
  // The sentence of an invalid request is the one of its first wrong field.
  const source = problems.find((problem) => problem.message === message) ?? { message, code, params }
  const sourceCode = readText(source.code)
  const sourceParams = isRecord(source.params) ? (source.params as MessageParams) : {}
  const text = translateServerMessage({ message, code: sourceCode, params: sourceParams })
  const identifiedMessage =
    sourceCode === undefined ? undefined : { id: getServerMessageId(sourceCode), params: sourceParams, text }
  return { ...sharedFields, detail: text, identified: identifiedMessage }
}

const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const isFieldProblem = (value: unknown): value is ServerMessage & FieldError =>
  isRecord(value) && typeof value['field'] === 'string' && typeof value['message'] === 'string'
