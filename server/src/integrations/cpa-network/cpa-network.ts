import { AnswerError, parseAnswer } from '../../platform/outgoing-http/answers.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { filled, placeOf, withoutSecrets, withSecrets } from './cpa-network.places.ts'

/** The secrets of one account, open; '' where there is none. */
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

/** Sends one request; throws {@link NetworkError} where nothing came back. */
export type Send = (request: NetworkRequest) => Promise<NetworkAnswer>

/**
 * Why a network gave nothing; `message` is for an admin and holds no secret.
 * `wait`: it asks to wait so many `seconds`. `sign_in`: it refuses the account. `trouble`: all else.
 */
export class NetworkError extends Error {
  readonly kind: 'wait' | 'sign_in' | 'trouble'
  readonly seconds: number
  /** The network answered, and the answer is not what was asked for: an expired cursor, for instance. */
  readonly isRejection: boolean

  constructor(kind: NetworkError['kind'], message: string, seconds = 0, isRejection = false) {
    super(message)
    this.name = 'NetworkError'
    this.kind = kind
    this.seconds = seconds
    this.isRejection = isRejection
  }
}

export type NetworkList = 'orders' | 'offers' | 'streams'

/** One page of a list, its rows as the network gave them. */
export interface NetworkPage {
  items: unknown[]
  /** Where it stands, to go on from later. */
  at: string
  /** Where the next one stands; null after the last. */
  next: string | null
}

export interface Network {
  /** Signs in where the description says how; the new token, or null where the account's own is used. */
  signIn(): Promise<string | null>
  /** The page at `at`, the first one without it; `query` has parameters beside the description's own. */
  page(list: NetworkList, at?: string, query?: Readonly<Record<string, string>>): Promise<NetworkPage>
  /** One offer by the network's id, as the network gave it; undefined where it has none, or nothing says how to ask. */
  offer(id: string): Promise<unknown>
  /** What the network says it owes, as it answered. */
  finance(): Promise<unknown>
}

const usualDelay = 1000
/** Seconds to wait on 429: what it says within these, or the usual. */
const wait = { least: 5, most: 120, usual: 45 }
const maxRows = 5000

/**
 * Speaks to a network as its description says. On 401 it signs in once more and repeats once; between pages it
 * leaves the network the time that its manners ask for. Secrets go to addresses of the description alone: an
 * address that an answer names must be on the same host. `signal` ends its waiting.
 */
export function openNetwork(given: {
  description: ConnectorDescription
  account: NetworkAccount
  send: Send
  signal: AbortSignal
  /** Told of each new token, so that the next run has it. */
  signedIn: (token: string) => Promise<void>
}): Network {
  const { description, account, send, signal } = given
  const { manners = {} } = description
  let token = account.token
  let asked = 0
  const values = () => ({ ...account, token })

  const signIn = async (): Promise<string | null> => {
    const how = description.sign_in
    if (how === undefined) return null
    const { url, method = 'POST', form = 'json', body = {}, headers = {} } = how
    const fields = Object.entries(body).map(([key, text]) => [key, filled(text, values())] as const)
    const answer = await send({
      method,
      url: addressOf(description, url, values()),
      headers: {
        accept: 'application/json',
        ...(method === 'POST' && { 'content-type': contentTypes[form] }),
        ...filledAll(headers, values()),
      },
      ...(method === 'POST' && {
        body:
          form === 'json'
            ? JSON.stringify(Object.fromEntries(fields))
            : new URLSearchParams(fields.map(([key, text]) => [key, text])).toString(),
      }),
    })
    refuse(answer)
    if ([400, 401, 403, 404, 422].includes(answer.status))
      throw new NetworkError('sign_in', `The network refused the sign-in (${answer.status}).`)
    const found = placeOf(await jsonOf(answer, 'the sign-in'), how.token)
    if (typeof found !== 'string' || found === '')
      throw new NetworkError('sign_in', `The sign-in gave no token at "${how.token}".`)
    token = found
    await given.signedIn(token)
    return token
  }

  // The address is made anew for each request: a token may stand in it.
  const get = async (
    url: () => string,
    headers: Record<string, string>,
    what: string,
    mayLack = false,
  ): Promise<unknown> => {
    if (asked > 0) await pause(manners.page_delay_ms ?? usualDelay, signal)
    asked += 1
    const ask = () =>
      send({
        method: 'GET',
        url: url(),
        headers: {
          accept: 'application/json',
          ...filledAll({ ...description.headers, ...headers }, values()),
        },
      })
    if (token === '' && description.sign_in !== undefined) await signIn()
    let answer = await ask()
    if (answer.status === 401) {
      if ((await signIn()) === null)
        throw new NetworkError(
          'sign_in',
          'The network refuses the token (401), and nothing says how to sign in.',
        )
      answer = await ask()
      if (answer.status === 401)
        throw new NetworkError('sign_in', 'The network refuses the token that it has just given (401).')
    }
    refuse(answer)
    return mayLack && answer.status === 404 ? undefined : await jsonOf(answer, what)
  }

  return {
    signIn,
    async page(list, at, query = {}) {
      const how = description[list]
      if (how === undefined) return { items: [], at: '', next: null }
      const place = at ?? firstPlace(how.paging)
      const asked = { ...how, query: { ...how.query, ...query } }
      const url = () => pageAddress(addressOf(description, how.url, values()), asked, place, values())
      const answer = await get(url, how.headers ?? {}, list)
      const items = placeOf(answer, how.items)
      if (!Array.isArray(items))
        throw new NetworkError('trouble', `The answer has no list at "${how.items}".`, 0, true)
      if (items.length > maxRows)
        throw new NetworkError('trouble', `A page has ${items.length} rows, more than ${maxRows}.`)
      return { items, at: place, next: nextPlace(how.paging, place, items.length, answer, url(), values()) }
    },
    async offer(id) {
      const how = description.offer
      if (how === undefined) return undefined
      const url = () => addressOf(description, how.url, { ...values(), id })
      return placeOf(await get(url, how.headers ?? {}, 'an offer', true), how.item)
    },
    async finance() {
      const how = description.finance
      if (how === undefined) return null
      return get(() => addressOf(description, how.url, values()), how.headers ?? {}, 'the finance page')
    },
  }
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' }

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (milliseconds > 0) await sleep(milliseconds, undefined, { signal })
}

