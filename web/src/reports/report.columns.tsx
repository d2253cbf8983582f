import type { Figures } from '@karvon/contract/reports/reports.ts'
import { formatNumber } from '../ui/format/number.format.ts'
import type { Column } from '../ui/table/column.ts'
import { formatMoney } from '../kit/money.format.ts'
import { reportTexts as texts } from './reports.texts.ts'

type FigureKey = keyof typeof texts.figures

const keys = Object.keys(texts.figures) as FigureKey[]

/** A rate from 0 to 1 as percent: `58.1%`; a dash without a base. */
export function formatRate(rate: number | null | undefined, decimals = 1): string {
  return typeof rate === 'number' ? `${formatNumber(rate * 100, decimals, '.')}%` : texts.none
}

/** An amount or a count: `1 284`, `99.5`; a dash where a host does not answer it. */
export function formatFigure(value: number | null | undefined): string {
  return typeof value === 'number' ? formatMoney(value, '.') : texts.none
}

const figure = (key: FigureKey, row: Partial<Figures>): string =>
  key === 'approve_rate' ? formatRate(row[key], 0) : formatFigure(row[key])

/** The first column, then the figures of every report, with the totals row below them. */
export function reportColumns<Row extends Figures>(
  first: Column<Row>,
  totals: Figures | undefined,
): Column<Row>[] {
  return [
    { ...first, sortable: true, ...(totals && { total: texts.total }) },
    ...keys.map((key): Column<Row> => ({
      key,
      header: texts.figures[key],
      cell: (row) => figure(key, row),
      align: 'end',
      sortable: true,
      phone: 'line',
      ...(totals && { total: figure(key, totals) }),
    })),
  ]
}
