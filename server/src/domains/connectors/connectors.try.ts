import type { Reason } from '@karvon/contract/lib/problem.ts'
import { describeSync } from '@karvon/contract/lib/sync-messages.ts'
import type { TryAnswer, TryPart } from '@karvon/contract/cpa-websites/cpa-websites.ts'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { NetworkError } from '../../integrations/cpa-network/cpa-network.error.ts'
import { openNetwork, type NetworkAccount, type Send } from '../../integrations/cpa-network/cpa-network.ts'
import { parseAmountAt, parseOffers, parseOrders, parseStreams, type ParsedRows } from './connectors.parse.ts'
import { parseTransactions, parseWithdrawals } from './connectors.parse.money.ts'

/** Maximum number of rows, and of problems, that a test shows of each list. */
const maxShownRows = 5

/**
 * Signs in and reads the first page of each list. It stores nothing, not even the token. Each part answers its result
 * or the reason of its failure. After a refused sign-in, no further part runs.
 */
export async function tryNetwork(
  description: ConnectorDescription,
  { account, send, signal }: { account: NetworkAccount; send: Send; signal: AbortSignal },
): Promise<TryAnswer> {
  // A person waits for the answer, so there is no delay between pages.
  const quick = { ...description, limits: { ...description.limits, page_delay_ms: 0 } }
  const network = openNetwork({
    description: quick,
    account,
    send: limitTime(send, signal),
    signal,
    saveToken: async () => {},
  })
  const answer: TryAnswer = {
    sign_in: null,
    finance: null,
    offers: null,
    streams: null,
    orders: null,
    transactions: null,
    withdrawals: null,
  }
  if (description.sign_in !== undefined) {
    answer.sign_in = await runTryPart(async () => {
      await network.signIn()
      return { ...describeResult(describeSync('test_signed_in')), rows: [], problems: [] }
    })
    if (!answer.sign_in.ok) return answer
  }
  const lists = {
    offers: (items: unknown[]) => description.offers && parseOffers(description, description.offers, items),
    streams: (items: unknown[]) => description.streams && parseStreams(description.streams, items),
    orders: (items: unknown[]) => description.orders && parseOrders(description, description.orders, items),
    transactions: (items: unknown[]) =>
      description.transactions && parseTransactions(description, description.transactions, items),
    withdrawals: (items: unknown[]) =>
      description.withdrawals && parseWithdrawals(description, description.withdrawals, items),
  }
  if (description.finance !== undefined) {
    answer.finance = await runTryPart(async () => {
      const finance = await network.fetchFinance()
      const { balance, hold } = description.finance?.fields ?? {}
      const row = {
        balance: parseAmountAt(description, finance, balance),
        hold: parseAmountAt(description, finance, hold),
      }
      return { ...describeResult(describeSync('test_read')), rows: [row], problems: [] }
    })
  }
  for (const list of ['offers', 'streams', 'orders', 'transactions', 'withdrawals'] as const) {
    if (description[list] === undefined) continue
    answer[list] = await runTryPart(async () => {
      const { items } = await network.fetchPage(list)
      const parsedRows: ParsedRows<object> = lists[list](items) ?? { rows: [], problems: [] }
      const counts = { rows: items.length, read: parsedRows.rows.length }
      return {
        ...describeResult(describeSync('test_rows', counts)),
        rows: parsedRows.rows.slice(0, maxShownRows).map((row) => ({ ...row })),
        problems: parsedRows.problems.slice(0, maxShownRows),
      }
    })
  }
  return answer
}

/** After the end of the time of the test, each request fails as one that the network did not answer. */
const limitTime =
  (send: Send, signal: AbortSignal): Send =>
  (request) =>
    send(request).catch((error: unknown) => {
      if (!isTimeout(signal.reason)) throw error
      const { hostname: host } = new URL(request.url)
      throw new NetworkError('failed', describeSync('host_timeout', { host }), { isTimeout: true })
    })

/** The reason of `AbortSignal.timeout`. */
const isTimeout = (reason: unknown) => reason instanceof DOMException && reason.name === 'TimeoutError'

const describeResult = ({ message, ...rest }: Reason) => ({ detail: message, ...rest })

async function runTryPart(work: () => Promise<Omit<TryPart, 'ok'>>): Promise<TryPart> {
  try {
    return { ok: true, ...(await work()) }
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error
    return { ok: false, ...describeResult(error.reason), rows: [], problems: [] }
  }
}
