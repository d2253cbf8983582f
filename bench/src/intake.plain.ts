import type { openPool } from '@karvon/server/platform/database/pool.ts'
import type { Batch } from './intake.batches.ts'

type Pool = ReturnType<typeof openPool>

/** Turns the leads into a table alone: nothing counts their changes. Indexes and references stay. */
export async function makePlain(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = 'leads'::regclass and not tgisinternal`,
  )
  for (const { name } of rows) await pool.query(`drop trigger ${name} on leads`)
}

/** Each word's status; the generated sources all map words alike. */
export async function statusesOf(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ source_name: string; status_id: number }>(
    'select source_name, status_id from source_statuses where source_id = 1',
  )
  return new Map(rows.map((row) => [row.source_name, row.status_id]))
}

const columns = [
  'offer_id',
  'stream_id',
  'source_status',
  'status_id',
  'payout',
  'currency',
  'day',
  'created_at',
  'updated_at',
]

// In the order of the ids, or several writers would deadlock.
const text = `insert into leads (source_id, external_id, ${columns.join(', ')})
  select $1, external_id, offer_id, stream_id, source_status, status_id, payout, currency, created_at::date, created_at,
    updated_at
  from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::numeric[], $8::text[],
    $9::timestamptz[], $10::timestamptz[])
    as t (external_id, offer_id, stream_id, source_status, status_id, payout, currency, created_at, updated_at)
  order by external_id
  on conflict (source_id, external_id) do update set
    ${columns.map((each) => `${each} = excluded.${each}`).join(', ')}`

/** Upserts a batch that somebody resolved before: its offers, streams and statuses are ids already. */
export async function upsertPlain(
  pool: Pool,
  statuses: ReadonlyMap<string, number>,
  batch: Batch,
): Promise<void> {
  const { sourceId, leads } = batch
  const ids = (pick: (lead: Batch['leads'][number]) => string | null) =>
    leads.map((lead) => {
      const extra = pick(lead)
      return extra === null ? null : Number(extra)
    })
  await pool.query({
    name: 'plain',
    text,
    values: [
      sourceId,
      leads.map((lead) => lead.external_id),
      // Generated offers and streams have their ids as the source's.
      ids((lead) => lead.offer_extra_id),
      ids((lead) => lead.stream_extra_id),
      leads.map((lead) => lead.source_status),
      leads.map((lead) => statuses.get(lead.source_status) ?? null),
      leads.map((lead) => lead.payout),
      leads.map((lead) => lead.currency),
      leads.map((lead) => lead.created_at),
      leads.map((lead) => lead.updated_at),
    ],
  })
}
