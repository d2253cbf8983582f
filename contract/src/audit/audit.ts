import { Type, type Static } from 'typebox'
import { call } from '../lib/call.ts'
import { Id } from '../lib/field.ts'
import { maxCode } from '../lib/limits.ts'
import { pageSchema } from '../lib/page.ts'
import { listQuery } from '../lib/resource.ts'
import { DateTime, Day, nullable } from '../lib/schemas.ts'

/** The actions of audit entries. */
export const auditActions = [
  'create',
  'update',
  'delete',
  'activate',
  'deactivate',
  'import',
  'download',
  'retry',
  'replay',
  'rotate-postback-key',
  'close-gap',
  'approve',
  'decline',
  'pay',
  'refuse',
  'cancel',
  'close',
] as const
export type AuditAction = (typeof auditActions)[number]

const values = nullable(Type.Record(Type.String(), Type.Unknown()))

/**
 * An audit entry. `user`: null for an action of the product itself. `resource`: the wire's name of what was
 * changed, `row_id` which row of it, null for several at once. `old_values` and `new_values`: of an update
 * what changed alone; secrets are masked.
 */
export const AuditEntry = Type.Object({
  id: Type.Integer(),
  at: DateTime,
  user: nullable(Type.Object({ id: Type.Integer(), username: Type.String() })),
  action: Type.String(),
  resource: Type.String(),
  row_id: nullable(Type.Integer()),
  old_values: values,
  new_values: values,
})
export type AuditEntry = Static<typeof AuditEntry>

/** start_date and end_date are inclusive days of `at`; `search` matches the person's username. */
export const listAudit = call({
  id: 'audit.list',
  summary: 'List the audit log',
  method: 'GET',
  path: '/api/admin/audit/',
  feature: 'audit',
  guard: 'admin',
  query: listQuery(['id', 'at'], {
    id: Id,
    at: DateTime,
    user_id: Id,
    action: Type.String({ enum: [...auditActions] }),
    resource: Type.String({ maxLength: maxCode }),
    row_id: Id,
    start_date: Day,
    end_date: Day,
  }),
  answer: pageSchema(AuditEntry),
})
