import { sql } from 'kysely'
import { audit } from '../audit/audit.ts'
import type { Db } from '../database/pool.ts'

/** The error of a running import whose process ended. */
export const interruptedMessage =
  'The import was interrupted. The rows that were imported stay. Send the file again to import the rest.'

/**
 * Marks the running imports without an update for `seconds` as failed, and writes the audit entries that their processes did not
 * write. The counts are those of the last update. `own`: only the import of a person with this key.
 */
export async function finishInterruptedImports(
  trx: Db,
  seconds: number,
  own?: { key: string; userId: number },
): Promise<void> {
  const isInterrupted = sql<boolean>`status = 'running' and heartbeat_at < now() - make_interval(secs => ${seconds})`
  const interruptedImports = await trx
    .updateTable('imports')
    .set({ status: 'failed', error: interruptedMessage, finished_at: sql<string>`heartbeat_at` })
    .where(isInterrupted)
    .$if(own !== undefined, (query) =>
      query.where('key', '=', own?.key ?? '').where('user_id', '=', own?.userId ?? 0),
    )
    .returning(['user_id', 'kind', 'file', 'details', 'imported', 'updated', 'unchanged', 'skipped'])
    .execute()
  for (const { user_id, kind, file, details, ...counts } of interruptedImports)
    await audit(trx, {
      person: { userId: user_id },
      action: 'import',
      resource: kind,
      after: { file, ...details, ...counts, error: interruptedMessage },
    })
}
