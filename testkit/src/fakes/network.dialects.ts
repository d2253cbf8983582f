import type { IncomingMessage } from 'node:http'
import type { StoredOffer, StoredOrder, NetworkStore } from './network.store.ts'

/** `100k` and `sotuvchi` answer like those networks. `odd` differs from both in every part. */
export type NetworkDialect = '100k' | 'sotuvchi' | 'odd'

interface Dialect {
  /** The prefix of all paths. */
  basePath: string
  signInPath: string
  isSignIn(body: string, login: string, pass: string): boolean
  signInAnswer(token: string): unknown
  hasToken(request: IncomingMessage, url: URL, token: string): boolean
  readPage(url: URL): string | null
  /** The answer to a request with a valid token; null for an unknown path. */
  answer(url: URL, store: NetworkStore, size: number, repeat: boolean): unknown
}

const bearer = ({ headers }: IncomingMessage, _: URL, token: string) =>
  headers.authorization === `Bearer ${token}`

/** The local time of Tashkent without an offset, as these networks write it. */
const localTime = (at: number) => new Date(at + 5 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')

function pageNumber(url: URL): number {
  const page = Number(url.searchParams.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

function slicePage<Row>(rows: readonly Row[], page: number, size: number, repeat: boolean) {
  const part = rows.slice((page - 1) * size, page * size)
  return {
    rows: repeat ? [...part, ...part.slice(0, 3)] : part,
    last: Math.max(1, Math.ceil(rows.length / size)),
  }
}

const hundred: Dialect = {
  basePath: '/api',
  signInPath: '/api/auth/sign-in',
  isSignIn: (body, login, pass) => hasFields(body, { username: login, password: pass }),
  signInAnswer: (token) => ({ message: 'OK', data: token }),
  hasToken: bearer,
  readPage: (url) => url.searchParams.get('page'),
  answer(url, store, size, repeat) {
    const page = pageNumber(url)
    const buildPage = <Row>(rows: readonly Row[], row: (of: Row) => unknown) => {
      const { rows: part, last } = slicePage(rows, page, size, repeat)
      return {
        data: part.map(row),
        meta: { current_page: page, last_page: last, per_page: size, total: rows.length },
      }
    }
    switch (url.pathname) {
      case '/api/advertiser/orders':
        return buildPage(store.orders(), (order) => hundredOrder(order, store))
      case '/api/advertiser/products':
        return buildPage(
          store.offers.filter(({ isDelisted }) => !isDelisted),
          hundredOffer,
        )
      case '/api/advertiser/streams':
        return buildPage(store.streams, ({ id, name, offer }) => ({
          id,
          name,
          link: `https://100k.example/s/${id}`,
          product_id: offer,
          visits: 0,
          requests: 0,
        }))
      case '/api/advertiser/transactions':
        return buildPage(store.transactions(), ({ id, amount, type, targetType, target, comment, at }) => ({
          id,
          amount: amount / 100,
          type,
          target_type: targetType,
          target_id: target,
          comment,
          created_at: localTime(at),
        }))
      case '/api/advertiser/withdraws':
        return buildPage(store.withdrawals(), ({ id, account, amount, status, at }) => ({
          id,
          account,
          amount: amount / 100,
          status,
          created_at: localTime(at),
        }))
      case '/api/advertiser/profile': {
        const { balance, hold } = store.balance()
        return { data: { id: 1, balance: balance / 100, hold_balance: hold / 100 } }
      }
      default: {
        const [, id] = /^\/api\/advertiser\/products\/(\d+)$/.exec(url.pathname) ?? []
        const offer = store.offers.find((storedOffer) => String(storedOffer.id) === id)
        return offer === undefined ? null : { data: hundredOffer(offer) }
      }
    }
  },
}

const hundredOffer = ({ id, name, price, fee, isDelisted = false }: StoredOffer) => ({
  id,
  title: name,
  price: price / 100,
  admin_fee: fee / 100,
  deliveryman_fee: 25_000,
  quantity: 40,
  status: isDelisted ? 'archived' : 'active',
  image: `/pictures/${id}.jpg`,
})

function hundredOrder(order: StoredOrder, store: NetworkStore) {
  const stream = store.streams.find(({ id }) => id === order.stream)
  return {
    id: order.id,
    status: order.status,
    status_label: order.status,
    stream_id: order.stream,
    stream_name: stream?.name,
    product_title: store.offers.find(({ id }) => id === stream?.offer)?.name,
    advertising_price: order.payout / 100,
    is_paid: false,
    cancel_reason: null,
    customer_phone: '+998 90 *** ** 00',
    region: 'Toshkent',
    created_at: localTime(order.created),
    updated_at: localTime(order.updated),
  }
}

const sotuvchi: Dialect = {
  basePath: '/api',
  signInPath: '/api/login',
  isSignIn: (body, login, pass) => hasFields(body, { email: login, password: pass }),
  signInAnswer: (token) => ({ token }),
  hasToken: bearer,
  readPage: (url) => url.searchParams.get('page'),
  answer(url, store, _, repeat) {
    if (url.pathname === '/api/info') return { user: { id: 7 } }
    if (url.pathname !== '/api/getOrders') return null
    const page = pageNumber(url)
    const size = Math.min(Number(url.searchParams.get('limit') ?? 20), 100)
    const { rows, last } = slicePage(store.orders(), page, size, repeat)
    const data = rows.map((order) => {
      const offer = store.offers.find(
        ({ id }) => id === store.streams.find((s) => s.id === order.stream)?.offer,
      )
      return {
        id: order.id,
        status: order.status,
        pay_for: order.payout / 100,
        offer_id: offer?.id,
        offer: { name: offer?.name },
        created_at: localTime(order.created),
      }
    })
    return { orders: { data, current_page: page, last_page: last, total: store.orders().length } }
  },
}

/**
 * Signs in by a form, expects the token in the query, pages by an offset, gives amounts in hundredths and times in
 * seconds. `changed_since` filters the orders.
 */
const odd: Dialect = {
  basePath: '/v9',
  signInPath: '/v9/session',
  isSignIn: (body, login, pass) => {
    const form = new URLSearchParams(body)
    return form.get('who') === login && form.get('word') === pass
  },
  signInAnswer: (token) => ({ result: { session: { key: token } } }),
  hasToken: (_, url, token) => url.searchParams.get('key') === token,
  readPage: (url) => url.searchParams.get('from'),
  answer(url, store, size) {
    if (url.pathname !== '/v9/deals') return null
    const from = Number(url.searchParams.get('from') ?? 0)
    const since = Number(url.searchParams.get('changed_since') ?? 0) * 1000
    const orders = store.orders().filter(({ updated }) => updated >= since)
    return {
      result: {
        count: orders.length,
        deals: orders.slice(from, from + size).map((order) => ({
          ref: `D-${order.id}`,
          state: { word: order.status.toUpperCase() },
          reward: order.payout,
          made: Math.floor(order.created / 1000),
          touched: Math.floor(order.updated / 1000),
          flow: store.streams.find(({ id }) => id === order.stream),
        })),
      },
    }
  },
}

export const dialects: Readonly<Record<NetworkDialect, Dialect>> = { '100k': hundred, sotuvchi, odd }

function hasFields(body: string, expectedFields: Readonly<Record<string, string>>): boolean {
  try {
    const parsedBody = JSON.parse(body) as Record<string, unknown>
    return Object.entries(expectedFields).every(([key, value]) => parsedBody[key] === value)
  } catch {
    return false
  }
}
