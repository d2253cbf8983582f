import { useMemo } from 'react'
import { listNotices, noticeKinds, noticeStatuses, type Notice } from '@karvon/contract/notices/notices.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, NameFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { wireQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { resourceNames } from '../../resources/names.ts'
import { useQueueList } from '../../resources/queue.query.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { noticeColumns } from './notices.columns.tsx'
import { noticeTexts as texts } from './notices.texts.ts'

const spec = { pageSize: 10, filters: ['kind', 'status', 'user_id', 'from', 'to'] }
const users = resourceNames('users')
const kinds = noticeKinds.map((value) => ({ value, label: texts.kinds[value] ?? value }))
const statuses = noticeStatuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))

/** What people are told in their own chats, and where each notice stands with Telegram. */
export function NoticesPage() {
  const table = useTableState(spec)
  const { time_zone: zone } = useSettings()
  const query = useQueueList<Notice>('notices', listNotices, table.state)
  const columns = useMemo(() => noticeColumns(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listNotices} query={wireQuery(table.state)} name="notices" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <NameFilter table={table} name="user_id" names={users} {...texts.filters.user} />
        <ChoiceFilter table={table} name="kind" options={kinds} {...texts.filters.kind} />
        <ChoiceFilter table={table} name="status" options={statuses} {...texts.filters.status} />
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
