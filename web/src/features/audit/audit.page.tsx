import { useMemo, useState } from 'react'
import { auditActions, listAudit, type AuditEntry } from '@karvon/contract/audit/audit.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, ReferenceFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { useList, buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatDateTime } from '../../lib/format/date-time.format.ts'
import { resourceOptions } from '../../resources/reference-options.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { TruncatedText } from '../../components/truncated-text.tsx'
import { useTableState } from '../../lib/table-state.ts'
import { getActionLabel, formatChanges, getPerson, getSubject } from './audit.changes.ts'
import { AuditDetail } from './audit-detail.tsx'
import { auditTexts as texts } from './audit.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 20, filters: ['user_id', 'action', 'resource', 'from', 'to'] }
const userOptions = resourceOptions('users')
const actionOptions = auditActions.map((value) => ({ value, label: texts.actions[value] ?? value }))
const subjects = Object.entries(texts.resources).map(([value, label]) => ({ value, label }))

const createColumns = (zone: string): Column<AuditEntry>[] => [
  {
    key: 'at',
    header: texts.columns.at,
    cell: (row) => formatDateTime(row.at, zone),
    sortable: true,
    nowrap: true,
  },
  { key: 'user', header: texts.columns.user, cell: getPerson, nowrap: true, phone: 'line' },
  { key: 'action', header: texts.columns.action, cell: getActionLabel, nowrap: true, phone: 'line' },
  {
    key: 'subject',
    header: texts.columns.subject,
    cell: (row) => <TruncatedText text={getSubject(row)} />,
    phone: 'line',
  },
  {
    key: 'change',
    header: texts.columns.change,
    cell: (row) => <TruncatedText text={formatChanges(row)} />,
    phone: 'line',
  },
]

/** The audit log: who changed what and when, with the values before and after. */
export function AuditPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const query = useList<AuditEntry>({ key: queryKeys.audit, call: listAudit, state: table.state })
  const columns = useMemo(() => createColumns(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listAudit} query={buildListQuery(table.state)} name="audit" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <ReferenceFilter table={table} name="user_id" optionSource={userOptions} {...texts.filters.user} />
        <ChoiceFilter table={table} name="action" options={actionOptions} {...texts.filters.action} />
        <ChoiceFilter table={table} name="resource" options={subjects} {...texts.filters.resource} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => texts.detail(getActionLabel(row), getSubject(row))}
        failedText={texts.loadFailed}
        onRowClick={setOpened}
        activeKey={opened && String(opened.id)}
      />
      <AuditDetail entry={opened} onClose={() => setOpened(null)} />
    </>
  )
}
