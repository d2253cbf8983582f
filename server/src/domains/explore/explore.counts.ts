import type { Db } from '../../platform/database/pool.ts'
import { inSnapshot } from '../../platform/database/snapshot.ts'
import type { LeadFilters } from '../rollups/rollups.lead-filters.queries.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { readSums } from './explore.read.ts'

/** The number of leads of one day, as yyyy-mm-dd. */
export interface DayCount {
  readonly day: string
  readonly leads: number
}

interface CountedLeads {
  readonly filters: LeadFilters
  /** Days, both inclusive. An undefined day leaves that side open. */
  readonly start: string | undefined
  readonly end: string | undefined
  /** Null counts the leads of all people. */
  readonly viewer: Viewer | null
}

/**
 * Counts the leads that filters find, by day, the oldest day first. It reads totals or segments, and leads where these do not
 * suffice. Errors: 422 if this takes longer than a statement may.
 */
export function countLeadsByDay(db: Db, { filters, start, end, viewer }: CountedLeads): Promise<DayCount[]> {
  const question = {
    dimensions: ['day'],
    figures: ['leads'],
    periods: [{ start, end, shift: null, firstDay: start }],
    filters,
    viewer,
    looksUpTypes: false,
  } as const
  return inSnapshot(db, async (snapshot) => {
    const sums = await readSums(snapshot, question, [{ size: Number.MAX_SAFE_INTEGER, rank: 'leads' }])
    return sums
      .flatMap(({ kind, row_key: day, leads }) =>
        kind === 'row' && day !== null ? [{ day, leads: Number(leads) }] : [],
      )
      .toSorted((a, b) => (a.day < b.day ? -1 : 1))
  })
}
