import type { Deps } from '../platform/deps.ts'
import { oneRow } from '../resources/lists.answer.ts'
import type { DigestFigures, FiguresOf } from '../domains/notices/notices.digest.ts'
import { figuresText } from '../domains/reports/reports.queries.ts'

/** A person's figures of some days, as their own report has them. */
export const figuresOfDays =
  ({ pool }: Deps): FiguresOf =>
  async (person, days) => {
    const report = { key: 'source_id', names: 'cpa_sources', usual: '-leads' } as const
    const query = { start_date: days.from, end_date: days.to }
    const { text, values } = figuresText(report, query, { offset: 0, size: 1 }, person)
    const { totals } = await oneRow<{ totals: DigestFigures }>(pool, text, values)
    return totals
  }
