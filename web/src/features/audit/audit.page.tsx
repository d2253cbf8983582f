import { createContext, useContext, type ReactNode } from 'react'
import { auditActions, listAudit, type AuditEntry } from '@karvon/contract/audit/audit.ts'
import { createOptions } from '../../components/fields/options.ts'
import type { Column } from '../../components/table/column.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { queryKeys } from '../../lib/query-keys.ts'
import { logPage } from '../../resources/log-page.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import {
  getActionLabel,
  formatChanges,
  getPerson,
  getSubject,
  listReferences,
  type ValueContext,
} from './audit.changes.ts'
import { AuditDetail } from './audit-detail.tsx'
import { useRowNames } from './audit.names.hook.ts'
import { auditTexts as texts } from './audit.texts.ts'
import { createTimeColumn } from '../../resources/time-column.ts'

const actionOptions = createOptions(auditActions, texts.actions)
const subjects = Object.entries(texts.resources).map(([value, label]) => ({ value, label }))

const NamesContext = createContext<ValueContext['findName']>(() => undefined)

/** Finds the names of the rows that the shown entries refer to. They load after the list. */
function NamesProvider({ rows, children }: { rows: readonly AuditEntry[]; children: ReactNode }) {
  return <NamesContext value={useRowNames(listReferences(rows), false)}>{children}</NamesContext>
}

/** The kind and the name of a row. */
function Subject({ entry }: { entry: AuditEntry }) {
  return <TruncatedText text={getSubject(entry, useContext(NamesContext))} />
}

/** The changes with the names of rows. */
function Changes({ entry, zone }: { entry: AuditEntry; zone: string }) {
  const findName = useContext(NamesContext)
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
    { name: 'resource', options: subjects, dependent: 'row_id', ...texts.filters.resource },
    { name: 'row_id', formatValue: (id) => `#${id}`, ...texts.filters.row },
    'period',
  ],
  createColumns,
  Provider: NamesProvider,
  rowKey: ({ id }) => String(id),
  rowLabel: (row) => texts.detail({ action: getActionLabel(row), what: getSubject(row) }),
  renderDetail: (openedEntry, setOpenedEntry) => (
    <AuditDetail entry={openedEntry} onClose={() => setOpenedEntry(null)} />
  ),
})
