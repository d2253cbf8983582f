import type { AuditAction } from '@karvon/contract/audit/audit.ts'
import type { Resource } from '@karvon/contract/lib/resource.ts'
import type { Db } from '../database/pool.ts'
import type { Tables } from '../database/tables.ts'
import type { Identity } from '../http/guard.ts'

type WithDashes<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}-${WithDashes<Tail>}`
  : Name

/** The wire's name of an audited resource: the name of its table with dashes, or a person's own profile. */
export type AuditedResource = WithDashes<Extract<keyof Tables, string>> | 'profile'

/** Every resource has a table with its name. */
export const getAuditedName = (resource: Resource): AuditedResource => resource.name as AuditedResource

export interface AuditEvent {
  /** Null: the product itself. */
  person: Pick<Identity, 'userId'> | null
  action: AuditAction
  resource: AuditedResource
  /** Null or absent: several rows, or none. */
  rowId?: number | null
  /** Changed values only. Secrets must be masked by the caller. */
  before?: Record<string, unknown> | null
  after?: Record<string, unknown> | null
}

/**
 * Writes an entry of the audit log, in the transaction of the change. The only file of platform/audit; the module knows
 * how an entry is stored, but not what domains do.
 */
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
