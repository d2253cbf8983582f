import { alertMetrics, alertPeriods } from '@karvon/contract/alerts/rules.ts'
import type { openPool } from '@karvon/server/platform/database/pool.ts'
import { shape } from './leads.generate.queries.ts'

type Pool = ReturnType<typeof openPool>

/** A rule of the bench. `userId`, `roleId`: of an owner who is no admin. An empty list of ids: all. */
export interface BenchRule {
  id: number
  metric: (typeof alertMetrics)[number]
  period: (typeof alertPeriods)[number]
  source_ids: number[]
  offer_ids: number[]
  stream_ids: number[]
  buyer_ids: number[]
  userId: number | null
  roleId: number | null
}

interface Owner {
  id: number
  role_id: number
  is_admin: boolean
  streams: number[]
}

const pick = (ids: readonly number[], count: number, from: number) =>
  Array.from({ length: Math.min(count, ids.length) }, (_, n) => ids[(from + n) % ids.length] ?? 0)

/** The filters of rule `n`: none, one value, many values, several kinds at once, and leads without a value. */
function chooseFilters(
  n: number,
  owner: Owner,
  { buyers, streams }: { buyers: number[]; streams: number[] },
) {
  const offers = Array.from({ length: shape.offers }, (_, i) => i + 1)
  const sources = Array.from({ length: shape.sources - 1 }, (_, i) => i + 1)
  if (!owner.is_admin)
    return [
      {},
      { stream_ids: pick(owner.streams, 20, n) },
      {
        offer_ids: pick(
          offers.filter((id) => 1 + (id % shape.sources) < shape.sources),
          50,
          n,
        ),
        source_ids: pick(sources, 2, n),
      },
      { buyer_ids: [owner.id], source_ids: pick(sources, 1, n) },
    ][n % 4]
  return [
    {},
    { source_ids: pick(sources, 1 + (n % 3), n) },
    { offer_ids: [0, ...pick(offers, 49, n)] },
    { stream_ids: [0, ...pick(streams, 49, n * 7)] },
    { buyer_ids: pick(buyers, 50, n) },
    { buyer_ids: pick(buyers, 10, n), offer_ids: pick(offers, 50, n), source_ids: pick(sources, 2, n) },
    { buyer_ids: [0, ...pick(buyers, 2, n)] },
    { offer_ids: pick(offers, 1, n), stream_ids: pick(streams, 50, n) },
  ][n % 8]
}

/** Creates rules of people: half of them of an admin, half of buyers, a third against the history of four full weeks. */
export async function createRules(pool: Pool, count: number, at: string): Promise<BenchRule[]> {
  await deleteRules(pool)
  const { rows: owners } = await pool.query<Owner>(`select u.id, u.role_id, r.code = 'admin' as is_admin,
    array(select s.id from streams s where s.user_id = u.id and s.source_id in (
      select a.source_id from role_source_access a where a.role_id = u.role_id) order by s.id) as streams
    from users u join roles r on r.id = u.role_id where u.is_active order by u.id`)
  const { rows: streamIds } = await pool.query<{ ids: number[] }>(
    'select array_agg(id order by id) as ids from streams',
  )
  const [admin] = owners.filter(({ is_admin }) => is_admin)
  const people = owners.filter(({ is_admin }) => !is_admin)
  const buyers = people.map(({ id }) => id)
  const rules: BenchRule[] = []
  for (let n = 0; n < count; n += 1) {
    const turn = Math.floor(n / 2)
    const owner = n % 2 === 0 ? admin : people[turn % people.length]
    if (owner === undefined) throw new Error('The leads have no owners')
    const metric = alertMetrics[turn % alertMetrics.length] ?? 'leads'
    const period = alertPeriods[turn % alertPeriods.length] ?? 'today'
    const filters = { source_ids: [], offer_ids: [], stream_ids: [], buyer_ids: [] }
    Object.assign(filters, chooseFilters(turn, owner, { buyers, streams: streamIds[0]?.ids ?? [] }))
    const { rows } = await pool.query<{ id: number }>(
      `insert into alert_rules (kind, name, owner_id, metric, period, condition, against, threshold, source_ids, offer_ids,
        stream_ids, buyer_ids) values ('metric', $1, $2, $3, $4, $5, $6, 100, $7, $8, $9, $10) returning id`,
      [
        `Rule ${n}`,
        owner.id,
        metric,
        period,
        n % 4 < 2 ? 'below' : 'above',
        turn % 3 === 0 ? 'history' : 'value',
        ...Object.values(filters),
      ],
    )
    rules.push({
      id: rows[0]?.id ?? 0,
      metric,
      period,
      ...filters,
      userId: owner.is_admin ? null : owner.id,
      roleId: owner.is_admin ? null : owner.role_id,
    })
  }
  await pool.query(
    `insert into alert_samples (rule_id, hour, value)
     select r.id, date_trunc('hour', $1::timestamptz) - make_interval(hours => h), 100
     from alert_rules r cross join generate_series(1, 28 * 24) h where r.against = 'history'`,
    [at],
  )
  for (const table of ['alert_rules', 'alert_samples']) await pool.query(`analyze ${table}`)
  return rules
}

/** Makes all rules due, also those that are evaluated once an hour. The history has no value of this hour. */
export async function resetRules(pool: Pool, at: string): Promise<void> {
  await pool.query(`update alert_rules set next_at = '-infinity'`)
  await pool.query(`delete from alert_samples where hour >= date_trunc('hour', $1::timestamptz)`, [at])
  await pool.query('update alert_evaluations set evaluated_at = null')
}

/** Leaves the leads as they were. */
export async function deleteRules(pool: Pool): Promise<void> {
  await pool.query('delete from alert_rules where owner_id is not null')
  await pool.query('delete from alert_incidents')
}
