import type { ReportColumn } from '@karvon/contract/kit/report-columns.ts'
import type pg from 'pg'
import { patiently } from '../kit/patient.ts'

/** A postback to be sent now, with all that its URL is made from. `template` is null where it was deleted. */
export interface Due {
  id: number
  attempts: number
  template_id: number | null
  template: string | null
  is_active: boolean | null
  /** What was last sent of this lead to this template. */
  sent_url: string | null
  state: ReportColumn | null
  word: string
  payout: number
  currency: string
  external_id: string
  offer_id: number | null
  offer_name: string | null
  stream_id: number | null
  /** The change's day in the installation's zone, and its second since 1970. */
  date: string
  timestamp: number
  subs: Record<string, string> | null
}

/** Seconds for which nobody else takes a postback; longer than one attempt and its note can last. */
const lease = 60
/** Of one template at once, so that one slow tracker does not keep all others waiting. */
export const perTemplate = 4

const free = `o.status = 'queued' and o.next_at <= now() and (o.leased_until is null or o.leased_until < now())`

/**
 * Takes up to `most` postbacks that are due, none of the templates in `held`. A lead's changes go to a template one
 * after the other: only the oldest one that is still queued is taken.
 *
 * It goes from template to template in the index, so that a long queue of one costs the others nothing.
 */
const claimText = `
  with recursive templates as (
    (select o.template_id as id from outgoing_postbacks o
      where o.status = 'queued' and o.template_id is not null order by o.template_id limit 1)
    union all
    select (select o.template_id from outgoing_postbacks o
      where o.status = 'queued' and o.template_id > templates.id order by o.template_id limit 1)
    from templates where templates.id is not null
  ),
  waiting as (
    select w.* from templates cross join lateral (
      select o.id, o.next_at from outgoing_postbacks o
      where o.template_id = templates.id and ${free}
        and o.id = (select e.id from outgoing_postbacks e
          where e.lead_id = o.lead_id and e.template_id = o.template_id and e.status = 'queued'
          order by e.id limit 1)
      order by o.next_at, o.id limit ${perTemplate}
    ) w
    where templates.id <> all($2::bigint[])
    union all
    (select o.id, o.next_at from outgoing_postbacks o where o.template_id is null and ${free} limit $1)
  ),
  taken as (
    select o.id from outgoing_postbacks o
    where o.id in (select id from waiting order by next_at, id limit $1) and ${free}
    for update skip locked
  ),
  claimed as (
    update outgoing_postbacks o set leased_until = now() + interval '${lease} seconds'
    from taken where o.id = taken.id returning o.*
  )
  select c.id, c.attempts, c.template_id, t.url as template, t.is_active, c.state, c.word, c.payout, l.currency,
    l.external_id, l.offer_id, f.name as offer_name, t.stream_id, c.changed_at::date as date,
    floor(extract(epoch from c.changed_at))::bigint as timestamp, l.subs,
    (select s.url from outgoing_postbacks s
      where s.lead_id = c.lead_id and s.template_id = c.template_id and s.status = 'sent'
      order by s.id desc limit 1) as sent_url
  from claimed c
  join leads l on l.id = c.lead_id
  left join offers f on f.id = l.offer_id
  left join postback_templates t on t.id = c.template_id
  order by c.id`

export async function claim(pool: pg.Pool, most: number, held: readonly number[]): Promise<Due[]> {
  const { rows } = await pool.query<Due>({ name: 'postbacks_claim', text: claimText, values: [most, held] })
  return rows
}

/** How an attempt ended. `wait`: seconds until the next one. */
export interface Ended {
  status: 'sent' | 'same' | 'queued' | 'refused'
  url: string | null
  attempts: number
  answer: number | null
  last_error: string | null
  wait: number
}

const noteText = `
  update outgoing_postbacks set status = $2, url = coalesce($3, url), attempts = $4, answer = $5,
    last_error = $6, next_at = now() + $7 * interval '1 second', leased_until = null,
    sent_at = case when $2 = 'sent' then now() else sent_at end
  where id = $1 and status = 'queued'`

/** Notes the end of an attempt; while the database is away, again until the lease is over. */
export async function note(pool: pg.Pool, id: number, ended: Ended): Promise<void> {
  const { status, url, attempts, answer, last_error, wait } = ended
  await patiently(() => pool.query(noteText, [id, status, url, attempts, answer, last_error, wait]))
}
