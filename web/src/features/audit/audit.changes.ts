import type { AuditEntry } from '@karvon/contract/audit/audit.ts'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { formatDay } from '../../lib/format/day.format.ts'
import { missingValue } from '../../lib/format/missing.ts'
import { formatMoney } from '../../lib/format/money.format.ts'
import { formatNumber } from '../../lib/format/number.format.ts'
import { isRecord } from '../../lib/is-record.ts'
import { findChoice, findKind, findTarget, getFieldLabel, isTarget } from './audit.fields.ts'
import { auditTexts as texts } from './audit.texts.ts'

/** One field of an audit entry. An undefined value: this side does not have the field. */
export interface Change {
  readonly key: string
  readonly label: string
  readonly before: unknown
  readonly after: unknown
}

/** What a value needs to be shown. `findName` gives the name of a row of a resource, where it is known. */
export interface ValueContext {
  readonly zone: string
  readonly findName: (target: string, id: number) => string | undefined
}

/** The changed fields of an entry, those of the new values first. */
export function getChanges({ resource, old_values, new_values }: AuditEntry): Change[] {
  const keys = new Set([...Object.keys(new_values ?? {}), ...Object.keys(old_values ?? {})])
  // A person's own profile has the fields of a user.
  const declaration = resource === 'profile' ? 'users' : resource
  return [...keys].map((key) => ({
    key,
    label: getFieldLabel(key, declaration),
    before: old_values?.[key],
    after: new_values?.[key],
  }))
}

const listIds = (value: unknown): number[] =>
  (Array.isArray(value) ? value : [value]).filter((id): id is number => typeof id === 'number')

/** The value of a field as the lists show it. */
export function formatAuditValue(key: string, value: unknown, context: ValueContext): string {
  if (value === null || value === undefined || value === '') return missingValue
  if (typeof value === 'boolean') return value ? texts.yes : texts.no
  const target = findTarget(key)
  if (target !== undefined) {
    const names = listIds(value).map((id) => context.findName(target, id) ?? `#${id}`)
    return names.join(', ') || missingValue
  }
  if (Array.isArray(value)) return value.map((part) => formatPart(part, context)).join(', ') || missingValue
  if (typeof value === 'object') return JSON.stringify(value)
  return formatScalar(key, value as string | number, context)
}

function formatScalar(key: string, value: string | number, { zone }: ValueContext): string {
  const text = String(value)
  const kind = findKind(key)
  if (kind === 'money') return formatMoney(Number(value), '.')
  if (kind === 'time') return formatDateTime(text, zone)
  if (kind === 'day') return formatDay(text)
  if (typeof value === 'number' && kind !== 'external-id') return formatNumber(value, undefined, '.')
  return findChoice(key, text) ?? text
}

const formatLeads = (ids: readonly unknown[]) =>
  listIds(ids)
    .map((id) => `#${id}`)
    .join(', ')

/** A part of a list: the id of a lead, or the leads that had one status. */
function formatPart(part: unknown, { findName }: ValueContext): string {
  if (typeof part === 'number') return `#${part}`
  if (typeof part === 'string') return part
  if (!isRecord(part) || !Array.isArray(part['ids'])) return JSON.stringify(part)
  const id = part['status_id']
  const status = typeof id === 'number' ? (findName('statuses', id) ?? `#${id}`) : missingValue
  return `${status}: ${formatLeads(part['ids'])}`
}

/** The rows that entries name by their ids: their own and those in their values. The ids by resource. */
export function listReferences(entries: readonly AuditEntry[]): ReadonlyMap<string, ReadonlySet<number>> {
  const references = new Map<string, Set<number>>()
  const add = (target: string, value: unknown) => {
    for (const id of listIds(value)) references.set(target, (references.get(target) ?? new Set()).add(id))
  }
  for (const entry of entries)
    if (isTarget(entry.resource) && findOwnName(entry) === undefined) add(entry.resource, entry.row_id)
  for (const { key, before, after } of entries.flatMap(getChanges)) {
    const target = findTarget(key)
    for (const value of [before, after])
      add(target ?? 'statuses', target === undefined ? listStatusIds(value) : value)
  }
  return references
}

/** The statuses in a list of leads by their status. */
const listStatusIds = (value: unknown): unknown[] =>
  Array.isArray(value) ? value.filter(isRecord).map((part) => part['status_id']) : []

/** The name that the values of an entry give its row. */
function findOwnName({ old_values, new_values }: AuditEntry): string | undefined {
  for (const key of ['name', 'username', 'code', 'file']) {
    const name = new_values?.[key] ?? old_values?.[key]
    if (typeof name === 'string' && name !== '') return name
  }
  return undefined
}

/** The kind with the name that the row has or had, or `Offer #12`. */
export function getSubject(entry: AuditEntry, findName?: ValueContext['findName']): string {
  const { resource, row_id: id } = entry
  const kind = texts.resources[resource] ?? resource
  const name = findOwnName(entry) ?? (id === null ? undefined : findName?.(resource, id))
  if (name !== undefined) return `${kind} ${name}`
  return id === null ? kind : `${kind} #${id}`
}

/** The changes in one line. Empty for a new or a deleted row, whose name says enough. */
export function formatChanges(entry: AuditEntry, context: ValueContext): string {
  if (entry.old_values === null || entry.new_values === null) return missingValue
  return getChanges(entry)
    .map(({ key, label, after }) => `${label}: ${formatAuditValue(key, after, context)}`)
    .join(', ')
}

export const getActionLabel = ({ action }: AuditEntry): string => texts.actions[action] ?? action

export const getPerson = ({ user }: AuditEntry): string => user?.username ?? texts.byItself
