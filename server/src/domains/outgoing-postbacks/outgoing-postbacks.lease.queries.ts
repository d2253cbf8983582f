import type { ReportColumn } from '@karvon/contract/lib/report-columns.ts'
import { sql } from 'kysely'
import type pg from 'pg'
import { retryWhileUnavailable } from '../../platform/database/retry-while-unavailable.ts'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { isDue, selectQueuedIds } from '../../platform/queue/queue.rows.ts'

/** A postback that only this process may send now, with the values of its URL. `template` is null if it was deleted. */
export interface LeasedPostback {
  id: number
  attempts: number
  template_id: number | null
  template: string | null
  is_active: boolean | null
  /** The URL that was last sent for this lead and template; null if a later one was given up and may have arrived. */
  sent_url: string | null
  state: ReportColumn | null
  source_status: string
  payout: number
  currency: string
  external_id: string
  offer_id: number | null
  offer_name: string | null
  stream_id: number | null
  /** The day of the change in the time zone of the installation, and its time in seconds since 1970. */
  date: string
  timestamp: number
  subs: Record<string, string> | null
}

/** Longer than one attempt and the storing of its result can last. */
const leaseSeconds = 60
/** Limit of concurrent requests for one template, so that a slow tracker does not delay the others. */
export const maxConcurrentPerTemplate = 4

/** SQL: the templates with queued postbacks. */
const queuedTemplates = selectQueuedIds('templates', 'outgoing_postbacks', 'template_id')

/** SQL: the host of a template's URL. */
const host = (template: string) => `substring(lower(${template}.url) from '//([^/?#]+)')`

/** SQL: the tracker did not answer the last attempt of the postback `s`, or with a failure, and there is no further attempt. */
const mayHaveArrived = (s: string) =>
  `(${s}.status = 'refused' and ${s}.attempts > 0 and coalesce(${s}.answer >= 500, true))`

/**
 * Leases up to $1 due postbacks of templates that are not in $2. A template gets the changes of a lead in order, so
 * only the oldest queued one is leased.
 *
 * Hosts share the free places evenly: the host with the fewest running requests is next, so that a slow tracker with
 * many templates does not delay the others. $3 has the template of each running request.
 *
 * The recursive query reads each template from the index separately, so a long queue of one template does not slow
 * down the others.
 */
const leaseSql = `
  with recursive ${queuedTemplates},
  waiting as (
    select w.* from templates cross join lateral (
      select o.id, o.template_id, o.next_at from outgoing_postbacks o
      where o.template_id = templates.id and ${isDue('o')}
        and o.id = (select e.id from outgoing_postbacks e
          where e.lead_id = o.lead_id and e.template_id = o.template_id and e.status = 'queued'
          order by e.id limit 1)
      order by o.next_at, o.id limit ${maxConcurrentPerTemplate}
    ) w
    where templates.id <> all($2::bigint[])
    union all
    (select o.id, null, o.next_at from outgoing_postbacks o where o.template_id is null and ${isDue('o')} limit $1)
  ),
  running as (
    select ${host('t')} as host, count(*) as requests from unnest($3::bigint[]) r (template_id)
    join postback_templates t on t.id = r.template_id group by 1
  ),
  placed as (
    select w.id, w.next_at, coalesce(r.requests, 0)
      + row_number() over (partition by ${host('t')} order by w.next_at, w.id) as place
    from waiting w left join postback_templates t on t.id = w.template_id left join running r on r.host = ${host('t')}
  ),
  leasable as (
    select o.id from outgoing_postbacks o
    where o.id in (select id from placed order by place, next_at, id limit $1) and ${isDue('o')}
    for update skip locked
  ),
  leased as (
    update outgoing_postbacks o set leased_until = now() + interval '${leaseSeconds} seconds'
    from leasable where o.id = leasable.id returning o.*
  )
  select c.id, c.attempts, c.template_id, t.url as template, t.is_active, c.state, c.source_status, c.payout,
    coalesce(c.currency, l.currency) as currency,
    l.external_id, l.offer_id, f.name as offer_name, coalesce(c.stream_id, l.stream_id) as stream_id, c.changed_at::date as date,
    floor(extract(epoch from c.changed_at))::bigint as timestamp, l.subs,
    (select case s.status when 'sent' then s.url end from outgoing_postbacks s
      where s.lead_id = c.lead_id and s.template_id = c.template_id and (s.status = 'sent' or ${mayHaveArrived('s')})
      order by s.id desc limit 1) as sent_url
  from leased c
  join leads l on l.id = c.lead_id
  left join offers f on f.id = l.offer_id
  left join postback_templates t on t.id = c.template_id
  order by c.id`

/** The templates of this process that must not send now, and the template of each running request. */
export interface TemplateLoad {
  held: readonly number[]
  running: readonly number[]
}

export async function leasePostbacks(
  pool: pg.Pool,
  limit: number,
  { held, running }: TemplateLoad,
): Promise<LeasedPostback[]> {
  const { rows } = await pool.query<LeasedPostback>({
    name: 'postbacks_lease',
    text: leaseSql,
    values: [limit, held, running],
  })
  return rows
}

/** Until a queued postback is due. */
export const postbackWorkDelay: WorkDelay = sql.raw(`
  with recursive ${queuedTemplates},
  firsts as (
    select f.next_at from templates cross join lateral (
      select o.next_at from outgoing_postbacks o where o.status = 'queued' and o.template_id = templates.id
      order by o.next_at limit 1
    ) f
    union all
    (select o.next_at from outgoing_postbacks o where o.status = 'queued' and o.template_id is null
      order by o.next_at limit 1)
  )
  select extract(epoch from min(next_at) - now()) * 1000 from firsts`)

/** The result of one attempt. `retryIn` is the number of seconds until the next attempt. */
export interface AttemptResult {
  status: 'sent' | 'same' | 'queued' | 'refused'
  url: string | null
  attempts: number
  answer: number | null
  lastError: string | null
  retryIn: number
}

const recordSql = `
  update outgoing_postbacks set status = $2, url = coalesce($3, url), attempts = $4, answer = $5,
    last_error = $6, next_at = now() + $7 * interval '1 second', leased_until = null,
    sent_at = case when $2 = 'sent' then now() else sent_at end
  where id = $1 and status = 'queued'`

/**
 * Stores the result of an attempt. After the last attempt `next_at` is the time of its result. Repeats the statement while the
 * database is unavailable, until the lease ends.
 */
export async function recordAttempt(pool: pg.Pool, id: number, result: AttemptResult): Promise<void> {
  const { status, url, attempts, answer, lastError, retryIn } = result
  await retryWhileUnavailable(() =>
    pool.query(recordSql, [id, status, url, attempts, answer, lastError, retryIn]),
  )
}
