import { useMemo, useState } from 'react'
import {
  listOutgoingPostbacks,
  outgoingPostbackStatuses,
  type OutgoingPostback,
} from '@karvon/contract/outgoing-postbacks/outgoing-postbacks.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, ReferenceFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { useList, buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { OutgoingPostbackDetail } from './outgoing-postback-detail.tsx'
import { createOutgoingColumns } from './outgoing-postbacks.columns.tsx'
import { outgoingTexts as texts } from './outgoing-postbacks.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 10, filters: ['template_id', 'status', 'from', 'to'] }
const templateOptions = resourceOptions('postback-templates')
const statusOptions = outgoingPostbackStatuses.map((value) => ({
  value,
  label: texts.statuses[value] ?? value,
}))

/** The log of postbacks to the trackers of media buyers. */
export function OutgoingPostbacksPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const [opened, setOpened] = useState<OutgoingPostback | null>(null)
  const query = useList<OutgoingPostback>({
    key: [...queryKeys.outgoingPostbacks, 'list'],
    call: listOutgoingPostbacks,
    state: table.state,
  })
  const columns = useMemo(() => createOutgoingColumns(zone), [zone])
  return (
    <>
      <Toolbar
        actions={
          <ExportMenu
            call={listOutgoingPostbacks}
            query={buildListQuery(table.state)}
            name="outgoing-postbacks"
          />
        }
      >
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <ReferenceFilter
          table={table}
          name="template_id"
          optionSource={templateOptions}
          {...texts.filters.template}
        />
        <ChoiceFilter table={table} name="status" options={statusOptions} {...texts.filters.status} />
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
      <OutgoingPostbackDetail postback={opened} onRetry={setOpened} onClose={() => setOpened(null)} />
    </>
  )
}