const filledAll = (texts: Readonly<Record<string, string>>, values: Record<string, string>) =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, filled(text, values)]))

/** Secrets in an address are encoded, so that they cannot change where it leads. */
function addressOf(description: ConnectorDescription, url: string, values: Record<string, string>): string {
  const encoded = Object.fromEntries(
    Object.entries(values).map(([key, text]) => [key, encodeURIComponent(text)]),
  )
  const base = (description.base_url ?? '').replace(/\/+$/, '')
  const whole = filled(url.startsWith('/') ? base + url : url, encoded)
  if (!URL.canParse(whole)) throw new NetworkError('trouble', `"${url}" is no address.`)
  return whole
}

type List = NonNullable<ConnectorDescription[NetworkList]>
type Paging = List['paging']
/** What placeholders stand for. */
type Values = NetworkAccount & Record<string, string>

const firstPlace = (paging: Paging): string => {
  if (paging.by === 'page') return String(paging.first ?? 1)
  return paging.by === 'offset' ? '0' : ''
}

function pageAddress(list: string, how: List, place: string, values: Values): string {
  const { paging, query = {} } = how
  // The network's own link to the next page holds everything already.
  if (paging.by === 'next' && place !== '') return withSecrets(new URL(place), values)
  const url = new URL(list)
  for (const [key, text] of Object.entries(query)) url.searchParams.set(key, filled(text, values))
  if (paging.size_param !== undefined && paging.size !== undefined)
    url.searchParams.set(paging.size_param, String(paging.size))
  if (paging.by === 'page' || paging.by === 'offset') url.searchParams.set(paging.param ?? paging.by, place)
  return url.toString()
}

function nextPlace(
  paging: Paging,
  place: string,
  rows: number,
  answer: unknown,
  url: string,
  values: Values,
): string | null {
  if (paging.by === 'none' || (rows === 0 && paging.by !== 'next')) return null
  if (paging.by === 'next') {
    const link = placeOf(answer, paging.next ?? 'next')
    if (typeof link !== 'string' || link === '') return null
    const next = URL.canParse(link, url) ? new URL(link, url) : null
    if (next === null || next.origin !== new URL(url).origin)
      throw new NetworkError('trouble', 'The link to the next page leads to another host.')
    return withoutSecrets(next, values)
  }
  const at = Number(place)
  const step = paging.by === 'page' ? 1 : rows
  const last = paging.last === undefined ? undefined : Number(placeOf(answer, paging.last))
  if (last !== undefined && Number.isFinite(last) && paging.by === 'page')
    return at < last ? String(at + step) : null
  const total = paging.total === undefined ? undefined : Number(placeOf(answer, paging.total))
  if (total !== undefined && Number.isFinite(total)) {
    const seen = paging.by === 'offset' ? at + rows : (at - (paging.first ?? 1) + 1) * (paging.size ?? rows)
    return seen < total ? String(at + step) : null
  }
  return String(at + step)
}

/** 429 and the answers that carry nothing; 401 is the caller's to repeat. */
function refuse({ status, headers }: NetworkAnswer): void {
  if (status === 429) {
    const said = Number(headers['retry-after'])
    const seconds =
      Number.isFinite(said) && said >= 0 && headers['retry-after'] !== undefined
        ? Math.min(Math.max(Math.ceil(said), wait.least), wait.most)
        : wait.usual
    throw new NetworkError('wait', `The network asks to wait ${seconds} s.`, seconds)
  }
  if (status >= 500) throw new NetworkError('trouble', `The network answered ${status}.`)
}

async function jsonOf({ status, text }: NetworkAnswer, what: string): Promise<unknown> {
  if (status < 200 || status > 299)
    throw new NetworkError('trouble', `The network answered ${status} for ${what}.`, 0, true)
  try {
    return await parseAnswer('json', text)
  } catch (error) {
    if (error instanceof AnswerError)
      throw new NetworkError('trouble', `The answer for ${what} ${error.message}`)
    throw error
  }
}
