import { useMemo } from 'react'
import { listUploads, uploadStatuses, type Upload } from '@karvon/contract/uploads/uploads.ts'
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
import { createUploadColumns } from './uploads.columns.tsx'
import { queueTexts as texts } from './uploads.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 10, filters: ['status', 'user_id', 'from', 'to'] }
const userOptions = resourceOptions('users')
const statusOptions = uploadStatuses.map((value) => ({ value, label: texts.statuses[value] ?? value }))

/** The uploaded files, with the state of each in the queue to Telegram. */
export function UploadsPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const listQuery = buildListQuery(table.state)
  const query = useQueueList<Upload>(queryKeys.uploads, listUploads, table.state)
  const columns = useMemo(() => createUploadColumns(zone), [zone])
  return (
    <>
      <Toolbar actions={<ExportMenu call={listUploads} query={listQuery} name="uploads" />}>
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <ReferenceFilter table={table} name="user_id" optionSource={userOptions} {...texts.filters.user} />
        <ChoiceFilter table={table} name="status" options={statusOptions} {...texts.filters.status} />
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
