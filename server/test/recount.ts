import type pg from 'pg'

// Calculates reports from the leads without any code of the product.

export interface RecountFilter {
  source_id?: number | undefined
  start_date?: string | undefined
  end_date?: string | undefined
}

/** A pool, or one connection of it within a transaction. */
type Queryable = Pick<pg.PoolClient, 'query'>

/** The person viewer leads count; null counts every lead. */
export type RecountViewer = { userId: number; roleId: number } | null

const columns = ['accepted', 'cancel', 'recall', 'send', 'sold', 'returned', 'hold']
const payouts = (code: string) => `coalesce(sum(l.payout) filter (where st.code = '${code}'), 0)`
const figuresJson = `'leads', count(*),
  ${columns.map((code) => `'${code}', count(*) filter (where st.code = '${code}')`).join(', ')},
  'profit', ${payouts('sold')}, 'hold_amount', ${payouts('hold')},
  'approve_rate', round(count(*) filter (where st.code in ('accepted', 'send', 'sold', 'returned')) / nullif(count(*), 0)::numeric, 4),
  'buyout_rate', round(count(*) filter (where st.code = 'sold') /
    nullif(count(*) filter (where st.code in ('sold', 'returned')), 0)::numeric, 4)`

/** The types of statuses, or the columns on both sides of the cursor of a status whose leads are being moved. */
const joinedTables = `leads l left join statuses s on s.id = l.status_id
  left join status_recounts r on r.status_id = l.status_id
  left join lateral (
    select code from status_types where id = s.type_id and r.status_id is null
    union all select r.new_column where (l.created_at, l.id) >= (r.cursor_created_at, r.cursor_id)
    union all select r.old_column where (l.created_at, l.id) < (r.cursor_created_at, r.cursor_id)
  ) st on true
  left join offers o on o.id = l.offer_id left join streams t on t.id = l.stream_id join cpa_sources c on c.id = l.source_id`
const allowedSources = `(select source_id from role_source_access where role_id = $5::bigint)`
const filterCondition = `($1::bigint is null or l.source_id = $1) and ($2::date is null or l.day >= $2) and
  ($3::date is null or l.day <= $3) and ($4::bigint is null or (t.user_id = $4 and l.source_id in ${allowedSources}))`

/** The source of a group of the table, where another group has the same name. */
const repeatedNameSource = (
  table: string,
) => `case when count(*) over (partition by coalesce(${table}.name, '—')) > 1
  then (select json_build_object('id', id, 'name', name) from cpa_sources where id = ${table}.source_id) end`

const offerGrouping = {
  head: `'id', l.offer_id, 'name', coalesce(o.name, '—'), 'source', ${repeatedNameSource('o')}`,
  by: 'l.offer_id, o.name, o.source_id',
}

const groupings = {
  stats: { head: `'id', l.source_id, 'name', c.name`, by: 'l.source_id, c.name' },
  daily: { head: `'date', l.day`, by: 'l.day' },
  offers: offerGrouping,
  streams: {
    head: `'id', l.stream_id, 'name', coalesce(t.name, '—'), 'source', ${repeatedNameSource('t')}`,
    by: 'l.stream_id, t.name, t.source_id',
  },
}
export type FiguresKind = keyof typeof groupings
export const figuresKinds = Object.keys(groupings) as FiguresKind[]

type Row = Record<string, string | number | null>

async function queryRows(
  pool: Queryable,
  text: string,
  of: RecountFilter,
  viewer: RecountViewer,
  furtherValues: unknown[] = [],
): Promise<Row[]> {
  const values = [of.source_id, of.start_date, of.end_date, viewer?.userId, viewer?.roleId, ...furtherValues]
  const { rows } = await pool.query<{ row: Row }>(text, values)
  return rows.map(({ row }) => row)
}

/** The rows of a report, unordered, and the totals over them. */
export async function recount(pool: Queryable, kind: FiguresKind, of: RecountFilter, viewer: RecountViewer) {
  const { head, by } = groupings[kind]
  const rows = await queryRows(
    pool,
    `select json_build_object(${head}, ${figuresJson}) as row from ${joinedTables} where ${filterCondition} group by ${by}`,
    of,
    viewer,
  )
  const totalsText = `select json_build_object(${figuresJson}) as row from ${joinedTables} where ${filterCondition}`
  const [totals] = await queryRows(pool, totalsText, of, viewer)
  return { rows, totals }
}

/** Money by source, with or without leads. */
export function recountMoney(pool: Queryable, of: RecountFilter, viewer: RecountViewer): Promise<Row[]> {
  const text = `select json_build_object('id', x.id, 'name', x.name, 'profit', coalesce(m.profit, 0),
      'hold_amount', coalesce(m.hold_amount, 0)) as row
    from cpa_sources x left join (
      select l.source_id, ${payouts('sold')} as profit, ${payouts('hold')} as hold_amount
      from ${joinedTables} where ${filterCondition} group by 1
    ) m on m.source_id = x.id
    where ($1::bigint is null or x.id = $1) and ($4::bigint is null or x.id in ${allowedSources})`
  return queryRows(pool, text, of, viewer)
}

