import { auditActions, listAudit, type AuditEntry } from '@karvon/contract/audit/audit.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { getActionLabel, formatChanges, getPerson, getSubject, listReferences } from './audit.changes.ts'
import { AuditDetail } from './audit-detail.tsx'
import { useRowNames } from './audit.names.hook.ts'
import { auditTexts as texts } from './audit.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

const actionOptions = auditActions.map((value) => ({ value, label: texts.actions[value] ?? value }))
const subjects = Object.entries(texts.resources).map(([value, label]) => ({ value, label }))

/** The kind and the name of a row, which loads after the list. */
function Subject({ entry }: { entry: AuditEntry }) {
  return <TruncatedText text={getSubject(entry, useRowNames(listReferences(entry), false))} />
}

/** The changes with the names of rows, which load after the list. */
function Changes({ entry, zone }: { entry: AuditEntry; zone: string }) {
  const findName = useRowNames(listReferences(entry), false)
  return <TruncatedText isWide text={formatChanges(entry, { zone, findName })} />
}

const createColumns = (zone: string): Column<AuditEntry>[] => [
  createTimeColumn('at', texts.columns.at, zone),
  {
    key: 'user',
    header: texts.columns.user,
    cell: (row) => <TruncatedText text={getPerson(row)} />,
    phone: 'line',
  },
  { key: 'action', header: texts.columns.action, cell: getActionLabel, nowrap: true, phone: 'line' },
  {
    key: 'subject',
    header: texts.columns.subject,
    cell: (row) => <Subject entry={row} />,
    phone: 'line',
  },
  {
    key: 'change',
    header: texts.columns.change,
    cell: (row) => <Changes entry={row} zone={zone} />,
    phone: 'line',
  },
]

/** The audit log: who changed what and when, with the values before and after. */
export const AuditPage = logPage({
  call: listAudit,
  key: queryKeys.audit,
  name: 'audit',
  pageSize: 20,
  texts,
  filters: [
    { name: 'user_id', optionSource: resourceOptions('users'), ...texts.filters.user },
    { name: 'action', options: actionOptions, ...texts.filters.action },
    { name: 'resource', options: subjects, ...texts.filters.resource },
    { name: 'row_id', formatValue: (id) => `#${id}`, ...texts.filters.row },
    'period',
  ],
  createColumns,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => texts.detail({ action: getActionLabel(row), what: getSubject(row) }),
  renderDetail: (openedEntry, setOpenedEntry) => (
    <AuditDetail entry={openedEntry} onClose={() => setOpenedEntry(null)} />
  ),
})
