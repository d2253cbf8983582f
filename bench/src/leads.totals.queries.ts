import { recountSql } from '@karvon/server/domains/rollups/rollups.check.queries.ts'
import { sumFigures } from '@karvon/contract/explore/explore.metrics.ts'

const columns = sumFigures.join(', ')

/** Writes the rows of triggers for leads that were loaded without triggers. */
export const deltasSql = `
  insert into lead_deltas (day, source_id, offer_id, stream_id, ${columns})
  select day, source_id, offer_id, stream_id, ${columns} from (${recountSql}) r order by day, source_id, stream_id`

/** The same for the totals of statuses. */
export const statusDeltasSql = `
  insert into status_deltas (day, source_id, status_id, leads, payouts)
  select day, source_id, coalesce(status_id, 0), count(*), sum(payout) from leads group by 1, 2, 3 order by 1, 2
`

/** The same for the currencies. */
export const currenciesSql = `
  insert into lead_currencies (currency, source_id, stream_id)
  select distinct currency, source_id, coalesce(stream_id, 0) from leads`

/** The same for the days whose segments are to be built. */
export const dayChangesSql =
  'insert into lead_day_changes (day) select distinct start from source_totals where span = 1'
