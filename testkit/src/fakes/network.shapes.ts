import type { IncomingMessage } from 'node:http'
import type { BookOffer, BookOrder, NetworkBook } from './network.book.ts'

/** `100k` and `sotuvchi` as those networks speak; `odd` as none of them does. */
export type NetworkShape = '100k' | 'sotuvchi' | 'odd'

interface Speaks {
  /** What stands before its paths. */
  base: string
  signInPath: string
  signsIn(body: string, login: string, pass: string): boolean
  signedIn(token: string): unknown
  carries(request: IncomingMessage, url: URL, token: string): boolean
  pageOf(url: URL): string | null
  /** What it answers to a signed-in request; null where it knows no such path. */
  answer(url: URL, book: NetworkBook, size: number, repeat: boolean): unknown
}

const bearer = ({ headers }: IncomingMessage, _: URL, token: string) =>
  headers.authorization === `Bearer ${token}`

/** A local time of Tashkent without an offset, as these networks write it. */
const localTime = (at: number) => new Date(at + 5 * 3600_000).toISOString().slice(0, 19).replace('T', ' ')

function pageNumber(url: URL): number {
  const page = Number(url.searchParams.get('page') ?? 1)
  return Number.isInteger(page) && page > 0 ? page : 1
}

function cut<Row>(rows: readonly Row[], page: number, size: number, repeat: boolean) {
  const part = rows.slice((page - 1) * size, page * size)
  return {
    rows: repeat ? [...part, ...part.slice(0, 3)] : part,
    last: Math.max(1, Math.ceil(rows.length / size)),
  }
}

const hundred: Speaks = {
  base: '/api',
  signInPath: '/api/auth/sign-in',
  signsIn: (body, login, pass) => holds(body, { username: login, password: pass }),
  signedIn: (token) => ({ message: 'OK', data: token }),
  carries: bearer,
  pageOf: (url) => url.searchParams.get('page'),
  answer(url, book, size, repeat) {
    const page = pageNumber(url)
    const listed = <Row>(rows: readonly Row[], row: (of: Row) => unknown) => {
      const { rows: part, last } = cut(rows, page, size, repeat)
      return {
        data: part.map(row),
        meta: { current_page: page, last_page: last, per_page: size, total: rows.length },
      }
    }
    switch (url.pathname) {
      case '/api/advertiser/orders':
        return listed(book.orders(), (order) => hundredOrder(order, book))
      case '/api/advertiser/products':
        return listed(
          book.offers.filter(({ delisted }) => !delisted),
          hundredOffer,
        )
      case '/api/advertiser/streams':
        return listed(book.streams, ({ id, name, offer }) => ({
          id,
          name,
          link: `https://100k.example/s/${id}`,
          product_id: offer,
          visits: 0,
          requests: 0,
        }))
      case '/api/advertiser/profile': {
        const { balance, hold } = book.balance()
        return { data: { id: 1, balance: balance / 100, hold_balance: hold / 100 } }
      }
      default: {
        const [, id] = /^\/api\/advertiser\/products\/(\d+)$/.exec(url.pathname) ?? []
        const offer = book.offers.find((each) => String(each.id) === id)
        return offer === undefined ? null : { data: hundredOffer(offer) }
      }
    }
  },
}

const hundredOffer = ({ id, name, price, fee, delisted = false }: BookOffer) => ({
  id,
  title: name,
  price: price / 100,
  admin_fee: fee / 100,
  deliveryman_fee: 25_000,
  quantity: 40,
  status: delisted ? 'archived' : 'active',
  image: `/pictures/${id}.jpg`,
})

function hundredOrder(order: BookOrder, book: NetworkBook) {
  const stream = book.streams.find(({ id }) => id === order.stream)
  return {
    id: order.id,
    status: order.status,
    status_label: order.status,
    stream_id: order.stream,
    stream_name: stream?.name,
    product_title: book.offers.find(({ id }) => id === stream?.offer)?.name,
    advertising_price: order.payout / 100,
    is_paid: false,
    cancel_reason: null,
    customer_phone: '+998 90 *** ** 00',
    region: 'Toshkent',
    created_at: localTime(order.created),
    updated_at: localTime(order.updated),
  }
}

const sotuvchi: Speaks = {
  base: '/api',
  signInPath: '/api/login',
  signsIn: (body, login, pass) => holds(body, { email: login, password: pass }),
  signedIn: (token) => ({ token }),
  carries: bearer,
  pageOf: (url) => url.searchParams.get('page'),
  answer(url, book, _, repeat) {
    if (url.pathname === '/api/info') return { user: { id: 7 } }
    if (url.pathname !== '/api/getOrders') return null
    const page = pageNumber(url)
    const size = Math.min(Number(url.searchParams.get('limit') ?? 20), 100)
    const { rows, last } = cut(book.orders(), page, size, repeat)
    const data = rows.map((order) => {
      const offer = book.offers.find(
        ({ id }) => id === book.streams.find((s) => s.id === order.stream)?.offer,
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
    return { orders: { data, current_page: page, last_page: last, total: book.orders().length } }
  },
}

/**
 * Signs in by a form, carries the token in the address, counts rows from an offset, money in hundredths, times in
 * seconds; `changed_since` narrows the orders.
 */
const odd: Speaks = {
  base: '/v9',
  signInPath: '/v9/session',
  signsIn: (body, login, pass) => {
    const form = new URLSearchParams(body)
    return form.get('who') === login && form.get('word') === pass
  },
  signedIn: (token) => ({ result: { session: { key: token } } }),
  carries: (_, url, token) => url.searchParams.get('key') === token,
  pageOf: (url) => url.searchParams.get('from'),
  answer(url, book, size) {
    if (url.pathname !== '/v9/deals') return null
    const from = Number(url.searchParams.get('from') ?? 0)
    const since = Number(url.searchParams.get('changed_since') ?? 0) * 1000
    const all = book.orders().filter(({ updated }) => updated >= since)
    return {
      result: {
        count: all.length,
        deals: all.slice(from, from + size).map((order) => ({
          ref: `D-${order.id}`,
          state: { word: order.status.toUpperCase() },
          reward: order.payout,
          made: Math.floor(order.created / 1000),
          touched: Math.floor(order.updated / 1000),
          flow: book.streams.find(({ id }) => id === order.stream),
        })),
      },
    }
  },
}

export const shapes: Readonly<Record<NetworkShape, Speaks>> = { '100k': hundred, sotuvchi, odd }

function holds(body: string, wanted: Readonly<Record<string, string>>): boolean {
  try {
    const given = JSON.parse(body) as Record<string, unknown>
    return Object.entries(wanted).every(([key, value]) => given[key] === value)
  } catch {
    return false
  }
}
