import { addDays, type DateRangeValue } from '@karvon/contract/lib/day-ranges.ts'
import { KpiRow, type KpiProps } from '../../components/display/kpi.tsx'
import { formatNumber, formatRate } from '../../lib/format/number.format.ts'
import { useFeatureSpace, useSettings } from '../../lib/settings.store.ts'
import { formatFigure } from '../../lib/format/money.format.ts'
import type { ReceivedFigures } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

/** The previous period of the same length. */
export function getPreviousPeriod({ start, end }: DateRangeValue): DateRangeValue {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1
  return { start: addDays(start, -days), end: addDays(start, -1) }
}

const formatSigned = (value: number, decimals: number) =>
  `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value), decimals, '.')}`

type OptionalFigure = number | null | undefined

/** The change of an amount in percent of its previous value. */
function getGrowth(current: OptionalFigure, previous: OptionalFigure): Pick<KpiProps, 'change' | 'isGood'> {
  if (typeof current !== 'number' || !previous) return {}
  const percent = ((current - previous) / Math.abs(previous)) * 100
  return { change: `${formatSigned(percent, 1)}%`, ...(percent !== 0 && { isGood: percent > 0 }) }
}

/** The change of a rate in percentage points. */
function getRateChange(
  current: OptionalFigure,
  previous: OptionalFigure,
): Pick<KpiProps, 'change' | 'isGood'> {
  if (typeof current !== 'number' || typeof previous !== 'number') return {}
  const points = (current - previous) * 100
  return { change: formatSigned(points, 1), ...(points !== 0 && { isGood: points > 0 }) }
}

type ReportKpisProps = {
  totals: ReceivedFigures | undefined
  previousTotals: ReceivedFigures | undefined
  /** Of the leads that the totals add up; empty where the host does not name them. */
  currencies: readonly string[]
}

/** The totals that only a host with the feature `report_rates` answers. */
function createRateItems(
  { totals, previousTotals }: Pick<ReportKpisProps, 'totals' | 'previousTotals'>,
  currency: string | undefined,
): KpiProps[] {
  const { kpi } = texts
  return [
    {
      label: kpi.approve,
      value: totals && formatRate(totals.approve_rate),
      ...(totals && getRateChange(totals.approve_rate, previousTotals?.approve_rate)),
    },
    {
      label: kpi.buyout,
      value: totals && formatRate(totals.buyout_rate),
      ...(totals && getRateChange(totals.buyout_rate, previousTotals?.buyout_rate)),
    },
    {
      label: currency === undefined ? texts.figures.hold_amount : kpi.hold({ currency }),
      value: totals && formatFigure(totals.hold_amount),
    },
  ]
}

/** The five totals of a report with their change since the previous period. */
export function ReportKpis({ totals, previousTotals, currencies }: ReportKpisProps) {
  const settings = useSettings()
  // A sum of several currencies has none.
  const currency = currencies.length > 1 ? undefined : (currencies[0] ?? settings.currency)
  const { kpi } = texts
  const items: KpiProps[] = [
    {
      label: kpi.leads,
      value: totals && formatFigure(totals.leads),
      ...(totals && getGrowth(totals.leads, previousTotals?.leads)),
    },
    ...(useFeatureSpace('report_rates') ? createRateItems({ totals, previousTotals }, currency) : []),
    {
      label: currency === undefined ? texts.figures.profit : kpi.profit({ currency }),
      value: totals && formatFigure(totals.profit),
      ...(totals && getGrowth(totals.profit, previousTotals?.profit)),
    },
  ]
  return <KpiRow label={texts.totals} items={items} />
}
