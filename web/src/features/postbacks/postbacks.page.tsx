import { useMemo, useState } from 'react'
import {
  listPostbacks,
  postbackOutcomes,
  postbackReasons,
  type Postback,
} from '@karvon/contract/postbacks/postbacks.ts'
import { Toolbar } from '../../components/display/layout.tsx'
import { SearchBox } from '../../components/fields/search-box.tsx'
import { ExportMenu } from '../../resources/exports/export-menu.tsx'
import { ChoiceFilter, ReferenceFilter, PeriodFilter } from '../../resources/list-filters.tsx'
import { useList, buildListQuery } from '../../lib/list.query.ts'
import { ListTable } from '../../resources/list-table.tsx'
import { resourceOptions } from '../../resources/reference-options.ts'
import { useSettings } from '../../lib/settings.store.ts'
import { useTableState } from '../../lib/table-state.ts'
import { PostbackDetail } from './postback-detail.tsx'
import { createPostbackColumns } from './postbacks.columns.tsx'
import { postbackTexts as texts } from './postbacks.texts.ts'
import { queryKeys } from '../../lib/query-keys.ts'

const tableSpec = { pageSize: 10, filters: ['source_id', 'outcome', 'reason', 'from', 'to'] }
const sourceOptions = resourceOptions('cpa-sources')
const outcomeOptions = postbackOutcomes.map((value) => ({ value, label: texts.outcomes[value] }))
const reasonOptions = postbackReasons.map((value) => ({ value, label: texts.reasons[value] }))

/** The log of postbacks from networks, with a button that processes one again. */
export function PostbacksPage() {
  const table = useTableState(tableSpec)
  const { time_zone: zone } = useSettings()
  const [opened, setOpened] = useState<Postback | null>(null)
  const query = useList<Postback>({
    key: [...queryKeys.postbacks, 'list'],
    call: listPostbacks,
    state: table.state,
  })
  const columns = useMemo(() => createPostbackColumns(zone), [zone])
  return (
    <>
      <Toolbar
        actions={<ExportMenu call={listPostbacks} query={buildListQuery(table.state)} name="postbacks" />}
      >
        <SearchBox
          label={texts.search}
          value={table.state.search}
          onSearch={(search) => table.change({ search })}
        />
        <ReferenceFilter
          table={table}
          name="source_id"
          optionSource={sourceOptions}
          {...texts.filters.source}
        />
        <ChoiceFilter table={table} name="outcome" options={outcomeOptions} {...texts.filters.outcome} />
        <ChoiceFilter table={table} name="reason" options={reasonOptions} {...texts.filters.reason} />
        <PeriodFilter table={table} />
      </Toolbar>
      <ListTable
        label={texts.title}
        table={table}
        query={query}
        columns={columns}
        rowKey={(row) => String(row.id)}
        rowLabel={(row) => row.external_id ?? String(row.id)}
        failedText={texts.loadFailed}
        onRowClick={setOpened}
        activeKey={opened && String(opened.id)}
      />
      <PostbackDetail postback={opened} onReplay={setOpened} onClose={() => setOpened(null)} />
    </>
  )
}
