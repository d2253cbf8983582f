import type { Reason } from '@karvon/contract/lib/problem.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import { AnswerError, parseAnswer } from '../../platform/outgoing-http/answers.ts'
import { parseRetryAfter } from '../../platform/outgoing-http/retry-after.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { NetworkError } from './cpa-network.error.ts'
import { buildPageUrl, findNextCursor, getFirstCursor } from './cpa-network.paging.ts'
import { fillTemplate, getByPath } from './cpa-network.templates.ts'

/** The decrypted secrets of one account; '' for a missing one. */
export interface NetworkAccount {
  login: string
  pass: string
  api_key: string
  token: string
}

export interface NetworkRequest {
  method: 'GET' | 'POST'
  url: string
  headers: Record<string, string>
  body?: string
}

export interface NetworkAnswer {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** An optional answer may be a 404. */
interface GetOptions {
  headers: Record<string, string> | undefined
  isOptional?: boolean
}

/** Sends one request. Throws {@link NetworkError} without an answer. */
export type Send = (request: NetworkRequest) => Promise<NetworkAnswer>

export type NetworkList = 'orders' | 'offers' | 'streams' | 'transactions' | 'withdrawals'

/** One page of a list, with the network's raw rows. */
export interface NetworkPage {
  items: unknown[]
  /** The network's ids of the rows. A row without an id is its own key. */
  keys: unknown[]
  /** The cursor of this page. */
  cursor: string
  /** The cursor of the next page; null after the last page. */
  nextCursor: string | null
}

export interface Network {
  /** Signs in and answers the new token; null without a sign-in in the description. */
  signIn(): Promise<string | null>
  /** Fetches the page at a cursor, or the first page. `query` has parameters in addition to the description's. */
  fetchPage(
    list: NetworkList,
    cursor?: string,
    query?: Readonly<Record<string, string>>,
  ): Promise<NetworkPage>
  /** Fetches the raw offer with the network's id; undefined for an unknown offer and without an address in the description. */
  fetchOffer(id: string): Promise<unknown>
  /** Fetches the raw answer of the finance page; null without one in the description. */
  fetchFinance(): Promise<unknown>
}

const defaultPageDelay = 1000
/** Limits of the pause after a 429 in seconds, and the default without a Retry-After header. */
const retryAfterLimits = { min: 5, max: 120, default: 45 }
const maxRows = 5000

interface NetworkOptions {
  description: ConnectorDescription
  account: NetworkAccount
  send: Send
  signal: AbortSignal
  /** Saves each new token for the next run. */
  saveToken: (token: string) => Promise<void>
}

/**
 * Opens a client of a network by its description. After a 401 the client signs in again and repeats the request once. It
 * waits between requests as the description says. Secrets are sent to addresses of the description only: a link in an
 * answer must have the same host. `signal` aborts the waits.
 */
export function openNetwork(options: NetworkOptions): Network {
  const { description } = options
  const session = openSession(options)
  return {
    signIn: session.signIn,
    async fetchPage(listName, cursor, query = {}) {
      const endpoint = description[listName]
      if (endpoint === undefined) return { items: [], keys: [], cursor: '', nextCursor: null }
      const current = cursor ?? getFirstCursor(endpoint.paging)
      const list = { ...endpoint, query: { ...endpoint.query, ...query } }
      const url = () =>
        buildPageUrl(buildUrl(description, endpoint.url, session.values()), {
          list,
          cursor: current,
          values: session.values(),
        })
      const answer = await session.get(url, { headers: endpoint.headers })
      const items = getByPath(answer, endpoint.items)
      if (!Array.isArray(items))
        throw new NetworkError('failed', describeSync('network_list', { path: endpoint.items }), {
          isRejection: true,
        })
      if (items.length > maxRows)
        throw new NetworkError('failed', describeSync('network_rows', { rows: items.length, max: maxRows }))
      const { external_id, extra_id = external_id }: Readonly<Record<string, string | undefined>> =
        endpoint.fields
      return {
        items,
        keys: items.map((item: unknown) =>
          extra_id === undefined ? item : (getByPath(item, extra_id) ?? item),
        ),
        cursor: current,
        nextCursor: findNextCursor(endpoint.paging, {
          cursor: current,
          rows: items.length,
          answer,
          url: url(),
          values: session.values(),
        }),
      }
    },
    async fetchOffer(id) {
      const endpoint = description.offer
      if (endpoint === undefined) return undefined
      const url = () => buildUrl(description, endpoint.url, { ...session.values(), id })
      return getByPath(await session.get(url, { headers: endpoint.headers, isOptional: true }), endpoint.item)
    },
    async fetchFinance() {
      const endpoint = description.finance
      if (endpoint === undefined) return null
      return session.get(() => buildUrl(description, endpoint.url, session.values()), {
        headers: endpoint.headers,
      })
    },
  }
}

/** The token of a network, with the requests that need it. */
function openSession({ description, account, send, signal, saveToken }: NetworkOptions) {
  const { limits = {} } = description
  let token = account.token
  let requestCount = 0
  const values = () => ({ ...account, token })

  const signIn = async (): Promise<string | null> => {
    const endpoint = description.sign_in
    if (endpoint === undefined) return null
    const { url, method = 'POST', form = 'json', body = {}, headers = {} } = endpoint
    const fields = Object.entries(body).map(([key, text]) => [key, fillTemplate(text, values())] as const)
    const answer = await send({
      method,
      url: buildUrl(description, url, values()),
      headers: {
        accept: 'application/json',
        ...(method === 'POST' && { 'content-type': contentTypes[form] }),
        ...fillTemplates(headers, values()),
      },
      ...(method === 'POST' && {
        body:
          form === 'json'
            ? JSON.stringify(Object.fromEntries(fields))
            : new URLSearchParams(fields.map(([key, text]) => [key, text])).toString(),
      }),
    })
    throwOnRefusal(answer)
    if ([400, 401, 403, 404, 422].includes(answer.status))
      throw new NetworkError('sign_in', describeSync('sign_in_refused', { status: answer.status }))
    const tokenValue = getByPath(
      await parseJson(answer, () => describeSync('sign_in_answer')),
      endpoint.token,
    )
    if (typeof tokenValue !== 'string' || tokenValue === '')
      throw new NetworkError('sign_in', describeSync('sign_in_token', { path: endpoint.token }))
    token = tokenValue
    await saveToken(token)
    return token
  }

  // The URL is built for each attempt, because it may contain the token.
  const get = async (
    url: () => string,
    { headers = {}, isOptional = false }: GetOptions,
  ): Promise<unknown> => {
    if (requestCount > 0) await pause(limits.page_delay_ms ?? defaultPageDelay, signal)
    requestCount += 1
    const request = () =>
      send({
        method: 'GET',
        url: url(),
        headers: {
          accept: 'application/json',
          ...fillTemplates({ ...description.headers, ...headers }, values()),
        },
      })
    if (token === '' && description.sign_in !== undefined) await signIn()
    let answer = await request()
    if (answer.status === 401) {
      if ((await signIn()) === null) throw new NetworkError('sign_in', describeSync('token_refused'))
      answer = await request()
      if (answer.status === 401) throw new NetworkError('sign_in', describeSync('new_token_refused'))
    }
    throwOnRefusal(answer)
    return isOptional && answer.status === 404 ? undefined : await parseJson(answer)
  }

  return { signIn, get, values }
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' }

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal })
}

