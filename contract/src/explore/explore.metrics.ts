import { reportColumns } from '../lib/report-columns.ts'
import { ratios, type RatioName, type SumFigure } from '../lib/report-ratios.ts'

/**
 * `count` and `money` are sums: the cells and the rest add up to the total. `rate` (0 to 1) and `average`
 * (money) are quotients of sums.
 */
export type MetricKind = 'count' | 'money' | 'rate' | 'average'

export const metricKinds = {
  leads: 'count',
  accepted: 'count',
  cancel: 'count',
  recall: 'count',
  send: 'count',
  sold: 'count',
  returned: 'count',
  hold: 'count',
  profit: 'money',
  hold_amount: 'money',
  approve_rate: 'rate',
  buyout_rate: 'rate',
  earnings_per_lead: 'average',
  average_payout: 'average',
} as const satisfies Record<SumFigure | RatioName, MetricKind>

export type MetricName = keyof typeof metricKinds
/** Whether the figures of a metric are amounts, which have currencies. */
export const isMoneyMetric = (metric: MetricName): boolean =>
  metricKinds[metric] === 'money' || metricKinds[metric] === 'average'
export const metricNames = Object.keys(metricKinds) as MetricName[]

/** The sums of leads, in the order of the columns of rollups. Money adds the payouts in all currencies. */
export const sumFigures: readonly SumFigure[] = ['leads', ...reportColumns, 'profit', 'hold_amount']

export const isMoneyFigure = (figure: SumFigure): boolean => metricKinds[figure] === 'money'

export const isRatio = (metric: MetricName): metric is RatioName => Object.hasOwn(ratios, metric)

/** The sums that a metric is calculated from. */
export const getSumsOfMetric = (metric: MetricName): readonly SumFigure[] =>
  isRatio(metric) ? [...ratios[metric].numerator, ...ratios[metric].divisor] : [metric]

/**
 * The metric by which a top N is chosen: a quotient of few leads says little, so the number of leads is used
 * instead.
 */
export const getRankFigure = (metric: MetricName): SumFigure => (isRatio(metric) ? 'leads' : metric)
