import type { Db } from '../db/pool.ts'
import type { Identity } from './guard.ts'

type Values = Record<string, unknown> | null

/**
 * Writes what an admin did, in the transaction that does it. `action` is a verb (`create`, `update`,
 * `delete`, `import` ...), `resource` the resource's name. Secrets must come masked.
 */
export async function audit(
  trx: Db,
  person: Pick<Identity, 'userId'> | null,
  action: string,
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