/** The number of leads. Id 0 finds leads without an offer or stream; column `none` finds leads in no column. */
export async function recountLeads(
  pool: Queryable,
  of: RecountFilter & {
    offer_id?: number | undefined
    stream_id?: number | undefined
    column?: string | undefined
  },
  viewer: RecountViewer,
): Promise<number> {
  const [row] = await queryRows(
    pool,
    `select json_build_object('n', count(*)) as row from ${joinedTables} where ${filterCondition}
      and ($6::bigint is null or coalesce(l.offer_id, 0) = $6)
      and ($7::bigint is null or coalesce(l.stream_id, 0) = $7)
      and ($8::text is null or coalesce(st.code, 'none') = $8)`,
    of,
    viewer,
    [of.offer_id, of.stream_id, of.column],
  )
  return Number(row?.n)
}

const figureColumns = ['leads', ...columns, 'profit', 'hold_amount']
const mapFigures = (write: (each: string) => string) => figureColumns.map(write).join(', ')
const spanLengths = `unnest('{1,4,16,64,256}'::integer[]) n`
const start = `date '0001-01-01' + (b.day - date '0001-01-01') / n * n`

const rollupTables = {
  source_totals: { of: 'span, start, source_id', by: `n, ${start}, b.source_id`, from: `b, ${spanLengths}` },
  offer_totals: {
    of: 'span, start, source_id, offer_id',
    by: `n, ${start}, b.source_id, b.offer_id`,
    from: `b, ${spanLengths}`,
  },
  stream_totals: {
    of: 'span, start, source_id, stream_id, offer_id',
    by: `n, ${start}, b.source_id, b.stream_id, b.offer_id`,
    from: `b, ${spanLengths}`,
  },
  buyer_days: {
    of: 'user_id, day, source_id',
    by: 'coalesce(s.user_id, case b.stream_id when 0 then -1 else 0 end), b.day, b.source_id',
    from: 'b left join streams s on s.id = b.stream_id',
  },
}

/** Counts the rows of each rollup table that differ from the leads minus the pending deltas. */
export async function countRollupDifferences(pool: Queryable): Promise<Record<string, number>> {
  const money = (code: string) => `case when st.code = '${code}' then l.payout else 0 end`
  const base = `select l.day, l.source_id, coalesce(l.offer_id, 0) as offer_id, coalesce(l.stream_id, 0) as stream_id,
      1 as leads, ${columns.map((code) => `(st.code is not distinct from '${code}')::integer as ${code}`).join(', ')},
      ${money('sold')} as profit, ${money('hold')} as hold_amount
    from ${joinedTables}
    union all select day, source_id, offer_id, stream_id, ${mapFigures((figure) => `-${figure}`)} from lead_deltas`
  const counts = Object.entries(rollupTables).map(
    ([table, { of, by, from }]) => `(select count(*) from (
      select ${of} from (
        select ${by}, ${mapFigures((figure) => `b.${figure}`)} from ${from}
        union all select ${of}, ${mapFigures((figure) => `-${figure}`)} from ${table}
      ) d (${of}, ${mapFigures((figure) => figure)}) group by ${of}
      having (${mapFigures((figure) => `sum(${figure})`)}) <> (${mapFigures(() => '0')})
    ) x) as ${table}`,
  )
  const { rows } = await pool.query<Record<string, number>>(`with b as (${base}) select ${counts.join(', ')}`)
  return { ...rows[0], ...(await countStatusDifferences(pool)) }
}

const statusTables = {
  status_totals: 'source_id, status_id',
}

async function countStatusDifferences(pool: Queryable): Promise<Record<string, number>> {
  const base = `select day, source_id, coalesce(status_id, 0) as status_id, 1 as leads, payout as payouts from leads
    union all select day, source_id, status_id, -leads, -payouts from status_deltas`
  const counts = Object.entries(statusTables).map(
    ([table, keys]) => `(select count(*) from (
      select span, start, ${keys} from (
        select n as span, ${start} as start, ${keys}, leads, payouts from b, ${spanLengths}
        union all select span, start, ${keys}, -leads, -payouts from ${table}
      ) d group by span, start, ${keys} having (sum(leads), sum(payouts)) <> (0, 0)
    ) x) as ${table}`,
  )
  const { rows } = await pool.query<Record<string, number>>(`with b as (${base}) select ${counts.join(', ')}`)
  return rows[0] ?? {}
}

/** The result of {@link countRollupDifferences} if nothing differs. */
export const noDifferences = Object.fromEntries(
  Object.keys({ ...rollupTables, ...statusTables }).map((table) => [table, 0]),
)
