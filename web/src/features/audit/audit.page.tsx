import { useMemo, useState } from 'react'
import { auditActions, listAudit, type AuditEntry } from '@karvon/contract/audit/audit.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import type { Column } from '../../components/table/column.ts'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, NameFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { useList, wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { formatMoment } from '../../lib/format/moment.format.ts'
import { resourceNames } from '../../resources/names.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { Short } from '../../components/short.tsx'
import { useTableState } from '../../lib/table-state.ts'
import { actionOf, lineOf, personOf, subjectOf } from './audit.changes.ts'
import { AuditDetail } from './audit-detail.tsx'
import { auditTexts as texts } from './audit.texts.ts'

const spec = { pageSize: 20, filters: ['user_id', 'action', 'resource', 'from', 'to'] }
const people = resourceNames('users')
const actions = auditActions.map((value) => ({ value, label: texts.actions[value] ?? value }))
const subjects = Object.entries(texts.resources).map(([value, label]) => ({ value, label }))

const columnsIn = (zone: string): Column<AuditEntry>[] => [
  {
    key: 'at',
    header: texts.columns.at,
    cell: (row) => formatMoment(row.at, zone),
    sortable: true,
    nowrap: true,
  },
  { key: 'user', header: texts.columns.user, cell: personOf, nowrap: true, phone: 'line' },
  { key: 'action', header: texts.columns.action, cell: actionOf, nowrap: true, phone: 'line' },
  {
    key: 'subject',
    header: texts.columns.subject,
    cell: (row) => <Short text={subjectOf(row)} />,
    phone: 'line',
  },
  { key: 'change', header: texts.columns.change, cell: (row) => <Short text={lineOf(row)} />, phone: 'line' },
]

/** Who changed what, and when; every change with the values before and after it. */
export function AuditPage() {
  const table = useTableState(spec)
  const { time_zone: zone } = useSettings()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const query = useList<AuditEntry>(['audit', 'list'], listAudit, table.state)
  const columns = useMemo(() => columnsIn(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listAudit} query={wireQuery(table.state)} name="audit" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <NameFilter table={table} name="user_id" names={people} {...texts.filters.user} />
        <ChoiceFilter table={table} name="action" options={actions} {...texts.filters.action} />
        <ChoiceFilter table={table} name="resource" options={subjects} {...texts.filters.resource} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => texts.detail(actionOf(row), subjectOf(row))}
        failedText={texts.loadFailed}
        onRowClick={setOpened}
        activeKey={opened && String(opened.id)}
      />
      <AuditDetail of={opened} onClose={() => setOpened(null)} />
    </>
  )
}
