import type { openPool } from '@karvon/server/db/pool.ts'
import { recountText, sums } from './leads.totals.sql.ts'

const spans = {
  source_totals: ['source_id'],
  offer_totals: ['source_id', 'offer_id'],
  stream_totals: ['source_id', 'stream_id', 'offer_id'],
}

const origin = `date '0001-01-01'`

const added = sums.map((each) => `sum(${each}) as ${each}`).join(', ')

/** Rows of a table of totals, and those that are not what the leads add up to. */
function differingText(
  table: string,
  key: readonly string[],
  columns: readonly string[],
  from: string,
): string {
  const values = (of: string) => sums.map((each) => `coalesce(${of}.${each}, 0)`).join(', ')
  return `select count(*)::integer as rows,
      count(*) filter (where (${values('t')}) <> (${values('r')}))::integer as differing
    from ${table} t full outer join (
      select ${columns.join(', ')}, ${added} from ${from} group by ${key.map((_, i) => i + 1).join(', ')}
    ) r using (${key.join(', ')})`
}

const spanned = `(${recountText}) l cross join (values (1), (4), (16), (64), (256)) s (span)`
const start = `${origin} + (day - ${origin}) / s.span * s.span as start`

const differingTexts: readonly string[] = [
  ...Object.entries(spans).map(([table, keys]) =>
    differingText(table, ['span', 'start', ...keys], ['s.span', start, ...keys], spanned),
  ),
  differingText(
    'owner_days',
    ['user_id', 'day', 'source_id'],
    ['s.user_id', 'l.day', 'l.source_id'],
    `(${recountText}) l join streams s on s.id = l.stream_id and s.user_id is not null`,
  ),
]

/** Compares every total with its leads, once no delta waits. */
export async function compareTotals(
  pool: ReturnType<typeof openPool>,
): Promise<{ rows: number; differing: number }> {
  const found = { rows: 0, differing: 0 }
  const client = await pool.connect()
  try {
    await client.query(`set work_mem = '512MB'`)
    for (const text of differingTexts) {
      const { rows } = await client.query<{ rows: number; differing: number }>(text)
      found.rows += rows[0]?.rows ?? 0
      found.differing += rows[0]?.differing ?? 0
    }
    await client.query('reset work_mem')
  } finally {
    client.release()
  }
  return found
}
