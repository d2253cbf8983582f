import { sumFigures } from '@karvon/contract/explore/explore.metrics.ts'
import { ratios, type Ratio } from '@karvon/contract/lib/report-ratios.ts'
import type { Statement } from '../../platform/exports/exports.rows.ts'
import { buildOrderBy, buildSearchPattern, Where } from '../../resources/lists.where.ts'
import type { PageRange } from '../../platform/http/paging.ts'
import type { Viewer } from '../../platform/http/guard.ts'
import { figureRowsSql, type Grouping, type RollupFilter } from '../rollups/rollups.queries.ts'
import { currenciesSql } from '../rollups/rollups.currencies.queries.ts'

/** The validated query of a report. Days are inclusive. */
export interface ReportQuery {
  source_id?: number
  start_date?: string
  end_date?: string
  search?: string
  sort?: string
}

/** A report with one row of figures per group. `nameTable` has the names of the groups; null for days. */
export interface FiguresReport {
  groupBy: Grouping
  nameTable: 'cpa_sources' | 'offers' | 'streams' | null
  defaultSort: string
}

/** The source of the row `m`, where another row of the report has the same name. */
const repeatedNameSourceSql = `case when m.name in (select name from matched group by name having count(*) > 1)
  then (select json_build_object('id', c.id, 'name', c.name) from cpa_sources c where c.id = m.source_id) end`

/** A viewer gets a report over own leads; null gets the report of an admin over all leads. */
export function buildFiguresStatement(
  report: FiguresReport,
  query: ReportQuery,
  { range, viewer }: { range: PageRange; viewer: Viewer | null },
): Statement {
  const where = new Where()
  const groupsSql = groupedSql(where, { groupBy: report.groupBy, filter: query, viewer })
  const search = report.nameTable === null ? undefined : query.search
  const hasSource = report.nameTable === 'offers' || report.nameTable === 'streams'
  const sourceColumn = hasSource ? ', n.source_id' : ''
  const sourceMember = hasSource ? `, 'source', ${repeatedNameSourceSql}` : ''
  const namedGroupsSql =
    report.nameTable === null
      ? `select g.* from grouped g`
      : `select g.*, coalesce(n.name, '—') as name${sourceColumn}
        from grouped g left join ${report.nameTable} n on n.id = g.key`
  const matchedGroupsSql =
    search === undefined
      ? 'select * from named'
      : `select * from named where name ~* ${where.addParameter(buildSearchPattern(search))}`
  const sortable = {
    ...buildFigureColumns('m'),
    ...(report.nameTable === null ? { date: 'm.key' } : { name: 'm.name' }),
  }
  const order = buildOrderBy({
    columns: sortable,
    sort: query.sort,
    defaultSort: report.defaultSort,
    tieBreaker: 'm.key',
    textKeys: ['name'],
  })
  const head =
    report.nameTable === null ? `'date', m.key` : `'id', nullif(m.key, 0), 'name', m.name${sourceMember}`
  const isFiltered = [search, query.source_id, query.start_date, query.end_date].some(
    (filterValue) => filterValue !== undefined,
  )
  const text = `with grouped as materialized (${groupsSql}),
    named as (${namedGroupsSql}), matched as materialized (${matchedGroupsSql}),
    page as (
      select json_build_object(${head}, ${figuresJson('m')}) as item from matched m ${order}
      limit ${where.addParameter(range.size)} offset ${where.addParameter(range.offset)}
    ), totals as (${totalsSql('matched')})
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from matched) as filtered,
      ${isFiltered ? groupCountSql(where, report.groupBy, viewer) : '(select count(*) from matched)'} as total,
      (select json_build_object(${figuresJson('t')}) from totals t) as totals,
      ${reportCurrenciesSql(where, query, viewer)} as currencies
    from page`
  return { text, values: where.values }
}

/** One row per source, with or without leads: the money of its leads, and the amounts that the network reports. */
export function buildMoneyStatement(query: ReportQuery, range: PageRange, viewer: Viewer | null): Statement {
  const where = new Where()
  const groupsSql = groupedSql(where, { groupBy: 'source_id', filter: query, viewer })
  const { sources, total } = sourcesQuery(where, query, viewer)
  const ownerCondition = viewer === null ? '' : `and k.user_id = ${where.addParameter(viewer.userId)}`
  const reportedBalancesSql = `select sum(s.balance) as balance, sum(s.hold) as hold, min(s.money_at) as at
    from source_credentials k join sync_states s on s.source_credential_id = k.id and s.money_at is not null
    where k.source_id = c.id ${ownerCondition}`
  const order = buildOrderBy({
    columns: { name: 'm.name', profit: 'm.profit', hold_amount: 'm.hold_amount' },
    sort: query.sort,
    defaultSort: 'name',
    tieBreaker: 'm.id',
    textKeys: ['name'],
  })
  const text = `with grouped as (${groupsSql}),
    matched as materialized (
      select c.id, c.name, coalesce(g.profit, 0) as profit, coalesce(g.hold_amount, 0) as hold_amount, n.*
      from (${sources}) c left join grouped g on g.key = c.id left join lateral (${reportedBalancesSql}) n on true
    ),
    page as (
      select json_build_object('id', m.id, 'name', m.name, 'profit', m.profit, 'hold_amount', m.hold_amount,
        'time', now(), 'network_balance', m.balance, 'network_hold', m.hold, 'network_time', m.at,
        'balance_difference', m.balance - m.profit, 'hold_difference', m.hold - m.hold_amount) as item
      from matched m ${order} limit ${where.addParameter(range.size)} offset ${where.addParameter(range.offset)}
    )
    ${selectPageSql(total, reportCurrenciesSql(where, query, viewer))}`
  return { text, values: where.values }
}

