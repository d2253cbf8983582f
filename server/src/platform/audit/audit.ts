import type { AuditAction } from '@karvon/contract/audit/audit.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { Db } from '../database/pool.ts'
import type { Tables } from '../database/tables.ts'
import type { Identity } from '../http/guard.ts'

type WithDashes<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${WithDashes<Tail>}`
  : Name

/** The name of an audited resource in the API: the name of its table with dashes, or `profile`. */
export type AuditedResource = WithDashes<Extract<keyof Tables, string>> | 'profile'

/** The audited name of a resource, because every resource has a table with its name. */
export const getAuditedName = (resource: Resource): AuditedResource => resource.name as AuditedResource

export interface AuditEvent {
  /** Null: the product itself. */
  person: Pick<Identity, 'userId'> | null
  action: AuditAction
  resource: AuditedResource
  /** Null or absent: several rows, or none. */
  rowId?: number | null
  /** Only the changed values. The caller masks secrets. */
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
}

/** Writes an entry of the audit log, in the transaction of the change. */
export async function audit(
  trx: Db,
  { person, action, resource, rowId = null, before = null, after = null }: AuditEvent,
): Promise<void> {
  await trx
    .insertInto('audit_log')
    .values({
      user_id: person?.userId ?? null,
      action,
      resource,
      row_id: rowId,
      old_values: before && JSON.stringify(before),
      new_values: after && JSON.stringify(after),
    })
    .execute()
}
