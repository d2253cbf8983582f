import { createHash } from 'node:crypto'
import type { ConnectorDescription } from '@karvon/contract/connectors/description.ts'
import { maskPaymentDetails, maskPaymentNumbers } from '../../platform/security/mask-payment.ts'
import { createTextParser } from '../../platform/spreadsheets/spreadsheets.values.ts'
import { createCutParser, createTimeParser, parseRows, parseSignedAmount } from './connectors.parse.ts'

/** An entry of the account at a network, or a withdrawal from it. Payment numbers are masked. */
export interface NetworkTransaction {
  extra_id: string | null
  amount: string
  type: string | null
  target_kind: 'order' | 'withdrawal' | 'other' | null
  target_type: string | null
  target_id: string | null
  comment: string | null
  account: string | null
  status: string | null
  is_paid: boolean
  created_at: string
}

type ListOf<K extends 'transactions' | 'withdrawals'> = NonNullable<ConnectorDescription[K]>

export const parseTransactions = (
  description: ConnectorDescription,
  list: ListOf<'transactions'>,
  items: unknown[],
) =>
  parseRows<NetworkTransaction>(items, list.fields, (cell) => {
    const target_type = cell.optional('target_type', createTextParser(255))
    const target_id = cell.optional('target_id', createTextParser(255))
    return {
      extra_id: cell.optional('extra_id', createTextParser(255)),
      amount: cell.required('amount', (text) => parseSignedAmount(description, text)),
      type: cell.optional('type', createTextParser(255)),
      target_kind: getTargetKind(list, target_type, target_id),
      target_type,
      target_id,
      comment: maskComment(cell.optional('comment', createCutParser(2000))),
      account: null,
      status: null,
      is_paid: false,
      created_at: cell.required('created_at', createTimeParser(description)),
    }
  })

/** If the description has no `order_target_types`, each target is an order. */
function getTargetKind(
  { order_target_types: orders, withdrawal_target_types: withdrawals = [] }: ListOf<'transactions'>,
  type: string | null,
  id: string | null,
): 'order' | 'withdrawal' | 'other' {
  if (hasWord(withdrawals, type)) return 'withdrawal'
  const isOrder = orders === undefined || hasWord(orders, type)
  return isOrder && id !== null ? 'order' : 'other'
}

/** In any letter case, as the statuses of leads. `text` is null also for a required cell whose row is dropped. */
const hasWord = (words: readonly string[], text: string | null): boolean =>
  text !== null && words.some((word) => word.toLowerCase() === text.toLowerCase())

const maskComment = (comment: string | null) => (comment === null ? null : maskPaymentNumbers(comment))

export const parseWithdrawals = (
  description: ConnectorDescription,
  list: ListOf<'withdrawals'>,
  items: unknown[],
) =>
  parseRows<NetworkTransaction>(items, list.fields, (cell) => {
    const account = cell.optional('account', createTextParser(255))
    const status = cell.required('status', createTextParser(100))
    return {
      extra_id: cell.optional('extra_id', createTextParser(255)),
      amount: cell.required('amount', (text) => parseSignedAmount(description, text.replace(/^-/, ''))),
      type: null,
      target_kind: null,
      target_type: null,
      target_id: null,
      comment: null,
      account: account === null ? null : maskPaymentDetails(account),
      status,
      is_paid: hasWord(list.paid_statuses, status),
      created_at: cell.required('created_at', createTimeParser(description)),
    }
  })

/**
 * The rows of a page by their keys: the network's id, or else a hash of the values that do not change, with the number of
 * the row among equal rows of the page. The last one of rows with the same id counts.
 */
export function keyTransactions(rows: readonly NetworkTransaction[]): Map<string, NetworkTransaction> {
  const equalRows = new Map<string, number>()
  return new Map(
    rows.map((row) => {
      if (row.extra_id !== null) return [`id:${row.extra_id}`, row]
      const hash = hashTransaction(row)
      const number = (equalRows.get(hash) ?? 0) + 1
      equalRows.set(hash, number)
      return [`row:${hash}:${number}`, row]
    }),
  )
}

/** The status of a withdrawal changes, so it is no part of the hash. */
function hashTransaction(row: NetworkTransaction): string {
  const { amount, type, target_type, target_id, comment, account, created_at } = row
  const values = [amount, type, target_type, target_id, comment, account, created_at]
  return createHash('sha256').update(JSON.stringify(values)).digest('base64url')
}
