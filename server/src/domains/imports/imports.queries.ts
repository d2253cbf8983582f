import type pg from 'pg'

/** The error of a running import whose process ended. */
const interruptedMessage =
  'The import was interrupted. The rows that were imported stay. Send the file again to import the rest.'

/** One import by its key ($1). A running import without an update for a minute counts as failed. */
const importProgressSql = `select json_build_object('key', i.key, 'kind', i.kind, 'file', i.file,
    'status', case when i.is_interrupted then 'failed' else i.status end, 'size', i.size, 'bytes_read', i.bytes_read,
    'imported', i.imported, 'updated', i.updated, 'unchanged', i.unchanged, 'skipped', i.skipped,
    'error', case when i.is_interrupted then '${interruptedMessage}' else i.error end, 'started_at', i.started_at,
    'finished_at', case when i.is_interrupted then i.heartbeat_at else i.finished_at end)::text as row
  from (
    select *, status = 'running' and heartbeat_at < now() - interval '1 minute' as is_interrupted from imports where key = $1
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
