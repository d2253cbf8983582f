import { useMemo, useState } from 'react'
import {
  listOutgoingPostbacks,
  outgoingStatuses,
  type OutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, NameFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { useList, wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { resourceNames } from '../../resources/names.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { OutgoingDetail } from './outgoing-postback-detail.tsx'
import { outgoingColumns } from './outgoing-postbacks.columns.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'

const spec = { pageSize: 10, filters: ['template_id', 'status', 'from', 'to'] }
const templates = resourceNames('postback-templates')
const statuses = outgoingStatuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))

/** What media buyers' trackers were told, and how it went. */
export function OutgoingPostbacksPage() {
  const table = useTableState(spec)
  const { time_zone: zone } = useSettings()
  const [opened, setOpened] = useState<OutgoingPostback | null>(null)
  const query = useList<OutgoingPostback>(['outgoing-postbacks', 'list'], listOutgoingPostbacks, table.state)
  const columns = useMemo(() => outgoingColumns(zone), [zone])
  return (
    <>
      <Toolbar
        actions={
          <ExportMenu call={listOutgoingPostbacks} query={wireQuery(table.state)} name="outgoing-postbacks" />
        }
      >
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <NameFilter table={table} name="template_id" names={templates} {...texts.filters.template} />
        <ChoiceFilter table={table} name="status" options={statuses} {...texts.filters.status} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.lead.external_id}
        failedText={texts.loadFailed}
        onRowClick={setOpened}
        activeKey={opened && String(opened.id)}
      />
      <OutgoingDetail of={opened} onRetried={setOpened} onClose={() => setOpened(null)} />
    </>
  )
}
