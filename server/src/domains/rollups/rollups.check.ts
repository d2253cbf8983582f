import type pg from 'pg'
import { counted, type Check } from '../../platform/database/check.ts'
import { dayZero, spans } from './rollups.cover.ts'
import { figures } from './rollups.queries.ts'

const columns = figures.join(', ')
const added = figures.map((each) => `sum(${each}) as ${each}`).join(', ')

/** One row a day, source, offer and stream (0: none), counted from the leads themselves. */
export const recountText = `
  select l.day, l.source_id, coalesce(l.offer_id, 0) as offer_id, coalesce(l.stream_id, 0) as stream_id,
    count(*) as leads, ${figures
      .slice(1, -2)
      .map((code) => `count(*) filter (where st.code = '${code}') as ${code}`)
      .join(', ')},
    coalesce(sum(l.payout) filter (where st.code = 'sold'), 0) as profit,
    coalesce(sum(l.payout) filter (where st.code = 'hold'), 0) as hold_amount
  from leads l left join statuses s on s.id = l.status_id left join status_types st on st.id = s.type_id
  group by 1, 2, 3, 4`

/** What the totals must add up to: the leads, less the changes that are in no total yet. */
const folded = `(${recountText} union all
  select day, source_id, offer_id, stream_id, ${figures.map((each) => `-${each}`).join(', ')} from lead_deltas)`

/** Counts the rows of a table of totals, and those that are not what `from` adds up to. */
function differingText(
  table: string,
  keys: readonly string[],
  expressions: readonly string[],
  from: string,
): string {
  const values = (of: string) => figures.map((each) => `coalesce(${of}.${each}, 0)`).join(', ')
  const group = keys.map((_, at) => at + 1).join(', ')
  return `select count(*)::integer as rows,
      count(*) filter (where (${values('t')}) <> (${values('r')}))::integer as differing
    from ${table} t full outer join (
      select ${expressions.join(', ')}, ${added} from ${from} group by ${group}
    ) r using (${keys.join(', ')})`
}

const spanned = `${folded} l cross join unnest('{${spans.join(', ')}}'::smallint[]) s (span)`
const start = `${dayZero} + (day - ${dayZero}) / s.span * s.span as start`
const bySpan = {
  source_totals: ['source_id'],
  offer_totals: ['source_id', 'offer_id'],
  stream_totals: ['source_id', 'stream_id', 'offer_id'],
}

const texts = [
  ...Object.entries(bySpan).map(([table, keys]) => ({
    table,
    text: differingText(table, ['span', 'start', ...keys], ['s.span', start, ...keys], spanned),
  })),
  {
    table: 'owner_days',
    text: differingText(
      'owner_days',
      ['user_id', 'day', 'source_id'],
      ['s.user_id', 'l.day', 'l.source_id'],
      `(select day, source_id, stream_id, ${columns} from ${folded} f) l
        join streams s on s.id = l.stream_id and s.user_id is not null`,
    ),
  },
]

interface Compared {
  table: string
  rows: number
  differing: number
}

/** How many rows each table of totals has, and how many are not what their leads add up to. */
export async function differingTotals(client: pg.ClientBase): Promise<Compared[]> {
  const compared: Compared[] = []
  for (const { table, text } of texts) {
    const { rows } = await client.query<Omit<Compared, 'table'>>(text)
    compared.push({ table, rows: 0, differing: 0, ...rows[0] })
  }
  return compared
}

/** Every total of the reports against the leads that it counts. */
export const totalsCheck: Check = {
  name: 'totals of the reports',
  async run(client) {
    await client.query(`set local work_mem = '256MB'`)
    const compared = await differingTotals(client)
    const faults = compared
      .filter(({ differing }) => differing > 0)
      .map(({ table, differing }) => `${differing} rows of ${table} are not what the leads add up to.`)
    return {
      said: counted(
        compared.reduce((sum, { rows }) => sum + rows, 0),
        'total',
      ),
      faults,
    }
  },
}
