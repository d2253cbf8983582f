import type { TryAnswer, TryPart } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import {
  NetworkError,
  openNetwork,
  type NetworkAccount,
  type Send,
} from '../../integrations/cpa-network/cpa-network.ts'
import { amountAt, readOffers, readOrders, readStreams, type ReadRows } from './connectors.rows.ts'

/** Rows of each list that a try shows, and of its problems. */
const shown = 5

/**
 * Signs in and reads the first page of each list, without storing anything, the token included. Each part says
 * what it found or why not; once the sign-in is refused nothing else is asked.
 */
export async function tryNetwork(
  description: ConnectorDescription,
  account: NetworkAccount,
  send: Send,
  signal: AbortSignal,
): Promise<TryAnswer> {
  // A person waits: the manners' pause is for long walks.
  const quick = { ...description, manners: { ...description.manners, page_delay_ms: 0 } }
  const network = openNetwork({ description: quick, account, send, signal, signedIn: async () => {} })
  const answer: TryAnswer = { sign_in: null, finance: null, offers: null, streams: null, orders: null }
  if (description.sign_in !== undefined) {
    answer.sign_in = await attempt(async () => {
      await network.signIn()
      return { detail: 'Signed in.', rows: [], problems: [] }
    })
    if (!answer.sign_in.ok) return answer
  }
  const lists = {
    offers: (items: unknown[]) => description.offers && readOffers(description, description.offers, items),
    streams: (items: unknown[]) => description.streams && readStreams(description.streams, items),
    orders: (items: unknown[]) => description.orders && readOrders(description, description.orders, items),
  }
  if (description.finance !== undefined) {
    answer.finance = await attempt(async () => {
      const found = await network.finance()
      const { balance, hold } = description.finance?.fields ?? {}
      const row = { balance: amountAt(description, found, balance), hold: amountAt(description, found, hold) }
      return { detail: 'Read.', rows: [row], problems: [] }
    })
  }
  for (const list of ['offers', 'streams', 'orders'] as const) {
    if (description[list] === undefined) continue
    answer[list] = await attempt(async () => {
      const { items } = await network.page(list)
      const read: ReadRows<object> = lists[list](items) ?? { rows: [], problems: [] }
      const detail = `${items.length} rows on the first page, ${read.rows.length} of them read.`
      return {
        detail,
        rows: read.rows.slice(0, shown).map((row) => ({ ...row })),
        problems: read.problems.slice(0, shown),
      }
    })
  }
  return answer
}

async function attempt(work: () => Promise<Omit<TryPart, 'ok'>>): Promise<TryPart> {
  try {
    return { ok: true, ...(await work()) }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { ok: false, detail: error.message, rows: [], problems: [] }
  }
}
