import type { Deps } from '../kit/deps.ts'
import { oneRow } from '../kit/lists/lists.answer.ts'
import type { DayFigures, FiguresOf } from '../notices/notices.digest.ts'
import { figuresText } from '../reports/reports.sql.ts'

/** A person's figures of a day, as their own report has them. */
export const dayFiguresOf =
  ({ pool }: Deps): FiguresOf =>
  async (person, day) => {
    const report = { key: 'source_id', names: 'cpa_sources', usual: '-leads' } as const
    const query = { start_date: day, end_date: day }
    const { text, values } = figuresText(report, query, { offset: 0, size: 1 }, person)
    const { totals } = await oneRow<{ totals: DayFigures }>(pool, text, values)
    return totals
  }