const fillTemplates = (texts: Readonly<Record<string, string>>, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, fillTemplate(text, values)]))

/** Builds a URL. Secrets in it are encoded, so that they cannot change the host or the path. */
function buildUrl(description: ConnectorDescription, url: string, values: Record<string, string>): string {
  const encodedValues = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, encodeURIComponent(text)]),
  )
  const base = (description.base_url ?? '').replace(/\/+$/, '')
  const filledUrl = fillTemplate(url.startsWith('/') ? base + url : url, encodedValues)
  if (!URL.canParse(filledUrl)) throw new NetworkError('failed', describeSync('network_url', { url }))
  return filledUrl
}

/** Throws {@link NetworkError} for a 429 and for a status of 500 or more. The caller handles a 401. */
function throwOnRefusal({ status, headers }: NetworkAnswer): void {
  if (status === 429) {
    const wait = parseRetryAfter(headers) ?? retryAfterLimits.default
    const seconds = Math.min(Math.max(wait, retryAfterLimits.min), retryAfterLimits.max)
    throw new NetworkError('rate_limited', describeSync('network_wait', { seconds }), { seconds })
  }
  if (status >= 500) throw new NetworkError('failed', describeSync('network_status', { status }))
}

/** Parses an answer. `describe` describes the failure, if the reason of the parser does not. */
async function parseJson({ status, text }: NetworkAnswer, describe?: () => Reason): Promise<unknown> {
  if (status < 200 || status > 299)
    throw new NetworkError('failed', describeSync('network_status', { status }), {
      isRejection: true,
    })
  try {
    return await parseAnswer('json', text)
  } catch (error) {
    if (error instanceof AnswerError) throw new NetworkError('failed', describe?.() ?? error.reason)
    throw error
  }
}
