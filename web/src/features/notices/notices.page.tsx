import { useMemo } from 'react'
import { listNotices, noticeKinds, noticeStatuses, type Notice } from '@karvon/contract/notices/notices.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, ReferenceFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { useQueueList } from '../../resources/queue.query.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { createNoticeColumns } from './notices.columns.tsx'
import { noticeTexts as texts } from './notices.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 10, filters: ['kind', 'status', 'user_id', 'from', 'to'] }
const userOptions = resourceOptions('users')
const kindOptions = noticeKinds.map((value) => ({ value, label: texts.kinds[value] ?? value }))
const statusOptions = noticeStatuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))

/** The notices to people's own chats, with the state of each in the queue to Telegram. */
export function NoticesPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const query = useQueueList<Notice>(queryKeys.notices, listNotices, table.state)
  const columns = useMemo(() => createNoticeColumns(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listNotices} query={buildListQuery(table.state)} name="notices" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <ReferenceFilter table={table} name="user_id" optionSource={userOptions} {...texts.filters.user} />
        <ChoiceFilter table={table} name="kind" options={kindOptions} {...texts.filters.kind} />
        <ChoiceFilter table={table} name="status" options={statusOptions} {...texts.filters.status} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.text}
        lines={2}
        failedText={texts.loadFailed}
      />
    </>
  )
}
