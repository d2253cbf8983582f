import { missingValue } from '../../lib/format/missing.ts'
import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { auditTexts as texts } from './audit.texts.ts'

/** One field of an audit entry. Undefined: this side does not have the field. */
export interface Change {
  field: string
  before: string | undefined
  after: string | undefined
}

/** The changed fields of an entry, those of the new values first. */
export function getChanges({ old_values, new_values }: AuditEntry): Change[] {
  const fields = new Set([...Object.keys(new_values ?? {}), ...Object.keys(old_values ?? {})])
  return [...fields].map((field) => ({
    field,
    before: formatAuditValue(old_values?.[field]),
    after: formatAuditValue(new_values?.[field]),
  }))
}

function formatAuditValue(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null || value === '') return missingValue
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `Offer #12`, or the kind with the name that the row has or had. */
export function getSubject({ resource, row_id, old_values, new_values }: AuditEntry): string {
  const kind = texts.resources[resource] ?? resource
  for (const key of ['name', 'username', 'code', 'file']) {
    const name = new_values?.[key] ?? old_values?.[key]
    if (typeof name === 'string' && name !== '') return `${kind} ${name}`
  }
  return row_id === null ? kind : `${kind} #${row_id}`
}

/** The changes in one line. Empty for a new or a deleted row, whose name says enough. */
export function formatChanges(entry: AuditEntry): string {
  if (entry.old_values === null || entry.new_values === null) return missingValue
  return getChanges(entry)
    .map(({ field, after = missingValue }) => `${field}: ${after}`)
    .join(', ')
}

export const getActionLabel = ({ action }: AuditEntry): string => texts.actions[action] ?? action

export const getPerson = ({ user }: AuditEntry): string => user?.username ?? texts.byItself
