import { missingValue } from '../../lib/format/missing.ts'
import type { ReceivedDailyRow, ReceivedFigures, ReceivedOfferOrStreamRow } from './report.query.ts'

/** The layers of a bar, in the order of the stack. Each lead with a status is in one. */
export const layers = ['sold', 'sent', 'waiting', 'lost'] as const
export type Layer = (typeof layers)[number]

/** One bar: a day, an offer or a stream. */
export interface ChartBar {
  readonly leads: number
  readonly profit: number
  readonly counts: Readonly<Record<Layer, number>>
}

export interface DayBar extends ChartBar {
  readonly date: string
}

export interface NamedBar extends ChartBar {
  readonly key: string
  readonly name: string
}

const sumFigures = (...figures: (number | null | undefined)[]) =>
  figures.reduce<number>((sum, figure) => sum + (figure ?? 0), 0)

const toBar = (row: ReceivedFigures): ChartBar => ({
  leads: sumFigures(row.leads),
  profit: sumFigures(row.profit),
  counts: {
    sold: sumFigures(row.sold),
    sent: sumFigures(row.accepted, row.send),
    waiting: sumFigures(row.hold, row.recall),
    lost: sumFigures(row.cancel, row.returned),
  },
})

/** The days of the report's rows, oldest first. The rows come newest first. */
export const toDayBars = (rows: readonly ReceivedDailyRow[]): DayBar[] =>
  rows
    .flatMap((row) => (row.date ? [{ date: row.date, ...toBar(row) }] : []))
    .toSorted((a, b) => a.date.localeCompare(b.date))

function getBarName(row: ReceivedOfferOrStreamRow): string {
  const name = row.name ?? missingValue
  return row.source ? `${name} · ${row.source.name}` : name
}

/**
 * Offers or streams in the order of the rows. The id is part of the key because names can repeat between
 * sources.
 */
export const toNamedBars = (rows: readonly ReceivedOfferOrStreamRow[]): NamedBar[] =>
  rows.map((row, index) => ({
    key: row.id === undefined ? String(index) : `${row.id} ${row.name}`,
    name: getBarName(row),
    ...toBar(row),
  }))

export const getBarLength = ({ counts }: ChartBar): number =>
  layers.reduce((sum, layer) => sum + counts[layer], 0)

export const sumBars = <Bar extends ChartBar>(bars: readonly Bar[], figure: (bar: Bar) => number): number =>
  bars.reduce((sum, bar) => sum + figure(bar), 0)
