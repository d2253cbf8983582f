import type { AuditAction } from '@karvon/contract/audit/audit.ts'
import type { Db } from '../database/pool.ts'
import type { Identity } from '../http/guard.ts'

type Values = Record<string, unknown> | null

/**
 * Writes what an admin did, in the transaction that does it. `resource` is the wire's name of what it was done to. Secrets must come masked.
 */
export async function audit(
  trx: Db,
  person: Pick<Identity, 'userId'> | null,
  action: AuditAction,
  resource: string,
  rowId: number | null,
  oldValues: Values,
  newValues: Values,
): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      user_id: person?.userId ?? null,
      action,
      resource,
      row_id: rowId,
      old_values: oldValues && JSON.stringify(oldValues),
      new_values: newValues && JSON.stringify(newValues),
    })
    .execute()
}
