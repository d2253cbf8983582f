import type pg from 'pg'

/** More deltas are not counted. */
const maxCountedDeltas = 100_000

export interface Backlog {
  /** Seconds for which the oldest due entry of each queue has waited; 0 without one. */
  waitingSeconds: Readonly<Record<string, number>>
  /** Changes of leads that are not yet in the totals of reports, at most 100,000. */
  leadDeltas: number
}

const oldestDue = (table: string, status = 'queued') =>
  `(select next_at from ${table} where status = '${status}' order by next_at limit 1)`

const oldestDueByQueue: Readonly<Record<string, string>> = {
  uploads: oldestDue('uploads'),
  'upload-scans': oldestDue('uploads', 'scanning'),
  notices: oldestDue('notices'),
  'account-mails': oldestDue('account_mails'),
  'reset-mails': oldestDue('reset_mails'),
  // By template, as the index is.
  'outgoing-postbacks': `(select min(due.next_at) from postback_templates t cross join lateral
    (select o.next_at from outgoing_postbacks o where o.template_id = t.id and o.status = 'queued'
     order by o.next_at limit 1) due)`,
}

const backlogText = `select ${Object.entries(oldestDueByQueue)
  .map(([queue, due]) => `coalesce(greatest(extract(epoch from now() - ${due}), 0), 0)::float8 as "${queue}"`)
  .join(', ')},
  (select count(*) from (select from lead_deltas limit ${maxCountedDeltas}) d)::int as deltas`

/** Reads how far the jobs of all processes are behind. */
export async function readBacklog(pool: pg.Pool): Promise<Backlog> {
  const { rows } = await pool.query<Record<string, number>>(backlogText)
  const { deltas = 0, ...waitingSeconds } = rows[0] ?? {}
  return { waitingSeconds, leadDeltas: deltas }
}
