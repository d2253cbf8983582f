import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { auditTexts as texts } from './audit.texts.ts'

/** One field of an entry; undefined where that side does not tell of it. */
export interface Change {
  field: string
  before: string | undefined
  after: string | undefined
}

/** The fields that an entry tells of, those of the new values first. */
export function changesOf({ old_values, new_values }: AuditEntry): Change[] {
  const fields = new Set([...Object.keys(new_values ?? {}), ...Object.keys(old_values ?? {})])
  return [...fields].map((field) => ({
    field,
    before: textOf(old_values?.[field]),
    after: textOf(new_values?.[field]),
  }))
}

function textOf(value: unknown): string | undefined {
  if (value === undefined) return undefined
  if (value === null || value === '') return texts.none
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** `Offer #12`, or the name that the row has or had in place of its number. */
export function subjectOf({ resource, row_id, old_values, new_values }: AuditEntry): string {
  const kind = texts.resources[resource] ?? resource
  for (const key of ['name', 'username', 'code', 'file']) {
    const called = new_values?.[key] ?? old_values?.[key]
    if (typeof called === 'string' && called !== '') return `${kind} ${called}`
  }
  return row_id === null ? kind : `${kind} #${row_id}`
}

/** A line of what was changed to what; a new or a deleted row says its name already. */
export function lineOf(entry: AuditEntry): string {
  if (entry.old_values === null || entry.new_values === null) return texts.none
  return changesOf(entry)
    .map(({ field, after = texts.none }) => `${field}: ${after}`)
    .join(', ')
}

export const actionOf = ({ action }: AuditEntry): string => texts.actions[action] ?? action

export const personOf = ({ user }: AuditEntry): string => user?.username ?? texts.byItself
