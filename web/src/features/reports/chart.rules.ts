import type { ReceivedDailyRow, ReceivedFigures, ReceivedGroupRow } from './report.query.ts'
import { reportTexts as texts } from './reports.texts.ts'

/** What the bars are made of, in the order they are stacked. */
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

const sum = (...figures: (number | null | undefined)[]) =>
  figures.reduce<number>((all, figure) => all + (figure ?? 0), 0)

const barOf = (row: ReceivedFigures): ChartBar => ({
  leads: sum(row.leads),
  profit: sum(row.profit),
  counts: {
    sold: sum(row.sold),
    sent: sum(row.send),
    waiting: sum(row.hold, row.recall),
    lost: sum(row.cancel, row.returned),
  },
})

/** The days from the report's rows, which come newest first; oldest first. */
export const dayBars = (rows: readonly ReceivedDailyRow[]): DayBar[] =>
  rows
    .flatMap((row) => (row.date ? [{ date: row.date, ...barOf(row) }] : []))
    .toSorted((a, b) => a.date.localeCompare(b.date))

/** Offers or streams in the order of the rows. Names can repeat between sources, so the id tells them apart. */
export const namedBars = (rows: readonly ReceivedGroupRow[]): NamedBar[] =>
  rows.map((row, index) => ({
    key: row.id === undefined ? String(index) : `${row.id} ${row.name}`,
    name: row.name ?? texts.none,
    ...barOf(row),
  }))

export const barLength = ({ counts }: ChartBar): number =>
  layers.reduce((sum, layer) => sum + counts[layer], 0)

export const sumOf = <Bar extends ChartBar>(bars: readonly Bar[], figure: (bar: Bar) => number): number =>
  bars.reduce((sum, bar) => sum + figure(bar), 0)

/** The next round number at or above: 1, 2 or 5 times a power of ten, so that the grid's labels are round. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
