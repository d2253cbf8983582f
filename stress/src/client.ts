import { setTimeout as sleep } from 'node:timers/promises'

/** Status 0: no answer. */
export interface ClientAnswer {
  status: number
  text: string
  /** The header Retry-After. */
  retryAfter: string | null
  milliseconds: number
}

export interface ClientRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Includes the query. */
  path: string
  json?: object
  /** Sent in a multipart form. */
  file?: { name: string; content: string }
  fields?: Record<string, string>
  /** Idempotency-Key */
  key?: string
}

/** Milliseconds to wait for an answer. */
const requestTimeout = 15_000

/** Sends a request to the product. A failed connection or a missing answer is status 0. */
export async function send(url: string, token: string | null, request: ClientRequest): Promise<ClientAnswer> {
  const headers: Record<string, string> = {}
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (request.key !== undefined) headers['idempotency-key'] = request.key
  if (request.json !== undefined) headers['content-type'] = 'application/json'
  const body = request.json === undefined ? buildForm(request) : JSON.stringify(request.json)
  const startedAt = performance.now()
  const measure = () => performance.now() - startedAt
  try {
    const answer = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers,
      signal: AbortSignal.timeout(requestTimeout),
      ...(body !== undefined && { body }),
    })
    const text = await answer.text()
    const retryAfter = answer.headers.get('retry-after')
    return { status: answer.status, text, retryAfter, milliseconds: measure() }
  } catch {
    return { status: 0, text: '', retryAfter: null, milliseconds: measure() }
  }
}

/** Sends a GET and repeats it for a while if the answer is missing, 429 or 503. */
export async function getWithRetry(url: string, token: string | null, path: string): Promise<ClientAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(url, token, { method: 'GET', path })
    if (![0, 429, 503].includes(answer.status) || attempt === 50) return answer
    await sleep(200)
  }
}

/** Sends a request and returns its JSON. Throws, with the answer, if the request fails. */
export async function sendOrThrow<T>(url: string, token: string | null, request: ClientRequest): Promise<T> {
  const { status, text } =
    request.method === 'GET' ? await getWithRetry(url, token, request.path) : await send(url, token, request)
  if (status < 200 || status > 299)
    throw new Error(`${request.method} ${request.path} answered ${status}: ${text}`)
  return JSON.parse(text) as T
}

/** Reads all rows of a list, page by page. */
export async function readAllRows<Row>(url: string, token: string, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { items } = await sendOrThrow<{ items: Row[] }>(url, token, {
      method: 'GET',
      path: `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=200&sort=id`,
    })
    rows.push(...items)
    if (items.length < 200) return rows
  }
}

function buildForm({ file, fields = {} }: ClientRequest): FormData | undefined {
  if (file === undefined) return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([file.content]), file.name)
  return form
}
