import { sql } from 'kysely'
import type pg from 'pg'
import type { WorkDelay } from '../../platform/jobs/jobs.ts'
import { interruptedMessage } from '../../platform/spreadsheets/spreadsheets.interrupted.ts'

/** Seconds without an update after which a running import counts as failed. */
export const interruptedAfter = 60

/** Until the running import with the oldest update counts as failed. */
export const importsWorkDelay: WorkDelay = sql`
  select extract(epoch from min(heartbeat_at) - now()) * 1000 + ${(interruptedAfter + 1) * 1000}::integer
  from imports where status = 'running'`

/** One import by its key ($1). A running import without an update for {@link interruptedAfter} seconds counts as failed. */
const importProgressSql = `select json_build_object('key', i.key, 'kind', i.kind, 'file', i.file,
    'status', case when i.is_interrupted then 'failed' else i.status end, 'size', i.size, 'bytes_read', i.bytes_read,
    'imported', i.imported, 'updated', i.updated, 'unchanged', i.unchanged, 'skipped', i.skipped,
    'error', case when i.is_interrupted then '${interruptedMessage}' else i.error end, 'started_at', i.started_at,
    'finished_at', case when i.is_interrupted then i.heartbeat_at else i.finished_at end)::text as row
  from (
    select *, status = 'running' and heartbeat_at < now() - interval '${interruptedAfter} seconds' as is_interrupted from imports where key = $1
  ) i`

/** Reads the progress of an import as JSON text; null if no import has the key. */
export async function readImportProgress(pool: pg.Pool, key: string): Promise<string | null> {
  const { rows } = await pool.query<{ row: string }>({
    name: 'import',
    text: importProgressSql,
    values: [key],
  })
  return rows[0]?.row ?? null
}
