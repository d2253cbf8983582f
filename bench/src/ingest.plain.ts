import type { openPool } from '@karvon/server/platform/database/pool.ts'
import type { Batch } from './ingest.batches.ts'

type Pool = ReturnType<typeof openPool>

/** Removes the triggers of the leads. Indexes and references remain. */
export async function removeTriggers(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `select tgname as name from pg_trigger where tgrelid = 'leads'::regclass and not tgisinternal`,
  )
  for (const { name } of rows) await pool.query(`drop trigger ${name} on leads`)
}

/** The status of each source status. All generated sources have the same mappings. */
export async function readStatuses(pool: Pool): Promise<Map<string, number>> {
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

// Ordered by id, to avoid deadlocks between writers.
const upsertSql = `insert into leads (source_id, external_id, ${columns.join(', ')})
  select $1, external_id, offer_id, stream_id, source_status, status_id, payout, currency, created_at::date, created_at,
    updated_at
  from unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::bigint[], $7::numeric[], $8::text[],
    $9::timestamptz[], $10::timestamptz[])
    as t (external_id, offer_id, stream_id, source_status, status_id, payout, currency, created_at, updated_at)
  order by external_id
  on conflict (source_id, external_id) do update set
    ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`

/** Upserts a batch whose offers, streams and statuses are already ids. */
export async function upsertPlain(
  pool: Pool,
  statuses: ReadonlyMap<string, number>,
  batch: Batch,
): Promise<void> {
  const { sourceId, leads } = batch
  const ids = (getId: (lead: Batch['leads'][number]) => string | null) =>
    leads.map((lead) => {
      const extra = getId(lead)
      return extra === null ? null : Number(extra)
    })
  await pool.query({
    name: 'plain',
    text: upsertSql,
    values: [
      sourceId,
      leads.map((lead) => lead.external_id),
      // The external ids of generated offers and streams are their ids.
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
