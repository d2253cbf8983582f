import { useMemo } from 'react'
import { listUploads, uploadStatuses, type Upload } from '@karvon/contract/uploads/uploads.ts'
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
import { uploadColumns } from './uploads.columns.tsx'
import { queueTexts as texts } from './uploads.texts.ts'

const spec = { pageSize: 10, filters: ['status', 'user_id', 'from', 'to'] }
const users = resourceNames('users')
const statuses = uploadStatuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))

/** What was uploaded, and where each file stands with Telegram. */
export function UploadsPage() {
  const table = useTableState(spec)
  const { time_zone: zone } = useSettings()
  const asked = wireQuery(table.state)
  const query = useQueueList<Upload>('uploads', listUploads, table.state)
  const columns = useMemo(() => uploadColumns(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listUploads} query={asked} name="uploads" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <NameFilter table={table} name="user_id" names={users} {...texts.filters.user} />
        <ChoiceFilter table={table} name="status" options={statuses} {...texts.filters.status} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.name}
        lines={2}
        failedText={texts.loadFailed}
      />
    </>
  )
}
