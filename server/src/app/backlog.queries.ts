import type pg from 'pg'

/** More rows of a table are not counted. */
const maxCounted = 100_000

export interface Backlog {
  /** Seconds for which the oldest due entry of each queue has waited; 0 without one. */
  waitingSeconds: Readonly<Record<string, number>>
  /** Changes of leads that are not yet in the totals of reports, at most 100,000. */
  leadDeltas: number
  /** Entries of the ledger that are not yet in the sums of balances, at most 100,000. */
  ledgerDeltas: number
  /** Statuses whose leads are being moved to another report column. */
  statusRecounts: number
  /** Mappings that wait to be applied to the stored leads. */
  leadRemaps: number
  /** Statuses and streams whose leads wait to be posted to the ledger. */
  leadPostings: number
  /** Seconds since 1970 of the newest postback. */
  lastPostbackAt: number | null
}

type BacklogRow = Omit<Backlog, 'waitingSeconds'> & Record<string, number | null>

const buildOldestDue = (table: string, status = 'queued') =>
  `(select next_at from ${table} where status = '${status}' order by next_at limit 1)`

const oldestDueByQueue: Readonly<Record<string, string>> = {
  uploads: buildOldestDue('uploads'),
  'upload-scans': buildOldestDue('uploads', 'scanning'),
  notices: buildOldestDue('notices'),
  'account-mails': buildOldestDue('account_mails'),
  'reset-mails': buildOldestDue('reset_mails'),
  'view-messages': buildOldestDue('view_messages'),
  // By template, as the index is.
  'outgoing-postbacks': `(select min(due.next_at) from postback_templates t cross join lateral
    (select o.next_at from outgoing_postbacks o where o.template_id = t.id and o.status = 'queued'
     order by o.next_at limit 1) due)`,
}

const countRows = (table: string) =>
  `(select count(*) from (select from ${table} limit ${maxCounted}) counted)::int`

const backlogSql = `select ${Object.entries(oldestDueByQueue)
  .map(([queue, due]) => `coalesce(greatest(extract(epoch from now() - ${due}), 0), 0)::float8 as "${queue}"`)
  .join(', ')},
  ${countRows('lead_deltas')} as "leadDeltas", ${countRows('ledger_deltas')} as "ledgerDeltas",
  ${countRows('status_recounts')} as "statusRecounts",
  ${countRows('lead_remaps')} as "leadRemaps", ${countRows('lead_posting_queue')} as "leadPostings",
  (select extract(epoch from at) from postbacks order by id desc limit 1)::float8 as "lastPostbackAt"`

/** Reads how far the jobs of all processes are behind. */
export async function readBacklog(pool: pg.Pool): Promise<Backlog> {
  const { rows } = await pool.query<BacklogRow>(backlogSql)
  const [row] = rows
  if (row === undefined) throw new Error('The statement of the backlog has one row')
  const waitingSeconds = Object.fromEntries(
    Object.keys(oldestDueByQueue).map((queue) => [queue, row[queue] ?? 0]),
  )
  return { ...row, waitingSeconds }
}
