import { addDays, type DateRangeValue } from '../../lib/format/date-range.rules.ts'
import { KpiRow, type KpiProps } from '../../components/display/kpi.tsx'
import { formatNumber } from '../../lib/format/number.format.ts'
import { useFeature, useSettings } from '../../lib/settings.store.ts'
import { formatFigure, formatRate } from './report.format.ts'
import type { ReceivedFigures } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

/** The period of the same length just before. */
export function periodBefore({ start, end }: DateRangeValue): DateRangeValue {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1
  return { start: addDays(start, -days), end: addDays(start, -1) }
}

const signed = (value: number, decimals: number) =>
  `${value < 0 ? '−' : '+'}${formatNumber(Math.abs(value), decimals, '.')}`

type Figure = number | null | undefined

/** The change of an amount in percent of what it was. */
function growth(now: Figure, before: Figure): Pick<KpiProps, 'change' | 'good'> {
  if (typeof now !== 'number' || !before) return {}
  const percent = ((now - before) / before) * 100
  return { change: `${signed(percent, 1)}%`, ...(percent !== 0 && { good: percent > 0 }) }
}

/** The change of a rate in percentage points. */
function shift(now: Figure, before: Figure): Pick<KpiProps, 'change' | 'good'> {
  if (typeof now !== 'number' || typeof before !== 'number') return {}
  const points = (now - before) * 100
  return { change: signed(points, 1), ...(points !== 0 && { good: points > 0 }) }
}

type ReportKpisProps = {
  totals: ReceivedFigures | undefined
  before: ReceivedFigures | undefined
}

/** The totals that only a host with rates answers. */
function ratesOf({ totals, before }: ReportKpisProps): KpiProps[] {
  const { kpi } = texts
  return [
    {
      label: kpi.approve,
      value: totals && formatRate(totals.approve_rate),
      ...(totals && shift(totals.approve_rate, before?.approve_rate)),
    },
    {
      label: kpi.buyout,
      value: totals && formatRate(totals.buyout_rate),
      ...(totals && shift(totals.buyout_rate, before?.buyout_rate)),
    },
    { label: kpi.hold, value: totals && formatFigure(totals.hold_amount) },
  ]
}

/** Five totals of a report with the change against the period before. */
export function ReportKpis({ totals, before }: ReportKpisProps) {
  const { currency } = useSettings()
  const { kpi } = texts
  const items: KpiProps[] = [
    {
      label: kpi.leads,
      value: totals && formatFigure(totals.leads),
      ...(totals && growth(totals.leads, before?.leads)),
    },
    ...(useFeature('report_rates') ? ratesOf({ totals, before }) : []),
    {
      label: kpi.profit(currency),
      value: totals && formatFigure(totals.profit),
      ...(totals && growth(totals.profit, before?.profit)),
    },
  ]
  return <KpiRow label={texts.totals} items={items} />
}
