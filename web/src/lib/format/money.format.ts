import { formatNumber } from './number.format.ts'

/** An amount as people write it: whole ones without decimals, others with two (`149 000,50`). */
export function formatMoney(amount: number, mark: ',' | '.' = ','): string {
  return formatNumber(amount, Number.isInteger(amount) ? undefined : 2, mark)
}