/** Ids and names of sources. */
export function buildSourcesStatement(
  query: ReportQuery,
  range: PageRange,
  viewer: Viewer | null,
): Statement {
  const where = new Where()
  const { sources, total } = sourcesQuery(where, query, viewer)
  const order = buildOrderBy({
    columns: { id: 'm.id', name: 'm.name' },
    sort: query.sort,
    defaultSort: 'name',
    tieBreaker: 'm.id',
    textKeys: ['name'],
  })
  const text = `with matched as materialized (${sources}),
    page as (
      select json_build_object('id', m.id, 'name', m.name) as item from matched m ${order}
      limit ${where.addParameter(range.size)} offset ${where.addParameter(range.offset)}
    )
    ${selectPageSql(total, reportCurrenciesSql(where, query, viewer))}`
  return { text, values: where.values }
}

/** SQL: the rows of `page` with the numbers of all rows and the currencies. */
const selectPageSql = (total: string, currencies: string) => `
    select coalesce(json_agg(item), '[]')::text as items, count(*) as count,
      (select count(*) from matched) as filtered, ${total} as total, ${currencies} as currencies
    from page`

/** SQL of the matching sources and of the number of visible ones. Adds parameters to `where`, but no conditions. */
function sourcesQuery(
  where: Where,
  query: ReportQuery,
  viewer: Viewer | null,
): { sources: string; total: string } {
  const visibleCondition =
    viewer === null
      ? 'true'
      : `c.id in (select source_id from role_source_access where role_id = ${where.addParameter(viewer.roleId)})`
  const conditions = [visibleCondition]
  const { search } = query
  if (query.source_id !== undefined) conditions.push(`c.id = ${where.addParameter(query.source_id)}`)
  if (search !== undefined) conditions.push(`c.name ~* ${where.addParameter(buildSearchPattern(search))}`)
  return {
    sources: `select c.id, c.name from cpa_sources c where ${conditions.join(' and ')}`,
    total: `(select count(*) from cpa_sources c where ${visibleCondition})`,
  }
}

const reportCurrenciesSql = (
  where: Where,
  { source_id: source }: ReportQuery,
  viewer: Viewer | null,
): string => currenciesSql(where, { source: source === undefined ? undefined : [source] }, viewer)

const sums = sumFigures.map((figure) => `sum(${figure}) as ${figure}`).join(', ')

/** One row per group of the filtered leads: `key` and the figures. */
function groupedSql(
  parameters: Where,
  { groupBy, filter, viewer }: { groupBy: Grouping; filter: RollupFilter; viewer: Viewer | null },
): string {
  const columns = Object.fromEntries(sumFigures.map((figure) => [figure, `f.${figure}`]))
  const rows = figureRowsSql(parameters, { select: columns, filter, viewer, groupBy })
  return `select key, ${sums} from (${rows}) f group by key having sum(leads) <> 0`
}

/** The number of groups over all leads that the viewer may see. */
function groupCountSql(parameters: Where, groupBy: Grouping, viewer: Viewer | null): string {
  const rows = figureRowsSql(parameters, { select: { leads: 'f.leads' }, filter: {}, viewer, groupBy })
  return `(select count(*) from (select from (${rows}) f group by key having sum(leads) <> 0) g)`
}

/** One row with the sums of all rows of a relation. */
const totalsSql = (relation: string): string =>
  `select ${sumFigures.map((figure) => `coalesce(sum(${figure}), 0) as ${figure}`).join(', ')} from ${relation}`

/**
 * The figures of the row `t` as arguments of json_build_object. approve_rate is (accepted + sent + sold + returned) /
 * leads; buyout_rate is sold / (sold + returned). Both have 4 decimals, and are null if the divisor is 0.
 */
const figuresJson = (t: string): string =>
  [
    ...sumFigures.map((figure) => `'${figure}', ${t}.${figure}`),
    `'approve_rate', ${buildApproveRate(t)}`,
    `'buyout_rate', ${buildBuyoutRate(t)}`,
  ].join(', ')

/** Sort expressions of the row `t`, by figure. */
const buildFigureColumns = (t: string): Record<string, string> => ({
  ...Object.fromEntries(sumFigures.map((figure) => [figure, `${t}.${figure}`])),
  approve_rate: buildApproveRate(t),
  buyout_rate: buildBuyoutRate(t),
})

const ratioSql = (t: string, { numerator, divisor, decimals }: Ratio): string => {
  const sum = (names: readonly string[]) => names.map((name) => `${t}.${name}`).join(' + ')
  return `round((${sum(numerator)})::numeric / nullif(${sum(divisor)}, 0), ${decimals})`
}
const buildApproveRate = (t: string) => ratioSql(t, ratios.approve_rate)
const buildBuyoutRate = (t: string) => ratioSql(t, ratios.buyout_rate)
