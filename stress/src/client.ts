import { setTimeout as sleep } from 'node:timers/promises'

/** What came back; status 0 where nothing did. */
export interface ClientAnswer {
  status: number
  text: string
}

export interface Asked {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With its query. */
  path: string
  json?: object
  /** Of a multipart form. */
  file?: { name: string; content: string }
  fields?: Record<string, string>
  /** Idempotency-Key */
  key?: string
}

/** Milliseconds after which a client of ours gives an answer up. */
const patience = 15_000

/** One request to the product; a connection that fails, or an answer that does not come, is status 0. */
export async function send(url: string, token: string | null, asked: Asked): Promise<ClientAnswer> {
  const headers: Record<string, string> = {}
  if (token !== null) headers.authorization = `Bearer ${token}`
  if (asked.key !== undefined) headers['idempotency-key'] = asked.key
  if (asked.json !== undefined) headers['content-type'] = 'application/json'
  const body = asked.json === undefined ? formOf(asked) : JSON.stringify(asked.json)
  try {
    const answer = await fetch(`${url}${asked.path}`, {
      method: asked.method,
      headers,
      signal: AbortSignal.timeout(patience),
      ...(body !== undefined && { body }),
    })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return { status: 0, text: '' }
  }
}

/** An answer of substance to what changes nothing: 503 and the like are asked again for a while. */
export async function read(url: string, token: string | null, path: string): Promise<ClientAnswer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send(url, token, { method: 'GET', path })
    if (![0, 429, 503].includes(answer.status) || tries === 50) return answer
    await sleep(200)
  }
}

/** A request that must go well; its JSON. Throws, with the answer, otherwise. */
export async function must<T>(url: string, token: string | null, asked: Asked): Promise<T> {
  const { status, text } =
    asked.method === 'GET' ? await read(url, token, asked.path) : await send(url, token, asked)
  if (status < 200 || status > 299)
    throw new Error(`${asked.method} ${asked.path} answered ${status}: ${text}`)
  return JSON.parse(text) as T
}

/** All rows of a list, page after page. */
export async function allRows<Row>(url: string, token: string, path: string): Promise<Row[]> {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const { items } = await must<{ items: Row[] }>(url, token, {
      method: 'GET',
      path: `${path}${path.includes('?') ? '&' : '?'}page=${page}&per_page=200&sort=id`,
    })
    rows.push(...items)
    if (items.length < 200) return rows
  }
}

function formOf({ file, fields = {} }: Asked): FormData | undefined {
  if (file === undefined) return undefined
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([file.content]), file.name)
  return form
}
