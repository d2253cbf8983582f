import type { DailyRow } from '@karvon/contract/reports/reports.ts'

/** What the bars are made of, from the ground up. */
export const layers = ['sold', 'sent', 'waiting', 'lost'] as const
export type Layer = (typeof layers)[number]

/** One day of the chart, oldest first. */
export interface ChartDay {
  readonly date: string
  readonly leads: number
  readonly profit: number
  readonly counts: Readonly<Record<Layer, number>>
}

/** The days from the report's rows, which come newest first. */
export function chartDays(rows: readonly DailyRow[]): ChartDay[] {
  return rows
    .map((row) => ({
      date: row.date,
      leads: row.leads,
      profit: row.profit,
      counts: {
        sold: row.sold,
        sent: row.send,
        waiting: row.hold + row.recall,
        lost: row.cancel + row.returned,
      },
    }))
    .toSorted((a, b) => a.date.localeCompare(b.date))
}

export const barHeight = ({ counts }: ChartDay): number =>
  layers.reduce((sum, layer) => sum + counts[layer], 0)

/** The next round number at or above: 1, 2 or 5 times a power of ten, so that the grid's labels are round. */
export function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power
}
