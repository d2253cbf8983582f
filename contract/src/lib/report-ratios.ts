import type { reportColumns } from './report-columns.ts'

/** A figure of leads that is a sum: counts, and money, which adds the payouts in all currencies. */
export type SumFigure = 'leads' | (typeof reportColumns)[number] | 'profit' | 'hold_amount'

/** A figure that is a quotient of sums. It is null if the divisor is 0. */
export interface Ratio {
  readonly numerator: readonly SumFigure[]
  readonly divisor: readonly SumFigure[]
  readonly decimals: number
}

/** The quotients that reports, Explore and alerts have. Reports have the first two alone. */
export const ratios = {
  approve_rate: { numerator: ['accepted', 'send', 'sold', 'returned'], divisor: ['leads'], decimals: 4 },
  buyout_rate: { numerator: ['sold'], divisor: ['sold', 'returned'], decimals: 4 },
  earnings_per_lead: { numerator: ['profit'], divisor: ['leads'], decimals: 2 },
  average_payout: { numerator: ['profit'], divisor: ['sold'], decimals: 2 },
} as const satisfies Record<string, Ratio>
export type RatioName = keyof typeof ratios
