/** The error of a running import whose process ended. */
const interruptedMessage =
  'The import was interrupted. What it took in stays: send the file once more and it takes the rest.'

/** One import by its key ($1), as JSON text. A running import without an update for a minute counts as failed. */
export const importProgressText = `select json_build_object('key', i.key, 'kind', i.kind, 'file', i.file,
    'status', case when i.dead then 'failed' else i.status end, 'size', i.size, 'bytes_read', i.bytes_read,
    'imported', i.imported, 'updated', i.updated, 'unchanged', i.unchanged, 'skipped', i.skipped,
    'error', case when i.dead then '${interruptedMessage}' else i.error end, 'started_at', i.started_at,
    'finished_at', case when i.dead then i.seen_at else i.finished_at end)::text as row
  from (
    select *, status = 'running' and seen_at < now() - interval '1 minute' as dead from imports where key = $1
  ) i`
